"""Responses of the Data API below ASGI: rendered where the result of a request's one statement arrives."""

from __future__ import annotations

from localbase.core.web.http import FastResponse, InvalidHeader, Response, has_no_body, lines_of
from localbase.postgres.pipeline import Result
from localbase.rest.config import Config
from localbase.rest.prepared.request import BoundRequest
from localbase.rest.response.postgres_errors import response_to
from localbase.rest.response.render import render, render_fast


class PendingResponse:
    """A request between its statement and its response. The pool calls it with the outcome."""

    __slots__ = ("_bound", "_options", "_response")

    def __init__(self, bound: BoundRequest, response: FastResponse, options: Config) -> None:
        self._bound = bound
        self._response = response
        self._options = options

    def __call__(self, result: Result | None, error: Exception | None) -> None:
        status = 0
        bound = self._bound
        try:
            rendered = result and render_fast(bound.prepared.template, result, bound.location)
            if rendered:
                status, lines, body = rendered
            else:
                response = self._render(result, error)
                status, empty = response.status, has_no_body(response.status)
                body = b"" if empty else response.body
                lines = lines_of(response.headers, None if empty else len(body))
        except InvalidHeader:
            self._response.invalid_header(status)
        except Exception:  # noqa: BLE001 - the gateway logs it with its traceback and answers 500
            self._response.internal_error()
        else:
            self._response(status, lines, body)

    def _render(self, result: Result | None, error: Exception | None) -> Response:
        prepared, _, location, _ = self._bound
        try:
            if result is None:
                raise error or AssertionError("neither result nor error")
            return render(prepared.template, result, location.decode("latin-1") if location else None)
        except Exception as failure:  # noqa: BLE001 - raised again, unless it is one to be rendered
            return response_to(failure, self._options, prepared.context.role, prepared.template)
