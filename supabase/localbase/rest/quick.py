"""Requests whose template is known, answered without a task: operands out, statement on its way, answer rendered.

All that parsing, planning and the caller decide is kept in an `Entry`; what it gives is what `service` would give. What
has no entry, or needs more than one statement, is left to `service`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote_plus

from localbase.core.http import Head, QuickAnswer, Response, Unsendable, header_of, lines_of
from localbase.postgres.session import Database, Flight, Identity, Result, Statement
from localbase.rest.grammar.query import quoted
from localbase.rest.payload import Payload
from localbase.rest.request import BODY
from localbase.rest.response import Rendering, render, render_page
from localbase.rest.templates import Template, can_be_cut, json_payload, without_operands

Refusal = Callable[[Exception], Response]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """What requests that differ in operands only have in common, under one block of headers."""

    identity: Identity
    template: Template
    rendering: Rendering
    sql: str
    # Parameters without the operands; where operands go (parameter, operand), and where the body does.
    constant: tuple[bytes | None, ...]
    slots: tuple[tuple[int, int], ...]
    body_slots: tuple[int, ...]
    # Header lines before and after the canonical address; of a plain read only.
    lines: bytes | None
    # What an error is answered with. Raises what is no refusal.
    refuse: Refusal


def entry_of(template: Template, identity: Identity, refuse: Refusal) -> Entry | None:
    """The entry of a template for a caller; None where one statement does not do."""
    compiled = template.ready.compiled
    if identity.explicit or compiled.explain is not None:
        return None
    number_of = {place: number for number, place in enumerate(template.places)}
    rendering = template.ready.rendering
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
        refuse=refuse,
    )


def taken_apart(
    method: bytes, path: bytes, query: bytes, head: Head, body: bytes
) -> tuple[object, tuple[bytes, ...], Payload | None] | None:
    """The entry's key, the operands and the body; None for what is always parsed."""
    if not can_be_cut(query) or b"apikey=" in query:
        return None
    calls = path.startswith(b"/rpc/")
    payload: Payload | None = None
    form = None
    if method in (b"POST", b"PATCH"):
        payload = json_payload(head.headers, query, body, for_function=calls)
        if payload is None:
            return None
        form = payload.columns, payload.is_object
    elif body:
        return None
    kept, operands = without_operands(query, arguments=calls and payload is None) if query else ((), ())
    return (head, method, path, kept, form), operands, payload


class Pending:
    """One request on its way. Called with what came of its statement."""

    __slots__ = ("_answer", "_entry", "_texts")

    def __init__(self, entry: Entry, texts: list[str], answer: QuickAnswer) -> None:
        self._entry = entry
        self._texts = texts
        self._answer = answer

    def __call__(self, result: Result | None, error: Exception | None) -> None:
        try:
            response = self._rendered(result, error)
            if isinstance(response, Response):
                status, body = response.status, response.body
                lines = lines_of(response.headers, len(body))
            else:
                status, lines, body = response
        except Unsendable:
            self._answer.unsendable(status)
        except Exception:  # noqa: BLE001 - the gateway logs it with its traceback and answers 500
            self._answer.crash()
        else:
            self._answer(status, lines, body)

    def _rendered(
        self, result: Result | None, error: Exception | None
    ) -> tuple[int, bytes, bytes] | Response:
        entry = self._entry
        if result is not None and entry.lines is not None:
            page = render_page(entry.rendering, result)
            if page is not None:
                status, content_range, body = page
                lines = b"content-range: %b\r\n%b%bcontent-length: %d\r\n" % (
                    *(content_range, entry.lines),
                    *(self._located(entry.template), len(body)),
                )
                return status, lines, body
        try:
            if result is None:
                raise error or AssertionError("neither result nor error")
            return render(entry.rendering, result, self._location(entry.template))
        except Exception as failure:  # noqa: BLE001 - what is no refusal is raised again
            return entry.refuse(failure)

    def _location(self, template: Template) -> str | None:
        if template.ready.location is None:
            return None
        location = template.location[0]
        for number, piece in zip(template.located, template.location[1:], strict=True):
            location += quoted(self._texts[number]) + piece
        return location

    def _located(self, template: Template) -> bytes:
        location = self._location(template)
        return (
            b"" if location is None else b"content-location: %b\r\n" % header_of(location).encode("latin-1")
        )


def fly(
    database: Database,
    entry: Entry,
    operands: tuple[bytes, ...],
    payload: Payload | None,
    answer: QuickAnswer,
) -> Flight:
    """Sends the statement of a request."""
    texts: list[str] = []
    params = entry.constant
    if operands or payload is not None:
        values = list(params)
        texts = [
            operand.decode() if operand.isalnum() else unquote_plus(operand.decode(errors="replace"))
            for operand in operands
        ]
        for slot, number in entry.slots:
            values[slot] = texts[number].encode(errors="replace")
        if payload is not None:
            for slot in entry.body_slots:
                values[slot] = payload.raw
        params = tuple(values)
    return database.begin(Statement(entry.sql, params), entry.identity, Pending(entry, texts, answer))
