"""The shop owner's own automation: signed JSON posts to ORDER_WEBHOOK_URL and TRACKING_WEBHOOK_URL, when those are set.

With AUTOMATION_WEBHOOK_SECRET a post carries `X-Teesmith-Signature: t=<unix>,v1=<hex>`, the HMAC-SHA256 of
`<t>.<body>` under that secret, as Stripe signs its events.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping

import httpx

from _shared.core.errors import unavailable


class Automation:
    """Posts events to the owner's addresses; without an address nothing is sent."""

    def __init__(
        self,
        order_url: str,
        tracking_url: str,
        secret: str,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._order_url = order_url
        self._tracking_url = tracking_url
        self._secret = secret
        self._clock = clock
        self._http = httpx.Client(timeout=10.0, transport=transport)

    def send(self, event: str, key: str, data: Mapping[str, object]) -> None:
        """`key` names the event's instance, so that a receiver can drop a repeat."""
        url = self._tracking_url if event == "order.shipped" else self._order_url
        if not url:
            return
        body = json.dumps({"event": event, **data}).encode()
        headers = {"content-type": "application/json", "idempotency-key": f"{event}-{key}"}
        if self._secret:
            headers["x-teesmith-signature"] = self._signature(body)
        try:
            self._http.post(url, content=body, headers=headers).raise_for_status()
        except httpx.HTTPError as error:
            raise unavailable(
                "automation_unavailable", "The automation address did not answer.", error
            ) from error

    def _signature(self, body: bytes) -> str:
        moment = int(self._clock())
        digest = hmac.new(self._secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
        return f"t={moment},v1={digest}"
