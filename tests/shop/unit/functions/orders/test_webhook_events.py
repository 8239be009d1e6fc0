"""webhook_events.json: the vendors send what has a handler, and nothing else."""

from __future__ import annotations

import json
from typing import Any, cast

from _shared.orders.stripe_events import StripeEvents

from tests.support.stacks import ROOT

EVENTS: dict[str, list[str]] = json.loads(
    (ROOT / "functions" / "_shared" / "orders" / "webhook_events.json").read_text(encoding="utf-8")
)


def test_each_event_of_stripe_has_a_handler_and_each_handler_an_event() -> None:
    part = cast(Any, None)
    assert sorted(StripeEvents(part, part, part, part, part, part).handlers) == sorted(EVENTS["stripe"])


def test_each_event_of_printify_is_one_that_its_handler_takes() -> None:
    assert len(EVENTS["printify"]) == 5
    assert [event for event in EVENTS["printify"] if not event.startswith("order:")] == []
