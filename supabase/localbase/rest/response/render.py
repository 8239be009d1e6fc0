"""From the statement's one row to the HTTP answer, with upstream's statuses and headers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import quote

from localbase.core.web.http import InvalidHeader, Response, header_of, lines_of
from localbase.postgres.pipeline import Result
from localbase.rest import errors
from localbase.rest.api_request.preferences import applied
from localbase.rest.api_request.range import content_range, range_status
from localbase.rest.api_request.request import ApiRequest
from localbase.rest.plan.nodes import Plan
from localbase.rest.sql import statement as columns

Header = tuple[str, str]

VARY = ("Vary", "Accept, Prefer, Range")


@dataclass(frozen=True, slots=True)
class ResponseTemplate:
    """The parts of a response that no statement decides. It is small and refers to no plan: many are cached."""

    action: str
    # Of the body: how it is made, and whether it is sent.
    form: str
    with_body: bool
    content: tuple[Header, ...]
    fixed: tuple[Header, ...]
    # The fixed headers as lines of HTTP; None where one cannot be sent.
    lines: bytes | None
    window_start: int
    # The relation that is changed.
    changed: str | None
    # Whether a change's response has its rows.
    represents: bool
    counted: bool
    merges: bool
    returns_void: bool
    # Whether a wrong number of rows undoes the change, and whether one row is the right number.
    guarded: bool
    one_row: bool
    # Whether the response is a page of rows as JSON.
    is_page: bool


def response_template(api_request: ApiRequest, plan: Plan) -> ResponseTemplate:
    """The fixed parts of the responses to a request."""
    content: tuple[Header, ...] = (("Content-Type", plan.media.header),)
    if api_request.schema_negotiated:
        content += (("Content-Profile", header_of(api_request.schema)),)
    fixed: tuple[Header, ...] = (VARY,)
    if plan.legacy_target_names:
        fixed = (*fixed, ("Warning", header_of(_legacy_target_warning(plan.legacy_target_names))))
    write, preferences = plan.write, api_request.preferences
    resolves = bool(write and (write.relation.primary_key or api_request.query.on_conflict))
    followed = applied(preferences, action=api_request.action, resolution_counts=resolves)
    if followed:
        fixed = (*fixed, ("Preference-Applied", header_of(followed)))
    represents = preferences.returning == "representation"
    returns_void = plan.call is not None and plan.call.function.returns_void
    with_body = api_request.method != "HEAD"
    try:
        lines = lines_of((*content, *fixed) if write is None or represents else fixed)
    except InvalidHeader:
        lines = None
    return ResponseTemplate(
        action=plan.action,
        form=plan.media.form,
        with_body=with_body,
        content=content,
        fixed=fixed,
        lines=lines,
        window_start=api_request.window.offset,
        changed=write.relation.name if write else None,
        represents=represents,
        counted=preferences.count in ("exact", "estimated"),
        merges=preferences.resolution == "merge-duplicates",
        returns_void=returns_void,
        guarded=plan.guarded,
        one_row=plan.one_row,
        is_page=with_body and write is None and plan.media.form == "json" and not returns_void,
    )


def _legacy_target_warning(pairs: tuple[tuple[str, str], ...]) -> str:
    """Upstream still takes a relation's name for an aliased embedding, and warns."""
    changes = ", ".join(f"`{relation}` to `{alias}`" for relation, alias in pairs)
    return (
        '299 PostgRESTv16.1 "Embedded resource was referenced by relation name even though it has an alias. This is '
        f"deprecated and will stop working in a future release. Update {changes} in query string filters, orders or "
        'limits."'
    )


def render(
    template: ResponseTemplate, result: Result, location: str | None = None, estimate: int | None = None
) -> Response:
    """The response. `location` is a read's address as a header has it, `estimate` the planner's count, if asked for."""
    if template.form == "plan":
        body = b"".join((row[0] or b"") + b"\n" for row in result.rows)
        return Response(200, [*template.content, VARY], body)
    row = result.rows[0] if result.rows else (None, b"0", b"", None, None, None, None)
    page = int(row[columns.PAGE] or 0)
    if template.changed is not None:
        return _render_write(template, template.changed, row, page)
    if template.form == "object" and page != 1:
        raise errors.not_single(page)
    total = int(row[columns.TOTAL] or 0) if row[columns.TOTAL] is not None else None
    total = estimate if estimate is not None else total
    lower = template.window_start
    upper = lower + page - 1
    status = range_status(lower, upper, total)
    body = _body(row, template)
    content = template.content
    if status == 416:
        details = f"An offset of {lower} was requested, but there are only {total or 0} rows."
        body = errors.invalid_range(details).body()
    if template.returns_void:
        status, body, content = 204, b"", ()
    headers = [("Content-Range", content_range(lower, upper, total)), *content, *template.fixed]
    if location is not None:
        headers.append(("Content-Location", location))
    return _apply_response_gucs(row, status, headers, body if template.with_body else b"")


