"""The one error type that services answer with. Each service has its own list of errors and its renderer."""

from __future__ import annotations


class ApiError(Exception):
    """A refusal with upstream's stable code and message. `cause` is for the log, never for the caller."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: str | None = None,
        hint: str | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        cause: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
        self.headers = headers
        self.cause = cause


class UserError(Exception):
    """Something the person at the terminal can mend. `remedy` says how."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
