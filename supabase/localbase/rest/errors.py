"""The Data API's errors: PostgREST's codes, messages, details, hints and statuses, and the one renderer for them.

Upstream's list: https://docs.postgrest.org/en/stable/references/errors.html. The texts are part of the
wire protocol, so they stand here verbatim. Postgres's own errors keep their code, and get the status that
upstream gives.
"""

from __future__ import annotations

import json

from localbase.core.errors import ApiError
from localbase.core.web.http import Response

JSON = ("Content-Type", "application/json; charset=utf-8")


class RestError(ApiError):
    """A refusal in PostgREST's shape. `structured` replaces `details` where upstream answers more than a text."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: str | None = None,
        hint: str | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        structured: list[dict[str, str]] | None = None,
    ) -> None:
        super().__init__(status, code, message, details=details, hint=hint, headers=headers)
        self.structured = structured

    def body(self, *, verbose: bool = True) -> bytes:
        """The error as upstream's JSON object; without details and hint where it is not to be `verbose`."""
        details = self.details if self.structured is None else self.structured
        value: dict[str, object] = {"code": self.code, "message": self.message}
        if verbose:
            value = {"code": self.code, "details": details, "hint": self.hint, "message": self.message}
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def render_error(error: RestError, *, with_body: bool = True, verbose: bool = True) -> Response:
    """The answer to a request that failed. HEAD has no body."""
    body = error.body(verbose=verbose) if with_body else b""
    headers = [JSON, ("Proxy-Status", f"PostgREST; error={header_safe(error.code)}"), *error.headers]
    if error.status == 401 and not any(name == "WWW-Authenticate" for name, _ in headers):
        headers.append(("WWW-Authenticate", "Bearer"))
    return Response(error.status, headers, body)


def header_safe(text: str) -> str:
    """`text` as part of a header: plain ASCII on one line."""
    return text.encode("ascii", "replace").decode().replace("\r", " ").replace("\n", " ")


def query_parameter(what: str, text: str, line: int, column: int, details: str) -> RestError:
    """PGRST100: a query parameter that does not parse."""
    message = f'"failed to parse {what} ({text})" (line {line}, column {column})'
    return RestError(400, "PGRST100", message, details=details)


def rpc_method(method: str) -> RestError:
    """PGRST101."""
    return RestError(405, "PGRST101", f"Cannot use the {method} method on RPC")


def invalid_body(message: str) -> RestError:
    """PGRST102."""
    return RestError(400, "PGRST102", message)


def too_many_columns(most: int) -> RestError:
    """PGRST102, before a statement of that width is planned."""
    return RestError(400, "PGRST102", f"A body may name at most {most} columns")


def body_too_large() -> RestError:
    """Reading the body exceeded the limits of memory or time."""
    return RestError(413, "PGRST102", "The body holds too many values to be read at once")


def invalid_range(details: str) -> RestError:
    """PGRST103."""
    return RestError(416, "PGRST103", "Requested range not satisfiable", details=details)


def invalid_put_filters() -> RestError:
    """PGRST105."""
    message = "Filters must include all and only primary key columns with 'eq' operators"
    return RestError(405, "PGRST105", message)


def no_where_clause(action: str) -> RestError:
    """Return what `safeupdate` says of a change that would meet every row."""
    return RestError(400, "21000", f"{action.upper()} requires a WHERE clause")


def unacceptable_schema(schema: str, exposed: tuple[str, ...]) -> RestError:
    """PGRST106."""
    hint = f"Only the following schemas are exposed: {', '.join(exposed)}"
    return RestError(406, "PGRST106", f"Invalid schema: {schema}", hint=hint)


def media_type(accepted: list[str]) -> RestError:
    """PGRST107."""
    return RestError(406, "PGRST107", f"None of these media types are available: {', '.join(accepted)}")


def not_embedded(resource: str, alias: str | None = None) -> RestError:
    """PGRST108. `alias` is what the resource is called in the request instead."""
    if alias is not None:
        return RestError(
            400,
            "PGRST108",
            f"'{resource}' is not an embedded resource in this request",
            details="Target names are not allowed in filters if they have an alias",
            hint=f"Change '{resource}' to '{alias}' in filters, orders or limits.",
        )
    return RestError(
        400,
        "PGRST108",
        f"'{resource}' is not an embedded resource in this request",
        hint=f"Verify that '{resource}' is included in the 'select' query parameter.",
    )


