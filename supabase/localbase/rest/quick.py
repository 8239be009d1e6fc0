"""Requests whose template is known, answered without a task: operands out, statement on its way, answer rendered.

All that parsing, planning and the caller decide is kept in an `Entry`; what it gives is what `service` would give. What
has no entry, or needs more than one statement, is left to `service`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote_plus

from localbase.core.http import (
    HeaderBlock,
    QuickAnswer,
    QuickAsk,
    Response,
    Unsendable,
    has_no_body,
    lines_of,
)
from localbase.postgres.session import Batch, Result, Statement, TransactionContext, batch_of
from localbase.rest.grammar.query import quoted
from localbase.rest.payload import Payload
from localbase.rest.request import BODY
from localbase.rest.response import ResponseTemplate, render, render_page
from localbase.rest.templates import Template, can_be_cut, json_payload, without_operands

Refusal = Callable[[Exception], Response]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What requests that differ in operands only have in common, under one block of headers."""

    identity: TransactionContext
    template: Template
    rendering: ResponseTemplate
    sql: str
    # Parameters without the operands; where operands go (parameter, operand), and where the body does.
    constant: tuple[bytes | None, ...]
    slots: tuple[tuple[int, int], ...]
    body_slots: tuple[int, ...]
    # Header lines of an everyday page of rows; None for an answer of another kind.
    lines: bytes | None
    # The line of its canonical address: operands (-1: none), each with what follows it.
    located: tuple[tuple[int, bytes], ...]
    # What an error is answered with. Raises what is no refusal.
    refuse: Refusal


def entry_of(template: Template, identity: TransactionContext, refuse: Refusal) -> Entry | None:
    """The entry of a template for a caller; None where one statement does not do."""
    compiled = template.ready.compiled
    if identity.explicit or compiled.explain is not None:
        return None
    number_of = {place: number for number, place in enumerate(template.places)}
    rendering = template.ready.template
    plain = rendering.is_page and all(piece.isascii() and piece.isprintable() for piece in template.location)
    return Entry(
        identity=identity,
        template=template,
        rendering=rendering,
        sql=compiled.sql,
        constant=compiled.bind(template.values),
        slots=tuple(
            (slot, number_of[place]) for slot, place in enumerate(compiled.places) if place in number_of
        ),
        body_slots=tuple(slot for slot, place in enumerate(compiled.places) if place == BODY),
        lines=lines_of((*rendering.content, *rendering.fixed)) if plain else None,
        located=_address_line(template) if plain else (),
        refuse=refuse,
    )


class Shot(NamedTuple):
    """One request, ready to go: its entry, what goes to Postgres, its operands, and the line of its address."""

    entry: Entry
    batch: Batch
    operands: tuple[bytes, ...]
    located: bytes


def _address_line(template: Template) -> tuple[tuple[int, bytes], ...]:
    if template.ready.location is None:
        return ()
    pieces = [piece.encode() for piece in template.location]
    pieces[0] = b"content-location: " + pieces[0]
    pieces[-1] += b"\r\n"
    return tuple(zip((-1, *template.located), pieces, strict=True))


def taken_apart(ask: QuickAsk, head: HeaderBlock) -> tuple[object, tuple[bytes, ...], Payload | None] | None:
    """The entry's key, the operands and the body; None for what is always parsed."""
    method, path, query = ask.method, ask.path, ask.query
    if not can_be_cut(query) or b"apikey=" in query:
        return None
    calls = path.startswith(b"/rpc/")
    payload: Payload | None = None
    form = None
    if method in (b"POST", b"PATCH"):
        payload = json_payload(head.headers, query, ask.body, for_function=calls)
        if payload is None:
            return None
        form = payload.columns, payload.is_object
    elif ask.body:
        return None
    kept, operands = without_operands(query, arguments=calls and payload is None) if query else ((), ())
    return (head, method, path, kept, form), operands, payload


def is_plain(operand: bytes) -> bool:
    """Whether an operand is written alike in a query, in Postgres's text form and in the answer's address."""
    return operand.translate(None, b"-_.").isalnum()


def shot_of(entry: Entry, operands: tuple[bytes, ...], payload: Payload | None) -> Shot:
    """A request with its operands and body in their places."""
    # Most operands are written as they are, in the request, to Postgres and in the answer's address.
    plain = is_plain(b"".join(operands))
    texts = None if plain else [unquote_plus(operand.decode(errors="replace")) for operand in operands]
    params = entry.constant
    if operands or payload is not None:
        values = list(params)
        written = operands if texts is None else [text.encode(errors="replace") for text in texts]
        for slot, number in entry.slots:
            values[slot] = written[number]
        if payload is not None:
            for slot in entry.body_slots:
                values[slot] = payload.raw
        params = tuple(values)
    shown = operands if texts is None else [quoted(text).encode() for text in texts]
    located = b"".join(
        [part for number, piece in entry.located for part in (shown[number] if number >= 0 else b"", piece)]
    )
    return Shot(entry, batch_of(Statement(entry.sql, params), entry.identity), operands, located)


def location_of(shot: Shot) -> str | None:
    """The canonical address of a read."""
    template = shot.entry.template
    if template.ready.location is None:
        return None
    location = template.location[0]
    for number, piece in zip(template.located, template.location[1:], strict=True):
        location += quoted(unquote_plus(shot.operands[number].decode(errors="replace"))) + piece
    return location


class Pending:
    """One request on its way. Called with what came of its statement."""

    __slots__ = ("_answer", "_shot")

    def __init__(self, shot: Shot, answer: QuickAnswer) -> None:
        self._shot = shot
        self._answer = answer

    def __call__(self, result: Result | None, error: Exception | None) -> None:
        status = 0
        try:
            status, lines, body = self._page(result) or (0, b"", b"")
            if not status:
                response = self._rendered(result, error)
                status, body = response.status, response.body
                if has_no_body(status):
                    body = b""
                lines = lines_of(response.headers, None if has_no_body(status) else len(body))
        except Unsendable:
            self._answer.unsendable(status)
        except Exception:  # noqa: BLE001 - the gateway logs it with its traceback and answers 500
            self._answer.crash()
        else:
            self._answer(status, lines, body)

    def _page(self, result: Result | None) -> tuple[int, bytes, bytes] | None:
        """An everyday page of rows; None for all else."""
        shot = self._shot
        entry = shot.entry
        if result is None or entry.lines is None:
            return None
        page = render_page(entry.rendering, result)
        if page is None:
            return None
        status, shown, body = page
        lines = b"content-range: %b\r\n%b%bcontent-length: %d\r\n" % (
            shown,
            entry.lines,
            shot.located,
            len(body),
        )
        return status, lines, body

    def _rendered(self, result: Result | None, error: Exception | None) -> Response:
        entry = self._shot.entry
        try:
            if result is None:
                raise error or AssertionError("neither result nor error")
            return render(entry.rendering, result, location_of(self._shot))
        except Exception as failure:  # noqa: BLE001 - what is no refusal is raised again
            return entry.refuse(failure)
