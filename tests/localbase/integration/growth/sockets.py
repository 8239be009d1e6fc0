"""Every event of Realtime's WebSocket, in both versions of its frames, with what a client chooses in hostile shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

import localbase.realtime
from localbase.realtime.frames import MOST_MARKS as _MOST_MARKS
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.localbase.integration.growth import shapes
from tests.localbase.integration.growth.measure import Server
from tests.localbase.integration.growth.shapes import Shape, most_read, numbered, times
from tests.support.stacks import Stack

MOST_BYTES = 3 << 20
# What is quadratic in a message shows at a megabyte too. The long form takes all of it at every place.
_MOST_IN_TURN = 1 << 20
_VERSIONS = ("1.0.0", "2.0.0")
_TOPIC = "realtime:growth"
_JOIN = '["1","1","realtime:growth","phx_join",{"config":{"presence":{"enabled":true}}}]'
_BEAT, _BEAT_REPLY = '[null,"beat","phoenix","heartbeat",{}]', '"beat"'
_BEAT_1 = '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"beat"}'
_JOIN_1 = f'{{"topic":"{_TOPIC}","event":"phx_join","payload":{{"config":{{}}}},"ref":"1","join_ref":"1"}}'
_CHANGES: Mapping[str, Shape] = {
    "many entries": numbered('{"a":#}', ",", "[", "]"),
    "many filters": numbered('{"schema":"public","table":"a","filter":"a=eq.#"}', ",", "[", "]"),
    "repeated entry": times('{"schema":"public"},', "[", "{}]"),
    "one long filter": times("a", '[{"schema":"public","table":"a","filter":"a=eq.', '"}]'),
    "one long list": times("1,", '[{"schema":"public","table":"a","filter":"a=in.(', '1)"}]'),
    "many columns": times('"a",', '[{"schema":"public","table":"a","select":[', '"a"]}]'),
}


def _quoted(shape: Shape) -> Shape:
    return lambda size: b'"%b"' % shape(size - 2)


_TEXTS: Mapping[str, Shape] = {
    name: _quoted(shape) for name, shape in shapes.TEXTS.items() if name not in ("quotes", "backslashes")
}


class Place(NamedTuple):
    """The place of a shape in a message: `payload` has it for its `%s`, `event` or `topic` may too."""

    event: str
    payload: str
    shapes: Mapping[str, Shape] = shapes.JSON
    topic: str = _TOPIC
    # Its client is in the channel.
    joined: bool = True


PLACES: Mapping[str, Place] = {
    "phx_join": Place("phx_join", "%s", joined=False),
    "phx_join, its config": Place("phx_join", '{"config":%s}', joined=False),
    "phx_join, its changes": Place(
        "phx_join", '{"config":{"postgres_changes":%s}}', {**shapes.JSON, **_CHANGES}, joined=False
    ),
    "phx_join, its replay": Place(
        "phx_join", '{"config":{"private":true,"broadcast":{"replay":%s}}}', joined=False
    ),
    "phx_join, its key": Place("phx_join", '{"config":{"presence":{"key":%s}}}', _TEXTS, joined=False),
    "phx_join, its token": Place("phx_join", '{"access_token":%s}', _TEXTS, joined=False),
    "phx_join, its topic": Place("phx_join", "{}", _TEXTS, "%s", joined=False),
    "phx_leave": Place("phx_leave", "%s"),
    "access_token": Place("access_token", "%s"),
    "access_token, its text": Place("access_token", '{"access_token":%s}', _TEXTS),
    "heartbeat": Place("heartbeat", "%s", topic="phoenix"),
    "broadcast": Place("broadcast", "%s"),
    "broadcast, its payload": Place("broadcast", '{"type":"broadcast","event":"e","payload":%s}'),
    "presence": Place("presence", "%s"),
    "presence, its event": Place("presence", '{"type":"presence","event":%s}', _TEXTS),
    "presence track": Place("presence", '{"type":"presence","event":"track","payload":%s}'),
    "presence untrack": Place("presence", '{"type":"presence","event":"untrack","payload":%s}'),
    "an unknown event": Place("nothing", "%s"),
    "a long event": Place("%s", "{}", _TEXTS),
    "a topic that is not joined": Place("broadcast", "%s", topic="realtime:other"),
}


class SocketRow(NamedTuple):
    """A message of any size; `version` is its serializer's."""

    name: str
    version: str
    make: Callable[[int], str | bytes]
    most: int
    joined: bool