def response_headers_setting() -> RestError:
    """PGRST111."""
    message = (
        "response.headers guc must be a JSON array composed of objects with a single key and a string value"
    )
    return RestError(500, "PGRST111", message)


def response_status_setting() -> RestError:
    """PGRST112."""
    return RestError(500, "PGRST112", "response.status guc must be a valid status code")


def put_with_limit() -> RestError:
    """PGRST114."""
    return RestError(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")


def put_key_mismatch() -> RestError:
    """PGRST115."""
    return RestError(400, "PGRST115", "Payload values do not match URL in primary key column(s)")


def not_single(rows: int) -> RestError:
    """PGRST116."""
    return RestError(
        406,
        "PGRST116",
        "Cannot coerce the result to a single JSON object",
        details=f"The result contains {rows} rows",
    )


def unsupported_method(method: str) -> RestError:
    """PGRST117."""
    return RestError(405, "PGRST117", f"Unsupported HTTP method: {method}")


def related_order(origin: str, target: str) -> RestError:
    """PGRST118."""
    return RestError(
        400,
        "PGRST118",
        f"A related order on '{target}' is not possible",
        details=f"'{origin}' and '{target}' do not form a many-to-one or one-to-one relationship",
    )


def invalid_preferences(preferences: tuple[str, ...]) -> RestError:
    """PGRST122."""
    return RestError(
        400,
        "PGRST122",
        "Invalid preferences given with handling=strict",
        details=f"Invalid preferences: {', '.join(preferences)}",
    )


def aggregates_not_allowed() -> RestError:
    """PGRST123."""
    return RestError(400, "PGRST123", "Use of aggregate functions is not allowed")


def max_affected(rows: int) -> RestError:
    """PGRST124."""
    return RestError(
        400,
        "PGRST124",
        "Query result exceeds max-affected preference constraint",
        details=f"The query affects {rows} rows",
    )


def invalid_path() -> RestError:
    """PGRST125."""
    return RestError(404, "PGRST125", "Invalid path specified in request URL")


def openapi_disabled() -> RestError:
    """PGRST126."""
    return RestError(404, "PGRST126", "Root endpoint metadata is disabled")


def not_implemented(details: str) -> RestError:
    """PGRST127."""
    return RestError(400, "PGRST127", "Feature not implemented", details=details)


def max_affected_needs_set() -> RestError:
    """PGRST128."""
    message = "Function must return SETOF or TABLE when max-affected preference is used with handling=strict"
    return RestError(400, "PGRST128", message)


def column_not_found(relation: str, column: str) -> RestError:
    """PGRST204."""
    message = f"Could not find the '{column}' column of '{relation}' in the schema cache"
    return RestError(400, "PGRST204", message)


def table_not_found(schema: str, name: str, suggestion: str | None) -> RestError:
    """PGRST205."""
    hint = f"Perhaps you meant the table '{schema}.{suggestion}'" if suggestion else None
    message = f"Could not find the table '{schema}.{name}' in the schema cache"
    return RestError(404, "PGRST205", message, hint=hint)


def catalog_not_loaded() -> RestError:
    """PGRST002."""
    return RestError(503, "PGRST002", "Could not query the database for the schema cache. Retrying.")


def connection_refused(details: str) -> RestError:
    """PGRST000."""
    return RestError(503, "PGRST000", "Database connection error.", details=details.strip() or None)


def database_unreachable(details: str) -> RestError:
    """PGRST001."""
    message = "Database client error. Retrying the connection."
    return RestError(503, "PGRST001", message, details=details.strip() or None)


def pool_exhausted() -> RestError:
    """PGRST003. Upstream's status is 504; 503 says what it is, and clients ask again."""
    return RestError(503, "PGRST003", "Timed out acquiring connection from connection pool.")


def nul_in_text() -> RestError:
    """Return what Postgres itself answers to a NUL in a text; libpq would silently cut the text there instead."""
    return RestError(400, "22021", 'invalid byte sequence for encoding "UTF8": 0x00')
