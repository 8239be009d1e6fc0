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
        """A call's response."""
        return httpx.post(
            f"{self.url}/api/{name}", json=body or {}, headers={"x-studio": "1", **headers}, timeout=60
        )

    def call(self, name: str, body: Any = None) -> Any:
        """The body of a call that succeeds."""
        response = self.send(name, body)
        assert response.status_code == 200, response.text
        return response.json()

    def error(self, name: str, body: Any = None) -> Any:
        """The body of a call that is rejected."""
        response = self.send(name, body)
        assert response.status_code == 400, response.text
        return response.json()


@pytest.fixture(scope="session")
def studio() -> Iterator[Studio]:
    with running_project("studio", {"SUPABASE_STUDIO_ENABLED": "true"}) as running:
        yield Studio(running.studio_url, running)
