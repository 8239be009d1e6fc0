"""Earlier broadcasts of a private topic, for a client that joins it (`messages.ex`)."""

from __future__ import annotations

from datetime import UTC, datetime

import psycopg

from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import ServicePool
from localbase.realtime.channel.join import Replay
from localbase.realtime.frames import Broadcast, dump_json

_MOST = 25
# Together they must fit into what a client may leave unread: the last ones that do are sent.
_MOST_BYTES = 3_000_000
# Drifting clocks apart, partitions of later days are empty: without an end each would be searched.
_QUERY = b"""
with latest as (
  select id, event, payload, binary_payload, inserted_at from realtime.messages
  where topic = %s and private and extension = 'broadcast'
    and inserted_at >= %s and inserted_at < now() at time zone 'utc' + interval '1 minute'
  order by inserted_at desc limit %s
)
select id, event, payload, binary_payload from (
  select *, sum(coalesce(octet_length(payload::text), octet_length(binary_payload), 0))
    over (order by inserted_at desc, id) as size_so_far
  from latest
) as sized
where size_so_far <= %s
order by inserted_at desc, id
"""


class ReplayFailed(Exception):
    """Messages that cannot be had: the reason is upstream's."""


async def earlier_broadcasts(pool: ServicePool, topic: str, replay: Replay) -> list[Broadcast]:
    """The last broadcasts of a private topic, the earliest first. Raises `ReplayFailed`."""
    try:
        since = datetime.fromtimestamp(replay.since / 1000, UTC).replace(tzinfo=None)
    except (ValueError, OverflowError, OSError) as error:
        raise ReplayFailed("Replay params are not valid") from error
    limit = max(min(replay.limit, _MOST), 1)
    try:
        async with pool.begin() as cursor:
            await cursor.execute(_QUERY, [topic, since, limit, _MOST_BYTES])
            rows = await cursor.fetchall()
    except (psycopg.Error, PoolExhausted) as error:
        raise ReplayFailed("Realtime was unable to replay messages") from error
    return [_broadcast_of(row) for row in reversed(rows)]


def _broadcast_of(row: dict[str, object]) -> Broadcast:
    event, binary, id = str(row["event"]), row["binary_payload"], str(row["id"])
    if isinstance(binary, bytes):
        return Broadcast(binary, event, is_json=False, id=id, replayed=True)
    payload = {
        "payload": row["payload"],
        "event": event,
        "type": "broadcast",
        "meta": {"replayed": True, "id": id},
    }
    return Broadcast(dump_json(payload), id=id, replayed=True)
