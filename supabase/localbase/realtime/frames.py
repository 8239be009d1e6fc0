"""Phoenix's messages as frames: version 1.0.0 has objects, 2.0.0 arrays and binary frames for broadcasts.

Formats: Phoenix's `V1.JSONSerializer`, Realtime's `socket/v2_serializer.ex`. Every fault of a client's frame is a
`MalformedMessage`: the message is dropped, the connection lives on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeGuard

from localbase.core.json_text import limit_marks, read_json
from localbase.core.web.sockets import binary_frame, text_frame

Version = Literal["1.0.0", "2.0.0"]
Ref = str | int | None

_PUSH, _BROADCAST = 3, 4
_LARGEST_SIZE = 255


class MalformedMessage(Exception):
    """A frame that is no message of the protocol."""


@dataclass(frozen=True, slots=True)
class Message:
    """A client's message. `payload` is any JSON, or the contents of a binary frame."""

    join_ref: Ref
    ref: Ref
    topic: str
    event: str
    payload: Any


@dataclass(frozen=True, slots=True)
class BinaryPush:
    """A broadcast that came in a binary frame. `data` is JSON as it came, or any bytes (`is_json`)."""

    event: str
    data: bytes
    is_json: bool


def dump_json(value: Any) -> bytes:
    """Compact UTF-8 JSON. Raises `MalformedMessage` for numbers that JSON has no form for, and for depth."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise MalformedMessage(str(error)) from error


MOST_MARKS = 150_000
"""Commas and colons of one frame: with more, 3 MB of JSON would take more than a tenth of a second to read."""


# What comes.


def decode(version: Version, data: str | bytes) -> Message:
    """The message in a frame. Raises `MalformedMessage`."""
    if isinstance(data, bytes):
        if version == "1.0.0":
            raise MalformedMessage("version 1.0.0 has no binary frames")
        return _decode_binary(data)
    try:
        value = read_json(data, MOST_MARKS)
    except ValueError as error:
        raise MalformedMessage("not JSON") from error
    return _from_object(value) if version == "1.0.0" else _from_array(value)


def _from_object(value: Any) -> Message:
    if not isinstance(value, dict) or not {"topic", "event", "payload", "ref"} <= value.keys():
        raise MalformedMessage("expected an object with topic, event, payload and ref")
    return _message(value.get("join_ref"), value["ref"], value["topic"], value["event"], value["payload"])


def _from_array(value: Any) -> Message:
    if not isinstance(value, list) or len(value) < 5:
        raise MalformedMessage("expected an array of five")
    return _message(*value[:5])


def _message(join_ref: Any, ref: Any, topic: Any, event: Any, payload: Any) -> Message:
    if not (_is_ref(join_ref) and _is_ref(ref) and isinstance(topic, str) and isinstance(event, str)):
        raise MalformedMessage("a part is of the wrong type")
    return Message(join_ref, ref, topic, event, payload)


def _is_ref(value: Any) -> TypeGuard[Ref]:
    return value is None or (isinstance(value, str | int) and not isinstance(value, bool))


def _decode_binary(data: bytes) -> Message:
    if len(data) < 7 or data[0] != _PUSH:
        raise MalformedMessage("unknown kind of binary frame")
    sizes, encoding = data[1:6], data[6]
    parts, at = [], 7
    for size in sizes:
        parts.append(data[at : at + size])
        at += size
    if at > len(data):
        raise MalformedMessage("the frame ends early")
    payload = data[at:]
    try:
        join_ref, ref, topic, event, metadata = [part.decode() for part in parts]
        if encoding:
            _check_json(payload.decode())
        if metadata:
            _check_json(metadata)
    except ValueError as error:
        raise MalformedMessage("not UTF-8, or no JSON") from error
    push = BinaryPush(event, payload, bool(encoding))
    return Message(join_ref or None, ref or None, topic, "broadcast", push)


def _check_json(text: str) -> None:
    """Raises `ValueError` for what is no JSON: it is passed on as it is, also inside of other JSON."""
    limit_marks(text, MOST_MARKS)
    try:
        json.loads(text, parse_constant=_reject_constant)
    except RecursionError as error:
        raise ValueError("JSON is nested too deeply") from error


def _reject_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


# What goes.


def encode_message(
    version: Version, join_ref: Ref, ref: Ref, topic: str, event: str, payload: bytes
) -> bytes:
    """A frame of text. `payload` is JSON."""
    if version == "1.0.0":
        head = b'{"topic":%b,"event":%b,"payload":' % (dump_json(topic), dump_json(event))
        return text_frame(b'%b%b,"ref":%b}' % (head, payload, dump_json(ref)))
    head = dump_json([join_ref, ref, topic, event])[:-1]
    return text_frame(b"%b,%b]" % (head, payload))


def encode_reply(
    version: Version, message: Message, status: Literal["ok", "error"], response: bytes = b"{}"
) -> bytes:
    """The answer to `message`. `response` is a JSON object."""
    payload = b'{"status":"%b","response":%b}' % (status.encode(), response)
    return encode_message(version, message.join_ref, message.ref, message.topic, "phx_reply", payload)


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A message for all of a topic.

    `data` is the JSON object that clients get, where there is no `event`; else what one client has sent under the name
    `event`: JSON, or any bytes. `id` is the row's in `realtime.messages`, where it has one; `replayed` says that it is
    an earlier one.
    """

    data: bytes
    event: str | None = None
    is_json: bool = True
    id: str | None = None
    replayed: bool = False

    def encode(self, version: Version, topic: str) -> bytes | None:
        """The frame for a client that has joined `topic`; None where its version has no form for these bytes."""
        if self.event is None:
            return encode_message(version, None, None, topic, "broadcast", self.data)
        if version == "2.0.0":
            parts = topic.encode(), self.event.encode(), self._meta()
            if max(len(part) for part in parts) <= _LARGEST_SIZE:
                sizes = bytes([len(part) for part in parts])
                head = bytes([_BROADCAST]) + sizes + bytes([self.is_json])
                return binary_frame(head + b"".join(parts) + self.data)
        return self._as_text(version, topic) if self.is_json else None

    def _as_text(self, version: Version, topic: str) -> bytes:
        meta = self._meta()
        payload = b'{"event":%b,"payload":%b,"type":"broadcast"%b}' % (
            dump_json(self.event),
            self.data,
            b',"meta":' + meta if meta else b"",
        )
        return encode_message(version, None, None, topic, "broadcast", payload)

    def _meta(self) -> bytes:
        if self.id is None:
            return b""
        return dump_json({"replayed": True, "id": self.id} if self.replayed else {"id": self.id})
