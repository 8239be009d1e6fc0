"""The request to join a channel (`payloads/join.ex`).

Clients of several languages write these fields: a boolean may be a text, and what cannot be read counts as its default,
as upstream.
"""

from __future__ import annotations

import json
import uuid
import zlib
from dataclasses import dataclass, field
from typing import Any, Literal, TypeGuard, get_args

from localbase.realtime.changes.model import ChangeRequest, Event

_LARGEST_ID = 0x7FFFFFF
# Of all entries of `postgres_changes` together, as JSON: filters are read letter by letter.
_MOST_CHANGES_BYTES = 128 * 1024


class InvalidJoin(Exception):
    """A payload that upstream cannot read either."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Earlier broadcasts to get first: those since `since` (milliseconds since the epoch), at most `limit`."""

    since: int
    limit: int


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """The fields of a `phx_join`. `replay` is "invalid" for one that cannot be read."""

    access_token: str | None = None
    private: bool = False
    receives_own: bool = False
    acknowledges: bool = False
    replay: Replay | Literal["invalid"] | None = None
    replication_ready: bool = False
    presence_enabled: bool = False
    presence_key: str = ""
    # As they came, each with its id.
    changes: list[dict[str, Any]] = field(default_factory=list)


def parse_join(payload: Any, most_changes: int = 100) -> JoinRequest:
    """The fields of a join with at most so many `postgres_changes`. Raises `InvalidJoin`."""
    if not isinstance(payload, dict):
        raise InvalidJoin("the payload must be a map")
    config = _table(payload.get("config"))
    broadcast, presence = _table(config.get("broadcast")), _table(config.get("presence"))
    key = presence.get("key")
    return JoinRequest(
        access_token=_token(payload),
        private=_flag(config.get("private")),
        receives_own=_flag(broadcast.get("self")),
        acknowledges=_flag(broadcast.get("ack")),
        replay=_replay(broadcast["replay"]) if broadcast.get("replay") is not None else None,
        replication_ready=_flag(broadcast.get("replication_ready")),
        presence_enabled=_flag(presence.get("enabled")),
        presence_key=_key(key),
        changes=_changes(config.get("postgres_changes"), most_changes),
    )


def change_requests(changes: list[dict[str, Any]]) -> list[ChangeRequest]:
    """The entries of `postgres_changes` as the feed takes them. Raises `InvalidJoin` in upstream's words."""
    return [_change_request(entry) for entry in changes]


def _change_request(entry: dict[str, Any]) -> ChangeRequest:
    parameters = {name: value for name, value in entry.items() if name != "id"}
    schema, table = parameters.get("schema"), parameters.get("table")
    text = parameters.get("filter")
    texts = [value for value in (schema, table) if value is not None]
    if not texts or not all(isinstance(value, str) for value in texts):
        shown = json.dumps(parameters, ensure_ascii=False)
        raise InvalidJoin(
            "No subscription params provided. "
            f"Please provide at least a `schema` or `table` to subscribe to: {shown}"
        )
    if text is not None and not isinstance(text, str):
        raise InvalidJoin(f"Error parsing `filter` params: {json.dumps(text)}")
    select = parameters.get("select")
    if select is not None and not (
        isinstance(select, list) and all(isinstance(column, str) for column in select)
    ):
        raise InvalidJoin("`select` must be a list of column names")
    event = str(parameters.get("event", "*")).upper()
    events: dict[str, Event] = {name: name for name in get_args(Event)}
    return ChangeRequest(
        id=entry["id"],
        event=events.get(event, "*"),
        schema="public" if schema is None else schema,
        table=table,
        filter=text if text is not None and text.strip() else None,
        select=tuple(select) if select else None,
    )


def _changes(entries: Any, most: int) -> list[dict[str, Any]]:
    """The entries, field by field as they came: clients compare them. One that comes twice has one id."""
    if not isinstance(entries, list):
        return []
    if len(entries) > most:
        raise InvalidJoin(f"postgres_changes has {len(entries)} entries, and a channel may have {most}")
    ids: dict[str, int] = {}
    numbers: set[int] = set()
    changes = []
    size = 0
    for entry in entries:
        if entry is None:
            continue
        if not isinstance(entry, dict):
            raise InvalidJoin("postgres_changes must be an array of maps")
        text = json.dumps(entry, sort_keys=True)
        size += len(text)
        if size > _MOST_CHANGES_BYTES:
            raise InvalidJoin(f"postgres_changes exceeds {_MOST_CHANGES_BYTES >> 10} KiB")
        if text not in ids:
            # Not 0, which clients take for none.
            number = zlib.crc32(text.encode()) % _LARGEST_ID + 1
            while number in numbers:
                number = number % _LARGEST_ID + 1
            numbers.add(number)
            ids[text] = number
        changes.append({**entry, "id": ids[text]})
    return changes


def _token(payload: dict[str, Any]) -> str | None:
    for name in ("user_token", "access_token"):
        if isinstance(payload.get(name), str):
            return str(payload[name])
    return None


def _replay(replay: Any) -> Replay | Literal["invalid"]:
    if not isinstance(replay, dict):
        return "invalid"
    since, limit = replay.get("since"), replay.get("limit", 25)
    if not _is_whole(since) or not _is_whole(limit):
        return "invalid"
    return Replay(since, limit)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _key(key: Any) -> str:
    """A presence's key; a new one where there is none."""
    if key is None or key == "":
        return str(uuid.uuid1())
    return key if isinstance(key, str) else json.dumps(key)


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _flag(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.lower() == "true")
