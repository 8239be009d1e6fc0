"""Webhooks: one for each topic, signed when registered with a secret."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlsplit

from emulators.core.faults import Faults
from emulators.core.inputs import is_web_address
from emulators.core.store import Document, Store, public
from emulators.core.system import system
from emulators.printify.errors import PrintifyError
from emulators.printify.paging import moment
from emulators.webhook_dispatcher import WebhookDispatcher

TOPICS = (
    "shop:disconnected", "product:created", "product:updated", "product:deleted", "product:publish:started",
    "order:created", "order:updated", "order:sent-to-production", "order:shipment:created",
    "order:shipment:delivered",
)  # fmt: skip


def sign(message: Document) -> dict[str, str]:
    if not message["secret"]:
        return {}
    digest = hmac.new(message["secret"].encode(), message["body"].encode(), hashlib.sha256).hexdigest()
    return {"X-Pfy-Signature": f"sha256={digest}"}


class Webhooks:
    def __init__(self, store: Store, faults: Faults) -> None:
        self._store = store
        # Printify tries three more times and then blocks the hook for an hour.
        self.webhooks = WebhookDispatcher(store, "printify", sign, faults, delays=(1, 5, 15))

    def create(self, shop: int, body: dict[str, Any]) -> Document:
        topic, url = body.get("topic"), body.get("url")
        if topic not in TOPICS:
            raise PrintifyError.invalid("topic", "The selected topic is invalid.")
        if not is_web_address(url):
            raise PrintifyError.invalid("url", "The url format is invalid.")
        if self._store.find("printify.webhook", "topic", topic) is not None:
            raise PrintifyError.invalid("topic", "The topic has already been taken.")
        document = {"id": system.token_hex(12), "topic": topic, "url": url, "shop_id": shop}
        self._store.put("printify.webhook", {**document, "_secret": str(body.get("secret") or "")})
        return document

    def subscribe(self, shop: int, topics: tuple[str, ...], url: str, secret: str) -> None:
        """Registers our own receiver for these topics; one of another receiver stays."""
        path = urlsplit(url).path
        for topic in topics:
            hook = self._store.find("printify.webhook", "topic", topic)
            if hook is None:
                hook = {"id": system.token_hex(12), "topic": topic, "shop_id": shop}
            elif urlsplit(hook["url"]).path != path:
                continue
            self._store.put("printify.webhook", {**hook, "url": url, "_secret": secret})

    def list(self) -> list[Document]:
        return [public(hook) for hook in self._store.list("printify.webhook")]

    def update(self, id: str, body: dict[str, Any]) -> Document:
        hook = self._get(id)
        if "url" in body:
            if not is_web_address(body["url"]):
                raise PrintifyError.invalid("url", "The url format is invalid.")
            hook["url"] = body["url"]
        return public(self._store.put("printify.webhook", hook))

    def delete(self, id: str, host: str | None) -> Document:
        hook = self._get(id)
        if host is None or urlsplit(hook["url"]).hostname != host.partition(":")[0]:
            raise PrintifyError.invalid("host", "The host must be the one of the webhook's url.")
        self._store.delete("printify.webhook", id)
        return {"id": id}

    def simulate(self, id: str) -> None:
        hook = self._get(id)
        self._send(
            hook, "5a96f649b2439217d070f507", hook["topic"].split(":")[0], {"shop_id": hook["shop_id"]}
        )

    def emit(self, topic: str, id: str, type: str, data: dict[str, Any]) -> None:
        hook = self._store.find("printify.webhook", "topic", topic)
        if hook is not None:
            self._send(hook, id, type, data)

    def _send(self, hook: Document, id: str, type: str, data: dict[str, Any]) -> None:
        event = {
            "id": str(system.uuid4()),
            "type": hook["topic"],
            "created_at": moment(),
            "resource": {"id": id, "type": type, "data": data},
        }
        self.webhooks.send(hook["url"], json.dumps(event), hook["_secret"], str(event["id"]))

    def _get(self, id: str) -> Document:
        return self._store.require("printify.webhook", id, PrintifyError.missing)
