"""A network for the clients' tests, with prepared responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from _shared.clients.supabase_api import connect
from _shared.core.errors import ShopError

from supabase import Client

Outcome = httpx.Response | Exception
NETWORK_DOWN = httpx.ConnectError("connection refused")


def transport(*responses: Outcome, seen: list[httpx.Request] | None = None) -> httpx.MockTransport:
    """Returns the responses in order; `seen` collects the requests."""
    left = list(responses)

    def handle(request: httpx.Request) -> httpx.Response:
        if seen is not None:
            seen.append(request)
        response = left.pop(0)
        if isinstance(response, Exception):
            raise response
        return response

    return httpx.MockTransport(handle)


def supabase_client(*responses: Outcome, seen: list[httpx.Request] | None = None) -> Client:
    """The project's client, as functions have it."""
    network = transport(*responses, seen=seen)
    return connect("http://inner", "key", lambda _: network)


def error_of(call: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        call()
    return caught.value.status, caught.value.code
