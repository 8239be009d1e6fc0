"""From the statement's one row to the HTTP answer, with upstream's statuses and headers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import quote

from localbase.core.http import Response, header_of
from localbase.postgres.session import Result
from localbase.rest import errors
from localbase.rest.plan.nodes import Plan, Write
from localbase.rest.prefer import applied
from localbase.rest.ranges import content_range, range_status
from localbase.rest.request import ApiRequest
from localbase.rest.sql import statement as columns

Header = tuple[str, str]

VARY = ("Vary", "Accept, Prefer, Range")


@dataclass(frozen=True, slots=True)
class ResponseTemplate:
    """What of an answer is known before the statement runs. It belongs to a plan and a URL."""

    plan: Plan
    with_body: bool
    content: tuple[Header, ...]
    fixed: tuple[Header, ...]
    window_start: int
    # What a change answers: with its rows, or not.
    represents: bool
    counted: bool
    merges: bool
    # Whether the answer is a page of rows as JSON, for which `render_page` does.
    is_page: bool


def response_template(api_request: ApiRequest, plan: Plan) -> ResponseTemplate:
    """The answer's fixed parts."""
    content: tuple[Header, ...] = (("Content-Type", plan.media.header),)
    if api_request.schema_negotiated:
        content += (("Content-Profile", header_of(api_request.schema)),)
    fixed: tuple[Header, ...] = (VARY,)
    if plan.misnamed:
        fixed = (*fixed, ("Warning", header_of(_misnamed_warning(plan.misnamed))))
    write = plan.write
    resolves = bool(write and (write.relation.primary_key or api_request.query.on_conflict))
    followed = applied(api_request.preferences, action=api_request.action, resolution_counts=resolves)
    if followed:
        fixed = (*fixed, ("Preference-Applied", header_of(followed)))
    return ResponseTemplate(
        plan=plan,
        with_body=api_request.method != "HEAD",
        content=content,
        fixed=fixed,
        window_start=api_request.window.offset,
        represents=api_request.preferences.returning == "representation",
        counted=api_request.preferences.count in ("exact", "estimated"),
        merges=api_request.preferences.resolution == "merge-duplicates",
        is_page=api_request.method != "HEAD"
        and write is None
        and plan.media.form == "json"
        and not (plan.call and plan.call.function.returns_void),
    )


def _misnamed_warning(pairs: tuple[tuple[str, str], ...]) -> str:
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
    """The answer. `location` is a read's canonical address, `estimate` the planner's count, when one was asked for."""
    plan = template.plan
    if plan.media.form == "plan":
        body = b"".join((row[0] or b"") + b"\n" for row in result.rows)
        return Response(200, [*template.content, VARY], body)
    row = result.rows[0] if result.rows else (None, b"0", b"", None, None, None, None)
    page = int(row[columns.PAGE] or 0)
    if plan.write is not None:
        return _render_write(template, plan.write, row, page)
    if plan.media.form == "object" and page != 1:
        raise errors.not_single(page)
    total = int(row[columns.TOTAL] or 0) if row[columns.TOTAL] is not None else None
    total = estimate if estimate is not None else total
    lower = template.window_start
    upper = lower + page - 1
    status = range_status(lower, upper, total)
    body = _body(row, plan)
    content = template.content
    if status == 416:
        details = f"An offset of {lower} was requested, but there are only {total or 0} rows."
        body = errors.invalid_range(details).body()
    if plan.call and plan.call.function.returns_void:
        status, body, content = 204, b"", ()
    headers = [("Content-Range", content_range(lower, upper, total)), *content, *template.fixed]
    if location is not None:
        headers.append(("Content-Location", header_of(location)))
    return _overruled(row, status, headers, body if template.with_body else b"")


def render_page(template: ResponseTemplate, result: Result) -> tuple[int, bytes, bytes] | None:
    """Status, `Content-Range` and body of an everyday page of rows; None where `render` has to look."""
    counted, page, body, said_headers, said_status = result.rows[0]
    if said_headers is not None or said_status is not None:
        return None
    lower = template.window_start
    upper = lower + int(page or 0) - 1
    if counted is None:
        return 200, b"*/*" if upper < lower else b"%d-%d/*" % (lower, upper), body or b""
    status = range_status(lower, upper, int(counted))
    if status == 416:
        return None
    rows = b"%d-%d" % (lower, upper) if lower <= upper and counted != b"0" else b"*"
    return status, b"%b/%b" % (rows, counted), body or b""


def _render_write(
    template: ResponseTemplate, write: Write, row: tuple[bytes | None, ...], page: int
) -> Response:
    action = write.action
    total = page if template.counted else None
    body, content = (_body(row, template.plan), template.content) if template.represents else (b"", ())
    headers: list[Header] = []
    if action == "insert":
        inserted = row[columns.INSERTED_ROWS]
        # Nothing at all to merge counts as nothing new, as upstream has it.
        status = 200 if template.merges and int(inserted or 0) <= 0 else 201
        location = row[columns.LOCATION]
        if location is not None:
            headers.append(("Location", _location(write.relation.name, location)))
        headers.append(("Content-Range", content_range(1, 0, total)))
    elif action == "put":
        created = int(row[columns.INSERTED_ROWS] or 0) > 0
        status = 204 if not template.represents else 201 if created else 200
    else:
        status = 200 if template.represents else 204
        last = page - 1 if action == "update" else 0
        headers.append(("Content-Range", content_range(0 if action == "update" else 1, last, total)))
    return _overruled(row, status, [*headers, *content, *template.fixed], body)


def _body(row: tuple[bytes | None, ...], plan: Plan) -> bytes:
    """The body as it goes out. Bytes come in Postgres's hexadecimal form."""
    body = row[columns.BODY] or b""
    return bytes.fromhex(body.decode().removeprefix("\\x")) if plan.media.form == "bytes" else body


def _location(relation: str, keys: bytes) -> str:
    """`/relation?key=eq.value`, a null key as `is.null`."""
    pairs = json.loads(keys).items()
    parts = (
        f"{quote(name, safe='')}={'is.null' if value is None else 'eq.' + quote(value, safe='')}"
        for name, value in pairs
    )
    return f"/{quote(relation, safe='')}?{'&'.join(parts)}"


def _overruled(row: tuple[bytes | None, ...], status: int, headers: list[Header], body: bytes) -> Response:
    """Lets the database have its say: the settings `response.status` and `response.headers`."""
    said_status, said_headers = row[columns.STATUS], row[columns.HEADERS]
    if said_headers is not None:
        said = _headers_of(said_headers)
        names = {name.lower() for name, _ in said}
        headers = [header for header in headers if header[0].lower() not in names] + said
    if said_status is not None:
        text = said_status.decode(errors="replace")
        if not (text.isascii() and text.isdigit() and 100 <= int(text) <= 599):
            raise errors.response_status_setting()
        status = int(text)
    return Response(status, headers, body)


def _headers_of(text: bytes) -> list[Header]:
    try:
        items = json.loads(text)
    except ValueError as error:
        raise errors.response_headers_setting() from error
    found: list[Header] = []
    for item in items if isinstance(items, list) else [None]:
        pairs = list(item.items()) if isinstance(item, dict) else []
        if len(pairs) != 1 or not isinstance(pairs[0][1], str):
            raise errors.response_headers_setting()
        found.append((header_of(pairs[0][0]), header_of(pairs[0][1])))
    return found


def render_options(allow: str) -> Response:
    """The answer to OPTIONS: which methods the target takes."""
    return Response(200, [("Allow", allow), ("Access-Control-Allow-Origin", "*")])
