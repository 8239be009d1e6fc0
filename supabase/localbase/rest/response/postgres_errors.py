"""Errors as responses: what Postgres reports keeps its code and texts, under the status that upstream gives it."""

from __future__ import annotations

import re
from typing import Any

from localbase.core.json_text import read_json
from localbase.core.web.http import Response
from localbase.postgres.pipeline import ConnectionLost, ConnectionRefused, PostgresError
from localbase.postgres.pool import PoolExhausted
from localbase.rest import errors
from localbase.rest.config import Config
from localbase.rest.errors import RestError
from localbase.rest.response.render import ResponseTemplate
from localbase.rest.sql.statement import WRONG_ROWS

# Statuses by SQLSTATE: whole codes first, then classes. Everything else is the client's fault, 400.
_STATUS_BY_CODE = {
    "23503": 409,
    "23505": 409,
    "25006": 405,
    "42883": 404,
    "42P01": 404,
    "42P17": 500,
    "53400": 500,
    "57P01": 503,
    "P0001": 400,
}
_STATUS_BY_CLASS = {
    **dict.fromkeys(("08", "53"), 503),
    **dict.fromkeys(("0L", "0P", "28"), 403),
    **dict.fromkeys(("09", "25", "2D", "38", "39", "3B", "40", "54", "55", "57", "58"), 500),
    **dict.fromkeys(("F0", "HV", "P0", "XX"), 500),
}


def from_postgres(error: PostgresError, *, anonymous: bool) -> RestError:
    """A database error as upstream answers it."""
    code, message = error.sqlstate, error.message
    if code == "PGRST":
        return _raised_response(message, error.detail)
    headers: tuple[tuple[str, str], ...] = ()
    if code == "42501":
        status = 401 if anonymous else 403
    elif code == "21000":
        status = 400 if message.endswith("requires a WHERE clause") else 500
    elif code == "22023":
        status = 401 if message.startswith("role") and message.endswith("does not exist") else 400
    elif code.startswith("PT"):
        number = code[2:]
        status = int(number) if number.isdigit() and 100 <= int(number) <= 599 else 500
    else:
        status = _STATUS_BY_CODE.get(code) or _STATUS_BY_CLASS.get(code[:2], 400)
    return RestError(status, code, message, details=error.detail, hint=error.hint, headers=headers)


def _raised_response(message: str, detail: str | None) -> RestError:
    """`raise sqlstate 'PGRST'`: the function writes the whole error as JSON."""
    body, shape = _object(message), _object(detail or "")
    if not isinstance(body.get("code"), str) or not isinstance(body.get("message"), str):
        return _unreadable_raise(
            f"Invalid JSON value for MESSAGE: '{message}'",
            "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: "
            "'details', 'hint'.",
        )
    status, headers = shape.get("status"), shape.get("headers")
    if not isinstance(status, int) or not 100 <= status <= 599 or not isinstance(headers, dict):
        return _unreadable_raise(
            "DETAIL is missing in the RAISE statement"
            if detail is None
            else f"Invalid JSON value for DETAIL: '{detail}'",
            "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: "
            "'status_text'.",
        )
    return RestError(
        status,
        body["code"],
        body["message"],
        details=body.get("details"),
        hint=body.get("hint"),
        headers=tuple((str(name), str(value)) for name, value in headers.items()),
    )


def _object(text: str) -> dict[str, Any]:
    try:
        value = read_json(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _unreadable_raise(details: str, hint: str) -> RestError:
    message = "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error"
    return RestError(500, "PGRST121", message, details=details, hint=hint)


_WRONG_ROWS = re.compile(f"{WRONG_ROWS}([0-9]+)")


def wrong_rows(error: PostgresError, template: ResponseTemplate) -> RestError | None:
    """The rejection by the statement itself of a wrong number of rows."""
    match = _WRONG_ROWS.search(error.message) if template.guarded and error.sqlstate == "22P02" else None
    if match is None:
        return None
    rows = int(match[1])
    if template.action == "put":
        return errors.put_key_mismatch()
    if template.one_row and rows != 1:
        return errors.not_single(rows)
    return errors.max_affected(rows)


def response_to(
    error: Exception,
    options: Config,
    role: str | None,
    template: ResponseTemplate | None = None,
    *,
    with_body: bool = True,
) -> Response:
    """The response to a request that failed. Raises `error` again if it is a fault of our own.

    `template` is that of the request's statement, if it came so far.
    """
    if isinstance(error, PostgresError):
        wrong = wrong_rows(error, template) if template else None
        failure = wrong or from_postgres(error, anonymous=role == options.anon_role)
    elif isinstance(error, RestError):
        failure = error
    elif isinstance(error, PoolExhausted):
        failure = errors.pool_exhausted()
    elif isinstance(error, ConnectionRefused):
        failure = errors.connection_refused(str(error))
    elif isinstance(error, ConnectionLost):
        failure = errors.database_unreachable(str(error))
    else:
        raise error
    verbose = options.client_error_verbosity == "verbose"
    return errors.render_error(failure, with_body=with_body, verbose=verbose)
