"""Messages of `pgoutput`, protocol version 1, and of the streaming replication that carries them.

https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html and protocol-replication.html. Pure:
bytes in, frozen values out.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal


class Unchanged:
    """The value of a column in TOAST that an update did not change: it is not in the log."""

    def __repr__(self) -> str:
        return "UNCHANGED"


UNCHANGED: Final = Unchanged()
Value = bytes | None | Unchanged
"""A column's value in Postgres's text form, None for NULL."""
Values = tuple[Value, ...]


class ProtocolError(Exception):
    """Bytes that are no message of the protocol."""


@dataclass(frozen=True, slots=True)
class Column:
    """A published column. `key` says whether it is part of the replica identity."""

    name: str
    type_id: int
    modifier: int
    key: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """A table as it is for the changes that follow. `identity`: default, nothing, full, index."""

    id: int
    schema: str
    table: str
    identity: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    """A transaction that has committed. Its changes follow."""

    lsn: int
    committed_at: datetime
    transaction: int


@dataclass(frozen=True, slots=True)
class Commit:
    """A transaction's end. `end_lsn` is the position after it."""

    lsn: int
    end_lsn: int
    committed_at: datetime


@dataclass(frozen=True, slots=True)
class Insert:
    """A new row."""

    relation: Relation
    new: Values


@dataclass(frozen=True, slots=True)
class Update:
    """A changed row. `old` is the replica identity before: None where it did not change.

    With `old_is_key` only the identity's columns have values in `old`.
    """

    relation: Relation
    old: Values | None
    old_is_key: bool
    new: Values


@dataclass(frozen=True, slots=True)
class Delete:
    """A row that is gone, by its replica identity."""

    relation: Relation
    old: Values
    old_is_key: bool


@dataclass(frozen=True, slots=True)
class Truncate:
    """Tables that were emptied."""

    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class WalData:
    """A piece of the log: one message of the output plugin."""

    end_lsn: int
    message: bytes


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """The server's position. It waits for an answer where `reply` is true."""

    end_lsn: int
    reply: bool


RowChange = Insert | Update | Delete
Message = Begin | Commit | RowChange | Truncate | Relation | None
"""None for what concerns no row: types, origins, messages."""

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_BEGIN, _COMMIT = struct.Struct("!qqI"), struct.Struct("!Bqqq")
_WAL, _KEEP_ALIVE = struct.Struct("!qqq"), struct.Struct("!qqB")
_STATUS = struct.Struct("!cqqqqB")
_INT32, _INT16, _COLUMN = struct.Struct("!i"), struct.Struct("!h"), struct.Struct("!Ii")
_IDENTITIES = {"d": "default", "n": "nothing", "f": "full", "i": "index"}


def parse_frame(frame: bytes) -> WalData | KeepAlive:
    """One `CopyData` of the server. Raises `ProtocolError`."""
    try:
        if frame[:1] == b"w":
            start, _, _ = _WAL.unpack_from(frame, 1)
            return WalData(start, frame[1 + _WAL.size :])
        if frame[:1] == b"k":
            end, _, reply = _KEEP_ALIVE.unpack_from(frame, 1)
            return KeepAlive(end, reply == 1)
    except struct.error as error:
        raise ProtocolError(f"a frame of {len(frame)} bytes is too short") from error
    raise ProtocolError(f"a frame begins with {frame[:1]!r}")


