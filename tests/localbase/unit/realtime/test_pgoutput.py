"""The decoder of `pgoutput`: recorded messages, any values there and back, and bytes that are no message."""

from __future__ import annotations

import struct
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.realtime.log.pgoutput import (
    UNCHANGED,
    Begin,
    Column,
    Commit,
    Decoder,
    Delete,
    Insert,
    KeepAlive,
    ProtocolError,
    Relation,
    Truncate,
    Unchanged,
    Update,
    Value,
    WalData,
    parse_frame,
    status_update,
)

# As Postgres 18 sends them: a table `t1 (id int primary key, name text)` in `public`, number 17327.
RELATION = bytes.fromhex(
    "52000043af7075626c6963007431006400020169640000000017ffffffff006e616d650000000019ffffffff"
)
T1 = Relation(17327, "public", "t1", "default", (Column("id", 23, -1, True), Column("name", 25, -1, False)))
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def decoder() -> Decoder:
    made = Decoder()
    assert made.decode(RELATION) == T1
    return made


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("49000043af4e0002740000000131740000000161", Insert(T1, (b"1", b"a"))),
        ("49000043af4e00027400000001316e", Insert(T1, (b"1", None))),
        ("55000043af4e000274000000013175", Update(T1, None, False, (b"1", UNCHANGED))),
        (
            "55000043af4b00027400000001316e4e0002740000000132740000000161",
            Update(T1, (b"1", None), True, (b"2", b"a")),
        ),
        (
            "55000043af4f00027400000001317400000001614e0002740000000131740000000162",
            Update(T1, (b"1", b"a"), False, (b"1", b"b")),
        ),
        ("44000043af4b00027400000001316e", Delete(T1, (b"1", None), True)),
        ("44000043af4f0002740000000131740000000161", Delete(T1, (b"1", b"a"), False)),
        ("540000000100000043af", Truncate((T1,))),
        (
            "42" + "00000000016b3f40" + "0002c0c3ed3ae800" + "000002ee",
            Begin(0x16B3F40, EPOCH + timedelta(microseconds=0x0002C0C3ED3AE800), 750),
        ),
        (
            "4300" + "00000000016b3f40" + "00000000016b3f70" + "0002c0c3ed3ae800",
            Commit(0x16B3F40, 0x16B3F70, EPOCH + timedelta(microseconds=0x0002C0C3ED3AE800)),
        ),
        ("590000432b7075626c6963006d6f6f6400", None),
    ],
)
def test_recorded_message_is_decoded(message: str, expected: object) -> None:
    assert decoder().decode(bytes.fromhex(message)) == expected


_values = st.lists(st.none() | st.just(UNCHANGED) | st.binary(max_size=40), max_size=6)


def encoded(values: list[Value]) -> bytes:
    parts = [struct.pack("!h", len(values))]
    for value in values:
        if isinstance(value, Unchanged):
            parts.append(b"u")
        elif value is None:
            parts.append(b"n")
        else:
            parts.append(b"t" + struct.pack("!i", len(value)) + value)
    return b"".join(parts)


@given(_values, _values, st.sampled_from(["K", "O"]))
def test_any_values_come_back(old: list[Value], new: list[Value], kind: str) -> None:
    head = struct.pack("!I", T1.id)
    made = decoder()
    assert made.decode(b"I" + head + b"N" + encoded(new)) == Insert(T1, tuple(new))
    assert made.decode(b"D" + head + kind.encode() + encoded(old)) == Delete(T1, tuple(old), kind == "K")
    changed = b"U" + head + kind.encode() + encoded(old) + b"N" + encoded(new)
    assert made.decode(changed) == Update(T1, tuple(old), kind == "K", tuple(new))


_name = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=20)
_columns = st.lists(
    st.builds(Column, _name, st.integers(0, 2**32 - 1), st.integers(-1, 2**31 - 1), st.booleans()), max_size=5
)


@given(
    st.integers(1, 2**32 - 1),
    _name,
    _name,
    st.sampled_from(["default", "nothing", "full", "index"]),
    _columns,
)
def test_any_relation_comes_back(
    number: int, schema: str, table: str, identity: str, columns: list[Column]
) -> None:
    message = b"R" + struct.pack("!I", number) + schema.encode() + b"\0" + table.encode() + b"\0"
    message += identity[0].encode() + struct.pack("!h", len(columns))
    for column in columns:
        message += bytes([column.key]) + column.name.encode() + b"\0"
        message += struct.pack("!Ii", column.type_id, column.modifier)
    assert Decoder().decode(message) == Relation(number, schema, table, identity, tuple(columns))


@given(st.binary(max_size=60))
def test_bytes_that_are_no_message_are_a_protocol_error(message: bytes) -> None:
    made = decoder()
    for read in (made.decode, parse_frame):
        with suppress(ProtocolError):  # any other error fails the test
            read(message)


@pytest.mark.parametrize("length", range(1, 20))
def test_message_that_is_cut_off_is_a_protocol_error(length: int) -> None:
    whole = bytes.fromhex("49000043af4e0002740000000131740000000161")
    with pytest.raises(ProtocolError):
        decoder().decode(whole[:length])


def test_change_of_an_unknown_relation_is_a_protocol_error() -> None:
    with pytest.raises(ProtocolError):
        Decoder().decode(bytes.fromhex("49000043af4e0002740000000131740000000161"))


def test_frames_of_the_stream_are_parsed() -> None:
    positions = struct.pack("!qqq", 5, 9, 0)
    assert parse_frame(b"w" + positions + b"I...") == WalData(5, b"I...")
    assert parse_frame(b"k" + struct.pack("!qqB", 7, 0, 1)) == KeepAlive(7, True)
    assert parse_frame(b"k" + struct.pack("!qqB", 7, 0, 0)) == KeepAlive(7, False)
    for broken in (b"", b"x", b"w123", b"k"):
        with pytest.raises(ProtocolError):
            parse_frame(broken)


def test_status_update_confirms_one_position() -> None:
    update = status_update(7, EPOCH + timedelta(seconds=1))
    assert update == b"r" + struct.pack("!qqqqB", 7, 7, 7, 1_000_000, 0)
