"""A channel's requests for the database's changes, and the changes that it gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Event = Literal["*", "INSERT", "UPDATE", "DELETE"]
Notice = Literal["interrupted", "resumed", "out of time"]
"""Changes do not come for now, because replication broke; or they come again. Those between are lost, as upstream.
Or the subscription has ended, because a filter of it takes too long."""


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """One entry of a channel's `config.postgres_changes`.

    `id` is the number that the join answered with. `table` None or `*` is every table of `schema`, `schema` `*` is
    every schema. `filter` is text such as `id=eq.1`. `select` names the columns to get; the primary key always comes.
    """

    id: int
    event: Event
    schema: str
    table: str | None = None
    filter: str | None = None
    select: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A row's change for one channel: of event `postgres_changes`, with the payload `{"ids": [...], "data": {...}}`.

    `ids` are those of the requests that it fits. `data` is a JSON object, shared by all who may see the same.
    """

    ids: tuple[int, ...]
    data: bytes


class SubscriptionRefused(Exception):
    """A subscription that cannot be: the message is upstream's, for a `system` message with status `error`."""