def render_fast(
    template: ResponseTemplate, result: Result, location: bytes | None
) -> tuple[int, bytes, bytes] | None:
    """Status, header lines and body of an everyday response, as `render` gives them; None where that has to look."""
    if not template.is_page:
        return _render_write_fast(template, result) if template.changed is not None else None
    counted, size, body, set_headers, set_status = result.rows[0]
    fixed = template.lines
    if fixed is None or set_headers is not None or set_status is not None:
        return None
    body = body or b""
    page = int(size or 0)
    lower = template.window_start
    upper = lower + page - 1
    status, total = 200, b"*"
    if counted is not None:
        status, total = range_status(lower, upper, int(counted)), counted
        if status == 416:
            return None
    rows = b"%d-%d" % (lower, upper) if page and total != b"0" else b"*"
    if location is None:
        lines = b"content-range: %b/%b\r\n%bcontent-length: %d\r\n" % (rows, total, fixed, len(body))
    else:
        lines = b"content-range: %b/%b\r\n%bcontent-location: %b\r\ncontent-length: %d\r\n" % (
            *(rows, total, fixed, location, len(body)),
        )
    return status, lines, body


def _render_write_fast(template: ResponseTemplate, result: Result) -> tuple[int, bytes, bytes] | None:
    fixed = template.lines
    if fixed is None or template.action == "put" or template.form in ("plan", "bytes"):
        return None
    row = result.rows[0]
    if (row[columns.HEADERS], row[columns.STATUS], row[columns.LOCATION]) != (None, None, None):
        return None
    page = int(row[columns.PAGE] or 0)
    rows, status = b"*", 200 if template.represents else 204
    if template.action == "insert":
        status = 200 if template.merges and int(row[columns.INSERTED_ROWS] or 0) <= 0 else 201
    elif template.action == "update" and page:
        rows = b"0-%d" % (page - 1)
    total = b"%d" % page if template.counted else b"*"
    body = (row[columns.BODY] or b"") if template.represents else b""
    length = b"" if status == 204 else b"content-length: %d\r\n" % len(body)
    return status, b"content-range: %b/%b\r\n%b%b" % (rows, total, fixed, length), body


def _render_write(
    template: ResponseTemplate, relation: str, row: tuple[bytes | None, ...], page: int
) -> Response:
    action = template.action
    total = page if template.counted else None
    body, content = (_body(row, template), template.content) if template.represents else (b"", ())
    headers: list[Header] = []
    if action == "insert":
        inserted = row[columns.INSERTED_ROWS]
        # Nothing at all to merge counts as nothing new, as upstream has it.
        status = 200 if template.merges and int(inserted or 0) <= 0 else 201
        location = row[columns.LOCATION]
        if location is not None:
            headers.append(("Location", _location(relation, location)))
        headers.append(("Content-Range", content_range(1, 0, total)))
    elif action == "put":
        created = int(row[columns.INSERTED_ROWS] or 0) > 0
        status = 204 if not template.represents else 201 if created else 200
    else:
        status = 200 if template.represents else 204
        last = page - 1 if action == "update" else 0
        headers.append(("Content-Range", content_range(0 if action == "update" else 1, last, total)))
    return _apply_response_gucs(row, status, [*headers, *content, *template.fixed], body)


def _body(row: tuple[bytes | None, ...], template: ResponseTemplate) -> bytes:
    """The body as it goes out. Bytes come in Postgres's hexadecimal form."""
    body = row[columns.BODY] or b""
    return bytes.fromhex(body.decode().removeprefix("\\x")) if template.form == "bytes" else body


def _location(relation: str, keys: bytes) -> str:
    """`/relation?key=eq.value`, a null key as `is.null`."""
    pairs = json.loads(keys).items()
    parts = (
        f"{quote(name, safe='')}={'is.null' if value is None else 'eq.' + quote(value, safe='')}"
        for name, value in pairs
    )
    return f"/{quote(relation, safe='')}?{'&'.join(parts)}"


def _apply_response_gucs(
    row: tuple[bytes | None, ...], status: int, headers: list[Header], body: bytes
) -> Response:
    """Lets the database have its say: the settings `response.status` and `response.headers`."""
    guc_status, guc_headers = row[columns.STATUS], row[columns.HEADERS]
    if guc_headers is not None:
        said = _headers_of(guc_headers)
        names = {name.lower() for name, _ in said}
        headers = [header for header in headers if header[0].lower() not in names] + said
    if guc_status is not None:
        text = guc_status.decode(errors="replace")
        if not (text.isascii() and text.isdigit() and 100 <= int(text) <= 599):
            raise errors.response_status_setting()
        status = int(text)
    return Response(status, headers, body)


def _headers_of(text: bytes) -> list[Header]:
    try:
        items = json.loads(text)
    except ValueError as error:
        raise errors.response_headers_setting() from error
    headers: list[Header] = []
    for item in items if isinstance(items, list) else [None]:
        pairs = list(item.items()) if isinstance(item, dict) else []
        if len(pairs) != 1 or not isinstance(pairs[0][1], str):
            raise errors.response_headers_setting()
        headers.append((header_of(pairs[0][0]), header_of(pairs[0][1])))
    return headers


def render_options(allow: str) -> Response:
    """The answer to OPTIONS: which methods the target takes."""
    return Response(200, [("Allow", allow), ("Access-Control-Allow-Origin", "*")])
