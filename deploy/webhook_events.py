"""The events that the shop's webhooks are registered for, from the list beside their handlers."""

from __future__ import annotations

import json
from typing import Literal

from deploy.environment import ROOT

_FILE = ROOT / "functions" / "_shared" / "orders" / "webhook_events.json"


def webhook_events(vendor: Literal["stripe", "printify"]) -> list[str]:
    events: list[str] = json.loads(_FILE.read_text(encoding="utf-8"))[vendor]
    return events
