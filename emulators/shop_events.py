"""The events that the shop's webhooks are registered for: the list beside their handlers."""

from __future__ import annotations

import json
from pathlib import Path

_FILE = Path(__file__).resolve().parent.parent / "functions" / "_shared" / "orders" / "webhook_events.json"


def shop_events(vendor: str) -> tuple[str, ...]:
    """'stripe' or 'printify'."""
    return tuple(json.loads(_FILE.read_text(encoding="utf-8"))[vendor])
