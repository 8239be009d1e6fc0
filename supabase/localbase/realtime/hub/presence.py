"""The presence in each topic, as Phoenix's presence shows it: keys, each with the metas of its channels."""

from __future__ import annotations

import secrets
from typing import Any

from localbase.realtime.frames import dump_json
from localbase.realtime.hub.topics import Topic

Meta = dict[str, Any]


# Of one topic: its state, and a change of all of it, must fit into what a client may leave unread.
_TOPIC_BYTES = 1_500_000
_ALL_BYTES = 64_000_000


class PresenceFull(Exception):
    """A topic's presences, or those of all topics, are as large as they may be together."""


class Presences:
    """The presences of all topics. A channel (`member`) has at most one in its topic."""

    def __init__(self, topic_bytes: int = _TOPIC_BYTES, all_bytes: int = _ALL_BYTES) -> None:
        """The limits are for the JSON of one topic's presences, and of all."""
        self._topic_bytes = topic_bytes
        self._all_bytes = all_bytes
        # By topic, key and member; each in the order of coming.
        self._metas: dict[Topic, dict[str, dict[str, Meta]]] = {}
        # A short message gets a state of megabytes, and may come again and again.
        self._states: dict[Topic, bytes] = {}
        self._sizes: dict[tuple[Topic, str], int] = {}
        self._topic_sizes: dict[Topic, int] = {}
        self._size = 0

    def state(self, topic: Topic) -> bytes:
        """The payload of `presence_state`."""
        state = self._states.get(topic)
        if state is None:
            keys = self._metas.get(topic, {})
            state = dump_json({key: {"metas": list(metas.values())} for key, metas in keys.items()})
            if keys:
                self._states[topic] = state
        return state

    def track(self, topic: Topic, member: str, key: str, payload: Meta) -> bytes:
        """Enters a presence, or replaces it. The payload of `presence_diff`.

        Raises `MalformedMessage`, or `PresenceFull`.
        """
        # What cannot be written again must not come into the state.
        self._resize(topic, member, len(dump_json(payload)) + len(key.encode()))
        self._states.pop(topic, None)
        metas = self._metas.setdefault(topic, {}).setdefault(key, {})
        meta = {name: value for name, value in payload.items() if name not in ("phx_ref", "phx_ref_prev")}
        meta["phx_ref"] = secrets.token_urlsafe(12)
        previous = metas.get(member)
        leaves = {}
        if previous is not None:
            meta["phx_ref_prev"] = previous["phx_ref"]
            leaves = {key: {"metas": [previous]}}
        metas[member] = meta
        return dump_json({"joins": {key: {"metas": [meta]}}, "leaves": leaves})

    def untrack(self, topic: Topic, member: str, key: str) -> bytes | None:
        """Takes a presence out. The payload of `presence_diff`; None if there was none."""
        keys = self._metas.get(topic, {})
        meta = keys.get(key, {}).pop(member, None)
        if meta is None:
            return None
        self._states.pop(topic, None)
        self._resize(topic, member, 0)
        if not keys[key]:
            del keys[key]
        if not keys:
            del self._metas[topic]
        return dump_json({"joins": {}, "leaves": {key: {"metas": [meta]}}})

    def _resize(self, topic: Topic, member: str, size: int) -> None:
        """Counts a presence of `size` bytes, 0 for one that has gone. Raises `PresenceFull`."""
        more = size - self._sizes.get((topic, member), 0)
        of_topic = self._topic_sizes.get(topic, 0) + more
        if more > 0 and (of_topic > self._topic_bytes or self._size + more > self._all_bytes):
            raise PresenceFull
        self._size += more
        self._topic_sizes[topic] = of_topic
        self._sizes[topic, member] = size
        if not size:
            del self._sizes[topic, member]
        if not of_topic:
            del self._topic_sizes[topic]
