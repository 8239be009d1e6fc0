"""Input that no client sends on purpose, at every door: none is a 500, and none leaves a traceback.

Each door has a list of odd messages, and gets any number of others, in which several things are odd at once. The short
form takes some of the list. SEED is another course of both.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.localbase.integration.growth.doors import Door
from tests.localbase.integration.growth.measure import Message, Server
from tests.localbase.integration.growth.test_growth import SERVICES, doors_of
from tests.support.random_cases import TIMES
from tests.support.stacks import Stack

_SEED = int(os.environ.get("SEED", "26"))
# Of each door, in the short form and in each of the long form's rounds.
_LISTED, _RANDOM = 6, 8

_VALUES: tuple[object, ...] = (
    *("\0", "\ud800", "x" * 5000, "\n", "%00", "../..", "9" * 400, ""),
    *(None, True, -1, 10**400, 1.5, [], {}, ["\0"], {"\0": "\0"}, [[[]]]),
)
_BODIES = (
    *(b"", b"null", b"[]", b"0", b'"a"', b"{", b"\xff\xfe{}", b'{"\\u0000":"\\u0000"}', b"1e999", b"NaN"),
    *(b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000, "\ufeff{}".encode(), "{}".encode("utf-16")),
)
_PARTS = ("%00", "%ed%a0%80", "%ff", "x" * 5000, "%2e%2e", "a%2fb", "%", "9" * 400, "%0a", "a" * 300)
_QUERIES = (
    "a=%00",
    "%00=1",
    "a=%ed%a0%80",
    "limit=" + "9" * 400,
    "page=-1",
    "per_page=" + "9" * 30,
    "offset=NaN",
)
_MEDIA = (
    "",
    "application/json; charset=utf-16",
    "multipart/form-data",
    "a" * 5000,
    "text/csv",
    "application/x-www-form-urlencoded",
)


def _messages(door: Door) -> Iterator[tuple[str, Message]]:
    for query in _QUERIES if door.queries else ():
        yield f"query {query[:20]}", Message(door.head(query=query.encode()))
    path = door.path.partition("?")[0]
    parts = path.split("/")
    for part in _PARTS:
        for place in range(2, len(parts)):
            odd = "/".join([*parts[:place], part, *parts[place + 1 :]])
            yield f"part {place} {part[:20]}", Message(door.head(path=odd))
    if not door.bodies:
        return
    for body in _BODIES:
        yield f"body {body[:20]!r}", _with_body(door, body)
    for media in (*_MEDIA, f"multipart/form-data; boundary={'b' * 5000}"):
        yield f"media type {media[:40]}", _with_body(door, b"--b\r\n\r\n\0\r\n--b--", media)
    for name in door.fields:
        for value in _VALUES:
            yield f"{name} {str(value)[:20]!r}", _with_body(door, json.dumps({name: value}).encode())
    for value in _VALUES:
        everywhere = json.dumps(dict.fromkeys(door.fields, value)).encode()
        yield f"all fields {str(value)[:20]!r}", _with_body(door, everywhere)


def _with_body(door: Door, body: bytes, media: str = "application/json") -> Message:
    return Message(door.head(lines=(("content-type", media), ("content-length", str(len(body))))), body)


_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "ODD-ONE")
_HEADERS = (
    *("authorization", "apikey", "range", "prefer", "accept", "accept-profile", "content-profile", "origin"),
    *("content-encoding", "accept-encoding", "if-none-match", "if-modified-since", "x-forwarded-for"),
    *("cookie", "expect", "upload-length", "upload-offset", "upload-metadata", "tus-resumable", "x-metadata"),
    *("x-upsert", "cache-control", "x-amz-date", "x-amz-content-sha256", "x-amz-decoded-content-length"),
    *("x-amz-copy-source", "x-amz-meta-a", "content-md5", "x-client-info", "x-supabase-api-version"),
)
_TEXTS = (
    *(
        "",
        " ",
        "-1",
        "0",
        "9" * 400,
        "1e999",
        "NaN",
        "\xff\xfe",
        "\xed\xa0\x80",
        "\x7f",
        "%",
        "%00",
        "%ff",
        "a,b;c=d",
    ),
    *(
        "bytes=-1",
        "bytes=9-1",
        "bytes=0-" + "9" * 30,
        "Bearer",
        "Bearer a.b.c",
        "Basic =",
        "gzip",
        "*/*;q=x",
        '"',
    ),
    *("=?utf-8?q?a?=", "filename YQ==,,a", "100-continue-not", "../..", "\xa0", "(" * 300, "a=" * 300),
)
_NUMBERS = (*(0, -1, 1 << 31, 1 << 63, 1 << 64, 10**400, -(10**30), 1e308, 0.1, float("nan"), float("inf")),)


def _odd_value(random: Random, depth: int = 0) -> object:
    kind = random.randrange(6 if depth < 3 else 4)
    if kind == 0:
        return random.choice(_VALUES)
    if kind == 1:
        return random.choice(_TEXTS)
    if kind == 2:
        return random.choice(_NUMBERS)
    if kind == 3:
        return "".join(
            chr(random.choice((0, 9, 39, 65, 92, 0xD800, 0xDFFF, 0x202E, 0x1F600))) for _ in range(9)
        )
    items = [_odd_value(random, depth + 1) for _ in range(random.randrange(4))]
    return items if kind == 4 else {str(random.choice(_TEXTS)): item for item in items}


def _odd_body(door: Door, random: Random) -> bytes:
    names = door.fields or ("a", "id", "name")
    values: dict[str, object] = {**door.others}
    for name in random.sample(names, random.randint(1, min(4, len(names)))):
        values[name] = _odd_value(random)
    match random.randrange(5):
        case 0:
            return random.choice(_BODIES)
        case 1:
            pairs = [f"{name}={random.choice((*_PARTS, *_TEXTS))}" for name in (*values, *values)]
            return "&".join(pairs).encode("utf-8")
        case 2:
            # Every name twice.
            text = json.dumps(values)
            return f"{text[:-1]},{text[1:]}".encode()
        case 3:
            whole = json.dumps(values).encode()
            at = random.randrange(len(whole))
            return (
                whole[:at]
                + random.choice((b"", b"\0", b"\xff", b"\xed\xa0\x80", b"\r\n", b","))
                + whole[at + 1 :]
            )
        case _:
            return json.dumps(values).encode()


def _random_messages(door: Door, random: Random) -> Iterator[tuple[str, Message]]:
    while True:
        lines, path, query, body = [], door.path.partition("?")[0], b"", b""
        for name in random.sample((*_HEADERS, *door.headers), random.randrange(4)):
            lines.append((name, random.choice(_TEXTS)))
        if random.random() < 0.3:
            parts = path.split("/")
            parts[random.randrange(2, len(parts)) if len(parts) > 2 else -1] = random.choice(_PARTS)
            path = "/".join(parts)
        if random.random() < 0.5 and door.queries:
            query = "&".join(random.choices((*_QUERIES, "a", "=", "select=%00"), k=2)).encode()
        if door.bodies:
            body = _odd_body(door, random)
            media = random.choice((*_MEDIA, "application/json", "application/json", "application/json"))
            lines += [("content-type", media), ("content-length", str(len(body)))]
        method = random.choice(_METHODS) if random.random() < 0.15 else door.method
        odd = replace(door, method=method)
        yield (
            f"{method} {path[:60]} {query!r} {lines!r} {body[:300]!r}",
            Message(odd.head(query=query, path=path, lines=tuple(lines)), body),
        )


@pytest.mark.parametrize("service", SERVICES)
def test_odd_input_is_no_500(doors: Stack, token: str, servers: dict[str, Server], service: str) -> None:
    logs = [doors.state / "logs" / f"{name}.log" for name in ("gateway", "studio")]
    before = [path.stat().st_size for path in logs]
    failed = []
    for door in doors_of(service, doors, token):
        random = Random(f"{_SEED} {door.name}")
        listed = list(_messages(door))
        if TIMES == 1:
            listed = random.sample(listed, min(_LISTED, len(listed)))
        others = itertools.islice(_random_messages(door, random), _RANDOM * TIMES)
        for name, message in itertools.chain(listed, others):
            status = servers[service].cost(message)[1]
            if not 200 <= status < 500 and status != 501:
                failed.append(f"{door.name}: {name}: {status}")
    written = "".join(path.read_text()[size:] for path, size in zip(logs, before, strict=True))
    assert not failed, "\n".join(failed) + written[-3000:]
    assert "Traceback" not in written
