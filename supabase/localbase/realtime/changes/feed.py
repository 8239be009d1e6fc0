"""The feed of changes: subscriptions of channels, served by one replication connection."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from localbase.postgres.pool import Database
from localbase.realtime.changes.model import (
    Change,
    ChangeRequest,
    Event,
    Notice,
    SubscriptionRefused,
)

__all__ = [
    "Change",
    "ChangeFeed",
    "ChangeRequest",
    "ChangeSubscription",
    "Event",
    "Notice",
    "SubscriptionRefused",
]


class ChangeFeed:
    """All subscriptions to changes of one database. It replicates only while there is at least one."""

    def __init__(self, replication_url: str, database: Database) -> None:
        """`replication_url` is of a role that may replicate and reads the catalog, `database` acts as any API role."""
        self._replication_url = replication_url
        self._database = database

    async def subscribe(
        self,
        requests: Sequence[ChangeRequest],
        role: str,
        claims: bytes,
        deliver: Callable[[Change], None],
        notice: Callable[[Notice], None],
    ) -> ChangeSubscription:
        """Subscribes under `role` and `claims` (a JSON object); what commits after it has returned arrives.

        `deliver` and `notice` are called in the loop and must not block. Raises `SubscriptionRefused`.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Ends replication and every subscription."""
        raise NotImplementedError


class ChangeSubscription:
    """One channel's subscription."""

    async def move(self, role: str, claims: bytes) -> None:
        """Goes on under the claims of a new access token. Raises `SubscriptionRefused`."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends it: nothing is delivered afterwards."""
        raise NotImplementedError
