"""Frames of both versions of the protocol."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.core.web.sockets import binary_frame, text_frame
from localbase.realtime.frames import (
    BinaryPush,
    Broadcast,
    MalformedMessage,
    Message,
    Version,
    decode,
    encode_message,
    encode_reply,
)

BOTH: tuple[Version, ...] = ("1.0.0", "2.0.0")


def text_of(frame: bytes) -> object:
    """The JSON of a short frame of text."""
    assert frame[:1] == b"\x81"
    return json.loads(frame[2:] if frame[1] < 126 else frame[4:])


def test_message_of_version_1_is_an_object() -> None:
    data = '{"topic":"t","event":"e","payload":{"a":1},"ref":"2","join_ref":"1","more":0}'
    assert decode("1.0.0", data) == Message("1", "2", "t", "e", {"a": 1})
    assert decode("1.0.0", '{"topic":"t","event":"e","payload":null,"ref":7}') == Message(
        None, 7, "t", "e", None
    )


def test_message_of_version_2_is_an_array() -> None:
    assert decode("2.0.0", '["1","2","t","e",{"a":1},"more"]') == Message("1", "2", "t", "e", {"a": 1})


def test_binary_push_has_a_byte_for_each_size() -> None:
    frame = bytes([3, 1, 2, 1, 5, 2, 1]) + b"122" + b"t" + b"event" + b"{}" + b'{"a":1}'
    assert decode("2.0.0", frame) == Message(
        "1", "22", "t", "broadcast", BinaryPush("event", b'{"a":1}', True)
    )
    frame = bytes([3, 0, 0, 1, 1, 0, 0]) + b"te" + b"\xff"
    assert decode("2.0.0", frame) == Message(None, None, "t", "broadcast", BinaryPush("e", b"\xff", False))


@given(st.one_of(st.text(), st.binary()))
def test_any_data_is_a_message_or_malformed(data: str | bytes) -> None:
    for version in BOTH:
        try:
            assert isinstance(decode(version, data), Message)
        except MalformedMessage:
            continue


@given(st.binary(max_size=600))
def test_any_binary_push_is_a_message_or_malformed(data: bytes) -> None:
    try:
        message = decode("2.0.0", b"\x03" + data)
    except MalformedMessage:
        return
    assert message.event == "broadcast"


def test_messages_are_encoded_in_both_versions() -> None:
    assert text_of(encode_message("1.0.0", "1", "2", "t", "e", b"{}")) == {
        "topic": "t",
        "event": "e",
        "payload": {},
        "ref": "2",
    }
    assert text_of(encode_message("2.0.0", "1", "2", "t", "e", b"{}")) == ["1", "2", "t", "e", {}]


def test_reply_has_the_references_of_its_message() -> None:
    message = Message("1", "2", 'to"pic', "e", None)
    payload = {"status": "error", "response": {"reason": "x"}}
    frame = encode_reply("2.0.0", message, "error", b'{"reason":"x"}')
    assert text_of(frame) == ["1", "2", 'to"pic', "phx_reply", payload]


def test_broadcast_of_a_text_message_is_passed_on_as_it_came() -> None:
    broadcast = Broadcast(b'{"event":"e"}')
    assert text_of(broadcast.encode("2.0.0", "t") or b"") == [None, None, "t", "broadcast", {"event": "e"}]


def test_broadcast_under_a_name_is_binary_in_version_2_and_text_in_version_1() -> None:
    broadcast = Broadcast(b'{"a":1}', "e", id="7")
    meta = b'{"id":"7"}'
    assert broadcast.encode("2.0.0", "t") == binary_frame(
        bytes([4, 1, 1, len(meta), 1]) + b"te" + meta + b'{"a":1}'
    )
    payload = {"event": "e", "payload": {"a": 1}, "type": "broadcast", "meta": {"id": "7"}}
    assert text_of(broadcast.encode("1.0.0", "t") or b"") == {
        "topic": "t",
        "event": "broadcast",
        "payload": payload,
        "ref": None,
    }


def test_bytes_have_no_form_in_version_1_nor_under_a_long_name() -> None:
    assert Broadcast(b"\xff", "e", is_json=False).encode("1.0.0", "t") is None
    assert Broadcast(b"\xff", "e" * 256, is_json=False).encode("2.0.0", "t") is None
    assert Broadcast(b"{}", "e" * 256).encode("2.0.0", "t") is not None


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_frame_of_any_length_is_one_frame(size: int) -> None:
    frame = text_frame(b"x" * size)
    assert frame.endswith(b"x" * size)
    assert len(frame) - size == (2 if size < 126 else 4 if size < 65536 else 10)
