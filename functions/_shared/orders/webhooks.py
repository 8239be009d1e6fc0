"""Common parts of the vendors' webhooks: ids, signatures, follow-up work."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, StringConstraints

from _shared.core.errors import ShopError
from _shared.core.logs import log_trouble

_AHEAD = timedelta(minutes=5)

EventId = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class SignatureVerifier(Protocol):
    """`check_signature` of `clients.stripe_api.Stripe` and `clients.printify.Printify`."""

    def check_signature(self, body: bytes, header: str) -> None: ...


class EventModel(BaseModel):
    """A part of an event; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def reject_future(created: datetime, now: datetime) -> None:
    """400 for an event with a time in the future: clocks differ by minutes, not by more."""
    if created > now + _AHEAD:
        raise ShopError(400, "event_from_future", "This event lies in the future.", cause=created.isoformat())


def attempt(what: str, work: Callable[[], object]) -> None:
    """Tries work that the sweep repeats if it fails."""
    try:
        work()
    except ShopError as problem:
        log_trouble(f"{what} failed", problem.cause or problem)
