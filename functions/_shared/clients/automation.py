"""The shop owner's own automation: a JSON post to ORDER_WEBHOOK_URL, when that is set."""

from __future__ import annotations

from collections.abc import Mapping

import httpx

from _shared.errors import unavailable


class Automation:
    """Tells the owner's address about an event; without an address there is nobody to tell."""

    def __init__(self, url: str, transport: httpx.BaseTransport | None = None) -> None:
        self._url = url
        self._http = httpx.Client(timeout=10.0, transport=transport)

    def tell(self, event: str, key: str, data: Mapping[str, object]) -> None:
        """`key` names the event's instance, so that a receiver can drop what it was told twice."""
        if not self._url:
            return
        try:
            answer = self._http.post(
                self._url, json={"event": event, **data}, headers={"idempotency-key": f"{event}-{key}"}
            )
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise unavailable(
                "automation_unavailable", "The automation address did not answer.", error
            ) from error
