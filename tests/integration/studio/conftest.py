"""The project for Studio (tests/projects/studio), and a client of Studio's calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.support.stacks import Stack, running_project


@dataclass(frozen=True)
class Studio:
    """Studio's calls, as its pages make them."""

    url: str
    stack: Stack

    def send(self, name: str, body: Any = None, **headers: str) -> httpx.Response:
        """A call's answer."""
        return httpx.post(
            f"{self.url}/api/{name}", json=body or {}, headers={"x-studio": "1", **headers}, timeout=60
        )

    def call(self, name: str, body: Any = None) -> Any:
        """What a call that succeeds answers."""
        answer = self.send(name, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def error(self, name: str, body: Any = None) -> Any:
        """What a call that is refused answers."""
        answer = self.send(name, body)
        assert answer.status_code == 400, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def studio() -> Iterator[Studio]:
    with running_project("studio", {"SUPABASE_STUDIO_ENABLED": "true"}) as running:
        yield Studio(running.studio_url, running)