def status_update(lsn: int, now: datetime) -> bytes:
    """Return what the client answers: everything up to `lsn` has been received and need not be retained."""
    return _STATUS.pack(b"r", lsn, lsn, lsn, (now - _EPOCH) // timedelta(microseconds=1), 0)


class Decoder:
    """Decodes one connection's messages; it knows the relations that were announced on it."""

    def __init__(self) -> None:
        self._relations: dict[int, Relation] = {}

    def decode(self, message: bytes) -> Message:
        """Raises `ProtocolError` for bytes that are no message."""
        reader = _Reader(message)
        try:
            return self._decode(reader)
        except (struct.error, IndexError, KeyError, UnicodeDecodeError, OverflowError) as error:
            raise ProtocolError(f"message {message[:1]!r} of {len(message)} bytes: {error!r}") from error

    def _decode(self, reader: _Reader) -> Message:
        kind = reader.letter()
        if kind == "I":
            relation = self._relations[reader.uint32()]
            reader.expect("N")
            return Insert(relation, reader.values())
        if kind == "U":
            return self._update(reader)
        if kind == "D":
            relation = self._relations[reader.uint32()]
            marker = reader.letter()
            if marker not in ("K", "O"):
                raise ProtocolError(f"a deleted row begins with {marker!r}")
            return Delete(relation, reader.values(), marker == "K")
        if kind == "B":
            lsn, micros, transaction = reader.unpack(_BEGIN)
            return Begin(lsn, _time(micros), transaction)
        if kind == "C":
            _, lsn, end, micros = reader.unpack(_COMMIT)
            return Commit(lsn, end, _time(micros))
        if kind == "R":
            relation = _relation(reader)
            self._relations[relation.id] = relation
            return relation
        if kind == "T":
            count = reader.uint32()
            reader.skip(1)
            return Truncate(tuple(self._relations[reader.uint32()] for _ in range(count)))
        if kind in ("Y", "O", "M"):
            return None
        raise ProtocolError(f"a message begins with {kind!r}")

    def _update(self, reader: _Reader) -> Update:
        relation = self._relations[reader.uint32()]
        marker = reader.letter()
        old = None
        if marker in ("K", "O"):
            old = reader.values()
            reader.expect("N")
        elif marker != "N":
            raise ProtocolError(f"a changed row begins with {marker!r}")
        return Update(relation, old, marker == "K", reader.values())


class _Reader:
    """Walks through one message."""

    __slots__ = ("_at", "_bytes")

    def __init__(self, message: bytes) -> None:
        self._bytes = message
        self._at = 0

    def letter(self) -> str:
        self._at += 1
        return chr(self._bytes[self._at - 1])

    def expect(self, letter: str) -> None:
        actual = self.letter()
        if actual != letter:
            raise ProtocolError(f"{actual!r} where {letter!r} belongs")

    def skip(self, count: int) -> None:
        self._at += count

    def unpack(self, form: struct.Struct) -> tuple[int, ...]:
        values = form.unpack_from(self._bytes, self._at)
        self._at += form.size
        return values

    def uint32(self) -> int:
        return self.unpack(_INT32)[0] & 0xFFFFFFFF

    def text(self) -> str:
        end = self._bytes.find(b"\0", self._at)
        if end < 0:
            raise ProtocolError("a name has no end")
        text = self._bytes[self._at : end].decode()
        self._at = end + 1
        return text

    def values(self) -> Values:
        (count,) = self.unpack(_INT16)
        return tuple([self._value() for _ in range(count)])

    def _value(self) -> Value:
        kind = self.letter()
        if kind == "t":
            (length,) = self.unpack(_INT32)
            start = self._at
            self._at += length
            if length < 0 or self._at > len(self._bytes):
                raise ProtocolError(f"a value of {length} bytes is cut off")
            return self._bytes[start : self._at]
        if kind == "n":
            return None
        if kind == "u":
            return UNCHANGED
        raise ProtocolError(f"a value begins with {kind!r}")


def _relation(reader: _Reader) -> Relation:
    number = reader.uint32()
    # pg_catalog comes as an empty name.
    schema = reader.text() or "pg_catalog"
    table = reader.text()
    identity = _IDENTITIES[reader.letter()]
    (count,) = reader.unpack(_INT16)
    return Relation(number, schema, table, identity, tuple([_column(reader) for _ in range(count)]))


def _column(reader: _Reader) -> Column:
    key = reader.letter() == "\x01"
    name = reader.text()
    type_id, modifier = reader.unpack(_COLUMN)
    return Column(name, type_id, modifier, key)


def _time(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


Action = Literal["INSERT", "UPDATE", "DELETE"]


def action_of(change: RowChange) -> Action:
    """The SQL command that made it."""
    if isinstance(change, Insert):
        return "INSERT"
    return "UPDATE" if isinstance(change, Update) else "DELETE"
