"""Takes requests apart: what many have in common, and what differs from one to the next.

The line of a request is `METHOD /rest/v1/path?query HTTP/1.1`, on the ASGI path too. The package's docstring has the
rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from localbase.rest.api_request.grammar.filter import MOST_ITEMS
from localbase.rest.api_request.payload import decode_json, is_json_object, keys_of
from localbase.rest.errors import RestError

MOUNT = b"/rest/v1"
LONGEST_LINE = 4096
"""Longer request lines are neither split nor cached."""

_OPERATOR = (
    rb"(?:not\.)?(?:eq|neq|gte?|lte?|like|ilike|match|imatch|in|cs|cd|ov|sl|sr|nxr|nxl|adj|isdistinct|fts|plfts|phfts|wfts)"
    rb"(?:\(\w+\))?\."
)
# Printable ASCII without #, & and ;.
_OPERAND = rb"([!\"$%'-:<-~]*)"
_FILTERS = re.compile(rb"(=" + _OPERATOR + rb")" + _OPERAND)
# Of a call by GET also the values without an operator, which are arguments, unless the name is the query's own.
_OWN_NAME = rb"(?:[^=&]*\.)?(?:order|limit|offset|and|or)=|(?:select|columns|on_conflict|apikey)="
_ARGUMENTS = re.compile(
    rb"([?&](?!" + _OWN_NAME + rb")[^=&? ]*=(?:" + _OPERATOR + rb")?)" + _OPERAND
)  # fmt: skip
_FAST_LINE = re.compile(
    rb"(?:GET|POST|PATCH|DELETE) " + MOUNT + rb"/[A-Za-z0-9_/-]*(?:\?[!\"$-~]*)? HTTP/1\.1"
)  # fmt: skip

# Lists whose items are operands of their own: few items without quotes, escapes and a blank in front.
_ITEM = rb"(?:[\w.:~*-]|%(?!5[Cc])[4-9A-Fa-f][0-9A-Fa-f])(?:[\w.:~*+-]|%(?!2[289Cc]|5[Cc]|00)[0-9A-Fa-f]{2})*"
_LIST_SIGNS = ((b"(", b",", b")"), (b"%28", b"%2C", b"%29"))
_SHORT_LISTS = {
    opening: re.compile(
        b"%b%b(?:%b%b){0,%d}%b"
        % (re.escape(opening), _ITEM, comma, _ITEM, MOST_ITEMS - 1, re.escape(closing))
    )
    for opening, comma, closing in _LIST_SIGNS
}

_NO_OPERANDS: tuple[bytes, ...] = ()

BodyKeys = tuple[tuple[str, ...] | None, bool]
"""Of a JSON body: the keys of its objects, unless the query names the columns; whether it is one object."""


class RequestParts(NamedTuple):
    """A request taken apart. `constants` are the line's: text, operator, text, operator … text."""

    constants: Sequence[bytes]
    operands: Sequence[bytes]
    body_keys: BodyKeys | None


def split_request(line: bytes, body: bytes) -> RequestParts | None:
    """The parts; None for a request that is parsed each time: a long one, or one with an unusual body."""
    if len(line) > LONGEST_LINE:
        return None
    body_keys = None
    if line.startswith(b"P"):
        if body:
            body_keys = _split_body(body, columns_named=b"columns" in line)
            if body_keys is None:
                return None
        pattern = _FILTERS
    else:
        pattern = _ARGUMENTS if b"/rpc/" in line else _FILTERS
    constants = pattern.split(line)
    if len(constants) == 1:
        return RequestParts(constants, _NO_OPERANDS, body_keys)
    operands = constants[2::3]
    del constants[2::3]
    if b"in.(" in line or b"in.%28" in line:
        constants, operands = _split_lists(constants, operands)
    return RequestParts(constants, operands, body_keys)


def _split_lists(constants: list[bytes], operands: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """With an operand for each item of a short list: its brackets and commas are constant parts."""
    parts, items = [constants[0]], []
    for operator, operand, text in zip(constants[1::2], operands, constants[2::2], strict=True):
        opening, comma, closing = _LIST_SIGNS[operand.startswith(b"%")]
        if operator.endswith(b"in.") and _SHORT_LISTS[opening].fullmatch(operand):
            list_items = operand[len(opening) : -len(closing)].split(comma)
            items += list_items
            parts += (operator + opening, *(b"", comma) * (len(list_items) - 1), closing + text)
        else:
            items.append(operand)
            parts += (operator, text)
    return parts, items


def _split_body(body: bytes, *, columns_named: bool) -> BodyKeys | None:
    """The keys in the body's own order; None for a body that is parsed each time."""
    if columns_named:
        # Nothing else of the body decides: Postgres reads it.
        return None if b"\0" in body else (None, is_json_object(body))
    try:
        value = decode_json(body)
    except RestError:
        return None
    keys = keys_of(value)
    return None if keys is None else (tuple(keys), type(value) is dict)


def is_for_fast_path(line: bytes) -> bool:
    """Tell whether the fast path takes requests with this line: everyday methods and characters only."""
    return _FAST_LINE.fullmatch(line) is not None
