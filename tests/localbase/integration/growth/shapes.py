"""Hostile shapes of what a message can carry: many items, deep nesting, one long item, repeated names.

Each makes a text of about `size` bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache

Shape = Callable[[int], bytes]


def times(unit: str, begin: str = "", end: str = "") -> Shape:
    def make(size: int) -> bytes:
        room = size - len(begin) - len(end)
        return (begin + unit * (room // len(unit)) + end).encode()

    return make


def numbered(unit: str, separator: str, begin: str = "", end: str = "") -> Shape:
    @lru_cache(maxsize=2)
    def make(size: int) -> bytes:
        count = (size - len(begin) - len(end)) // (len(unit) + 6)
        return (begin + separator.join([unit.replace("#", f"{n:06}") for n in range(count)]) + end).encode()

    return make


def nested(opening: str, closing: str, middle: str = "", begin: str = "", end: str = "") -> Shape:
    def make(size: int) -> bytes:
        depth = (size - len(begin + middle + end)) // len(opening + closing)
        return (begin + opening * depth + middle + closing * depth + end).encode()

    return make


def most_read(shape: Shape, marks: int, most: int) -> int:
    """The largest size, up to `most`, in which a JSON shape has fewer than so many marks (`core.json_text`)."""
    sample = shape(20_000)
    found = sum(sample.count(mark) for mark in (b",", b":", b"\\ud"))
    return min(most, int(0.98 * marks * len(sample) / found)) if found > 20 else most


TEXTS: Mapping[str, Shape] = {
    "one letter": times("a"),
    "blanks": times(" "),
    "commas": times("a,"),
    "semicolons": times(";a=b", "a"),
    "quotes": times('"'),
    "backslashes": times("\\"),
    "equals": times("="),
    "dots": times("a."),
    "dashes": times("-"),
    "slashes": times("/"),
    "brackets": times("("),
    "digits": times("9"),
    "at signs": times("a@"),
    "colons": times(":"),
}
"""What a header or one field may be."""

PATHS: Mapping[str, Shape] = {
    "one letter": times("a"),
    "segments": times("a/"),
    "slashes": times("/"),
    "dot segments": times("%2e%2e/"),
    "escapes": times("%41"),
    "halves of escapes": times("%"),
}

QUERIES: Mapping[str, Shape] = {
    "many parameters": numbered("p#=1", "&"),
    "repeated parameter": times("a=1&"),
    "parameters without values": times("a&"),
    "separators": times("&;"),
    "one long value": times("a", "a="),
    "escapes": times("%41", "a="),
    "halves of escapes": times("%", "a="),
    "plus signs": times("+", "a="),
}

JSON: Mapping[str, Shape] = {
    "many numbers": times("1,", '{"a":[', "1]}"),
    "many objects": times("{},", '{"a":[', "{}]}"),
    "deep lists": nested("[", "]"),
    "deep objects": nested('{"a":', "}", "1"),
    "unclosed lists": times("["),
    "many names": numbered('"n#":1', ",", "{", "}"),
    "repeated name": times('"a":1,', "{", '"a":1}'),
    "one long text": times("a", '{"a":"', '"}'),
    "escapes": times("\\u0041", '{"a":"', '"}'),
    "halves of surrogates": times("\\ud800", '{"a":"', '"}'),
    "one long number": times("9", '{"a":', "}"),
    "a long fraction": times("9", '{"a":0.', "}"),
    "blanks": times(" ", "{", "}"),
    "no JSON": times("a"),
}

FORM: Mapping[str, Shape] = {
    "many fields": numbered("f#=1", "&"),
    "repeated field": times("a=1&"),
    "separators": times("&"),
    "one long value": times("a", "a="),
    "escapes": times("%41", "a="),
    "halves of escapes": times("%", "a="),
}

BOUNDARY = "xYzZY"
_PART = f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="#"\r\n\r\n1\r\n'
_FIELD = f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n'
MULTIPART: Mapping[str, Shape] = {
    "many fields": numbered(_PART, ""),
    "repeated field": times(_PART),
    "one long field": times("a", _FIELD),
    "line ends": times("\r\n", _FIELD),
    "beginnings of the boundary": times(f"\r\n--{BOUNDARY[:-1]}", _FIELD),
    "many headers": numbered("h#: 1\r\n", "", f"--{BOUNDARY}\r\n"),
    "one long header": times("a", f"--{BOUNDARY}\r\ncontent-disposition: form-data; name="),
    "many options": times(";a=b", f"--{BOUNDARY}\r\ncontent-disposition: form-data", "\r\n\r\n"),
    "preamble": times("a"),
    "hyphens": times("-"),
}

XML: Mapping[str, Shape] = {
    "many records": times("<Object><Key>a</Key></Object>", "<Delete>", "</Delete>"),
    "deep": nested("<a>", "</a>"),
    "attributes": numbered("a#=''", " ", "<Delete ", "/>"),
    "repeated attribute": times("a='' ", "<Delete ", "/>"),
    "one long text": times("a", "<Delete><Object><Key>", "</Key></Object></Delete>"),
    "one long name": times("a", "<"),
    "entities": times("&lt;", "<Delete><Object><Key>", "</Key></Object></Delete>"),
    "comments": times("<!---->", "<Delete>", "</Delete>"),
    "namespaces": numbered("xmlns:a#='b'", " ", "<Delete ", "/>"),
    "declarations": times("<!ENTITY a 'b'>", "<!DOCTYPE a [", "]><a/>"),
    "unclosed": times("<a>"),
    "unclosed attribute": times("a", "<Delete a='"),
}

CSV: Mapping[str, Shape] = {
    "many lines": times("1\n", "a\n"),
    "many columns": times("a,"),
    "many rows of columns": times("1,2,3\n", "a,b,c\n"),
    "quotes": times('"'),
    "one long field": times("a"),
}

CHUNKS: Mapping[str, Shape] = {
    "chunks of a byte": times("1\r\na\r\n", end="0\r\n\r\n"),
    "extensions": times("1;a=b\r\na\r\n", end="0\r\n\r\n"),
    "a long extension": times("a", "1;", "\r\na\r\n0\r\n\r\n"),
    "trailers": times("a: b\r\n", "0\r\n", "\r\n"),
}


def within(name: str, others: Mapping[str, object], shape: Shape) -> Shape:
    """A JSON object of `others` with the shape, a text, in the field of this name."""
    begin = json.dumps({key: value for key, value in others.items() if key != name})[:-1]
    begin += f'{", " if begin != "{" else ""}"{name}":"'

    def make(size: int) -> bytes:
        value = shape(size - len(begin) - 2)
        if b"\\" in value or b'"' in value:
            value = json.dumps(value[: len(value) // 2].decode()).encode()[1:-1]
        return b'%b%b"}' % (begin.encode(), value)

    return make
