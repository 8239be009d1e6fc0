"""One Stripe account: its objects, its events, and the endpoints that hear of them."""

from __future__ import annotations

import hashlib
import hmac
import json
import string

from emulators.core.faults import Faults
from emulators.core.store import Document, Store, public
from emulators.core.system import system
from emulators.stripe.errors import StripeError
from emulators.webhook_dispatcher import WebhookDispatcher

API_VERSION = "2026-10-28.endive"

_ALPHABET = string.ascii_letters + string.digits


def new_id(prefix: str, length: int = 24) -> str:
    return f"{prefix}_{''.join(system.random.choice(_ALPHABET) for _ in range(length))}"


def now() -> int:
    return int(system.time())


def sign(message: Document) -> dict[str, str]:
    """The `Stripe-Signature` header; the whole `whsec_…` string is the key."""
    timestamp = now()
    digest = hmac.new(
        message["secret"].encode(), f"{timestamp}.{message['body']}".encode(), hashlib.sha256
    ).hexdigest()
    return {"Stripe-Signature": f"t={timestamp},v1={digest}", "User-Agent": "Stripe/1.0"}


class Account:
    """Kinds in the store are `stripe.<object>`."""

    def __init__(self, store: Store, webhook_secret: str, base_url: str, faults: Faults) -> None:
        self.store = store
        self.webhook_secret = webhook_secret
        self.base_url = base_url
        self.webhooks = WebhookDispatcher(store, "stripe", sign, faults)

    def save(self, document: Document) -> Document:
        return self.store.put(f"stripe.{document['object']}", document)

    def get(self, object: str, id: str, param: str = "id") -> Document:
        return self.store.require(f"stripe.{object}", id, lambda: StripeError.missing(object, id, param))

    def emit(self, type: str, subject: Document, idempotency_key: str | None = None) -> None:
        """Records an event and sends it to every endpoint that is subscribed to its type."""
        event: Document = {
            "id": new_id("evt"),
            "object": "event",
            "api_version": API_VERSION,
            "created": now(),
            "data": {"object": public_copy(subject)},
            "livemode": False,
            "pending_webhooks": 0,
            "request": {"id": new_id("req", 14), "idempotency_key": idempotency_key},
            "type": type,
        }
        listeners = [
            endpoint
            for endpoint in self.store.each("stripe.webhook_endpoint")
            if endpoint["status"] == "enabled"
            and ("*" in endpoint["enabled_events"] or type in endpoint["enabled_events"])
        ]
        event["pending_webhooks"] = len(listeners)
        self.save(event)
        for endpoint in listeners:
            self.webhooks.send(endpoint["url"], json.dumps(event, indent=2), self.webhook_secret, event["id"])

    def expand(self, document: Document, paths: list[str]) -> Document:
        """Replaces ids by their objects, as `expand[]` says; unknown paths are refused."""
        expanded = public_copy(document)
        for path in paths:
            self._expand(expanded, path.split("."), path)
        return expanded

    def _expand(self, node: Document, keys: list[str], path: str) -> None:
        key, rest = keys[0], keys[1:]
        if key not in node:
            raise StripeError.invalid(f"This property cannot be expanded ({path}).", param="expand")
        value = node[key]
        if isinstance(value, list):
            for item in value:
                self._expand(item, rest, path)
            return
        if isinstance(value, str):
            kind = _EXPANDABLE.get(key)
            if kind is None:
                raise StripeError.invalid(f"This property cannot be expanded ({path}).", param="expand")
            node[key] = value = public_copy(self.get(kind, value))
        if isinstance(value, int):
            raise StripeError.invalid(f"This property cannot be expanded ({path}).", param="expand")
        if rest and isinstance(value, dict):
            self._expand(value, rest, path)


_EXPANDABLE = {
    "latest_charge": "charge",
    "charge": "charge",
    "payment_intent": "payment_intent",
    "payment_method": "payment_method",
}


def public_copy(document: Document) -> Document:
    """Return what callers see, in a copy that may be changed at every depth."""
    return public(json.loads(json.dumps(document)))
