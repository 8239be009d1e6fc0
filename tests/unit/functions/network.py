"""A network for the clients' tests, with prepared responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from _shared.core.errors import ShopError

Answer = httpx.Response | Exception
NETWORK_DOWN = httpx.ConnectError("connection refused")


def transport(*answers: Answer, seen: list[httpx.Request] | None = None) -> httpx.MockTransport:
    """Returns the responses in order; `seen` collects the requests."""
    left = list(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        if seen is not None:
            seen.append(request)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return httpx.MockTransport(handle)


def error_of(call: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        call()
    return caught.value.status, caught.value.code
