"""Calls of the official HTTP APIs: one error for a person where the response is none or an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from deploy.errors import CommandError

_SHOWN = 300


class Api:
    """One service. `name` is the service's in messages; `headers` carry its key and are never shown."""

    def __init__(self, name: str, base_url: str, headers: dict[str, str], timeout: float = 60) -> None:
        self.name = name
        self._http = httpx.Client(base_url=base_url, headers=headers, timeout=timeout)

    def send(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """The response, of any status. Raises `CommandError` where there is none."""
        try:
            return self._http.request(method, path, **sent)
        except httpx.HTTPError as error:
            raise CommandError(
                f"{self.name} did not answer at {self._http.base_url}: {type(error).__name__}"
            ) from error

    @contextmanager
    def stream(self, method: str, path: str, **sent: Any) -> Iterator[httpx.Response]:
        """A response with a body to be read piece by piece, as it was sent: not unpacked."""
        headers = {"accept-encoding": "identity", **sent.pop("headers", {})}
        try:
            with self._http.stream(method, path, headers=headers, **sent) as response:
                yield response
        except httpx.HTTPError as error:
            raise CommandError(
                f"{self.name} broke off {method} {path}: {type(error).__name__}. Run the command again."
            ) from error

    def call(self, method: str, path: str, **sent: Any) -> Any:
        """The response's JSON, None where it has no body. Raises `CommandError` for an error."""
        response = self.send(method, path, **sent)
        if response.status_code >= 400:
            raise CommandError(
                f"{self.name} refused {method} {path}: {response.status_code} {response.text[:_SHOWN]}"
            )
        try:
            return response.json() if response.content else None
        except ValueError as error:
            raise CommandError(
                f"{self.name} answered {method} {path} with something else than JSON."
            ) from error
