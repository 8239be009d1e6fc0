"""Requests that have been answered before: what is kept of them so that the next one like them costs little.

Three ways, the cheapest first. A request that comes again byte for byte is a `Shot` that only has to go out. One that
differs from an earlier one in the plain operand of its last `=eq.` is cast in that one's `Mould`. One that differs in
operands only has an `Entry`. All of it belongs to one reading of the catalog and goes with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from localbase.core.cache import BoundedCache
from localbase.core.http import HeaderBlock, QuickAsk
from localbase.postgres.pipeline import Command
from localbase.postgres.session import Batch
from localbase.rest.quick import Entry, Shot, is_plain, shot_of, taken_apart

_LONGEST_BODY = 1024
_MOST_TRACES = 16_384
_MARK = b"=eq."
# An operand that no request has by chance.
_PROBE = b"localbase.mould.probe"

Judgement = Entry | Literal[False] | None
"""Of a kind of request: its entry, False if it can have none, None if that cannot be told yet."""


class Mould:
    """A request without a body but for one operand. It is cast anew for each."""

    __slots__ = ("_after", "_before", "_commands", "_entry", "_index", "_operands", "_slots", "_wanted")

    def __init__(self, probed: Shot, index: int) -> None:
        """`probed` has the probe as its operand at `index`."""
        self._entry = probed.entry
        self._commands = probed.batch.commands
        self._wanted = probed.batch.answering
        self._slots = [slot for slot, value in enumerate(self._commands[-1].params) if value == _PROBE]
        self._before, _, self._after = probed.located.partition(_PROBE)
        self._operands = probed.operands
        self._index = index

    def cast(self, operand: bytes) -> Shot:
        """The request with a plain operand."""
        *first, (sql, params, variant) = self._commands
        values = list(params)
        for slot in self._slots:
            values[slot] = operand
        operands = list(self._operands)
        operands[self._index] = operand
        return Shot(
            self._entry,
            Batch([*first, Command(sql, tuple(values), variant)], self._wanted),
            tuple(operands),
            self._before and self._before + operand + self._after,
        )


class Memory:
    """What is kept of requests."""

    def __init__(self) -> None:
        self._entries: BoundedCache[object, Entry | Literal[False]] = BoundedCache()
        self._moulds: BoundedCache[object, Mould] = BoundedCache(1024)
        self._shots: BoundedCache[object, Shot] = BoundedCache()
        # Traces of requests that came once: most of them do not come again.
        self._traces: set[int] = set()

    def repeated(self, line: bytes, head: HeaderBlock, body: bytes) -> Shot | None:
        """A request that has come before, but for one operand."""
        shot = self._shots.get((head, line, body))
        if shot is None and not body:
            before, operand, after = _cut(line)
            mould = self._moulds.get((head, before, after))
            if mould is not None and is_plain(operand):
                return mould.cast(operand)
        return shot

    def varied(self, api_request: QuickAsk, head: HeaderBlock, judge: Callable[[], Judgement]) -> Shot | None:
        """A request that differs in operands, or in its body's values, from one that came before."""
        taken = taken_apart(api_request, head)
        if taken is None:
            return None
        key, operands, payload = taken
        entry: Judgement = self._entries.get(key)
        if entry is None:
            entry = judge()
            if entry is not None:
                self._entries.put(key, entry)
        if not entry:
            return None
        shot = shot_of(entry, operands, payload)
        before, operand, after = _cut(api_request.line)
        castable = payload is None and is_plain(operand)
        if not self._is_new(
            (head, before, after) if castable else (head, api_request.line, api_request.body)
        ):
            mould = self._mould(api_request, head, entry, key) if castable else None
            if mould is not None:
                self._moulds.put((head, before, after), mould)
            elif len(api_request.body) <= _LONGEST_BODY:
                self._shots.put((head, api_request.line, api_request.body), shot)
        return shot

    def _is_new(self, what: object) -> bool:
        trace = hash(what)
        if trace in self._traces:
            return False
        if len(self._traces) >= _MOST_TRACES:
            self._traces.clear()
        self._traces.add(trace)
        return True

    def _mould(self, api_request: QuickAsk, head: HeaderBlock, entry: Entry, key: object) -> Mould | None:
        """A mould if the request allows it: with another operand it must be the same but for that operand."""
        _, asked, rest = _cut(api_request.query)
        query = api_request.query[: len(api_request.query) - len(asked) - len(rest)] + _PROBE + rest
        taken = taken_apart(api_request._replace(query=query), head)
        if taken is None or taken[0] != key or taken[1].count(_PROBE) != 1:
            return None
        probed = shot_of(entry, taken[1], None)
        return Mould(probed, taken[1].index(_PROBE)) if probed.located.count(_PROBE) <= 1 else None


def _cut(text: bytes) -> tuple[bytes, bytes, bytes]:
    """What stands before the operand of the last `=eq.`, the operand, what stands behind it; nothing without one."""
    before, mark, rest = text.rpartition(_MARK)
    if not mark:
        return b"", b"", b""
    end = rest.find(b"&")
    if end < 0:
        end = rest.find(b" ")
    return (before, rest[:end], rest[end:]) if end >= 0 else (before, rest, b"")