def socket_rows(*, in_turn: bool = False) -> Iterator[SocketRow]:
    """Every place in every shape: as an object and as an array, and in binary frames.

    `in_turn` as one of the two, and as large as is read only at the first place: all are decoded by the same code.
    """
    turns = cycle(_VERSIONS)
    for number, (name, place) in enumerate(PLACES.items()):
        most_bytes = _MOST_IN_TURN if in_turn and number else MOST_BYTES
        for shape_name, shape in place.shapes.items():
            most = most_read(shape, _MOST_MARKS, most_bytes)
            for version in (next(turns),) if in_turn else _VERSIONS:
                make = _text(place, shape, version)
                yield SocketRow(f"{name}: {shape_name}, {version}", version, make, most, place.joined)
    for shape_name, shape in shapes.JSON.items():
        most = most_read(shape, _MOST_MARKS, MOST_BYTES)
        for encoding in (0, 1):
            make_binary = _binary(shape, encoding)
            yield SocketRow(
                f"binary broadcast {encoding}: {shape_name}", "2.0.0", make_binary, most, joined=True
            )


def events_of_the_code() -> set[str]:
    """Return what the code compares a message's event with."""
    folder = Path(cast(Any, localbase.realtime.__file__)).parent
    source = "".join(
        (folder / f"{name}.py").read_text()
        for name in ("session", "channel/channel", "channel/presence_messages")
    )
    return set(re.findall(r'event(?:\.lower\(\))? == "(\w+)"', source))


def _text(place: Place, shape: Shape, version: str) -> Callable[[int], str]:
    def make(size: int) -> str:
        value = shape(size - 200).decode()
        payload = place.payload.replace("%s", value)
        topic, event = (value if text == "%s" else f'"{text}"' for text in (place.topic, place.event))
        if version == "2.0.0":
            return f'["1","2",{topic},{event},{payload}]'
        return f'{{"topic":{topic},"event":{event},"payload":{payload},"ref":"2","join_ref":"1"}}'

    return make


def _binary(shape: Shape, encoding: int) -> Callable[[int], bytes]:
    head = bytes((3, 1, 1, len(_TOPIC), 1, 0, encoding)) + b"12" + _TOPIC.encode() + b"e"
    return lambda size: head + shape(size - len(head))


class RealtimeSocket:
    """The cost of one message.

    Each has a connection of its own, where a heartbeat's reply says when it is done with.
    """

    def __init__(self, stack: Stack, server: Server) -> None:
        self._server = server
        self._address = stack.api_url.replace("http", "ws", 1) + "/realtime/v1/websocket?"
        self._key = stack.publishable_key

    def cost(self, row: SocketRow, size: int) -> tuple[float, int]:
        """Seconds of the server's processor time; the status is that of the WebSocket."""
        message = row.make(size)
        address = self._address + urlencode({"apikey": self._key, "vsn": row.version})
        with connect(address, compression=None, max_size=None, close_timeout=2) as socket:
            if row.joined:
                socket.send(_JOIN if row.version == "2.0.0" else _JOIN_1)
                while '"ok"' not in str(socket.recv(timeout=30)):
                    pass
            before = self._server.clock()
            try:
                socket.send(message)
                socket.send(_BEAT if row.version == "2.0.0" else _BEAT_1)
                while _BEAT_REPLY not in str(socket.recv(timeout=30))[:200]:
                    pass
            except ConnectionClosed:
                pass
            return self._server.clock() - before, 101
