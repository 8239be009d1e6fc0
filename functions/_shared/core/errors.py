"""The error of every function: a `ShopError`, rendered as `{"error": sentence, "code": stable_code}`."""

from __future__ import annotations

from datetime import datetime


class ShopError(Exception):
    """A text for people (`error`), a `code` for programs, and the status.

    `cause` is for the log alone: vendor texts and internals go there and never to a shopper. `retry_at` is when
    the same request may succeed, where that is known: it becomes `retry_at` in the body and the header Retry-After.
    `counts` says that a vendor was paid for all of it all the same, so that it counts for the limits of usage.
    """

    def __init__(
        self,
        status: int,
        code: str,
        error: str,
        *,
        cause: object = None,
        retry_at: datetime | None = None,
        counts: bool = False,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.code = code
        self.error = error
        self.cause = cause
        self.retry_at = retry_at
        self.counts = counts


def not_found(what: str, code: str, *, counts: bool = False) -> ShopError:
    """The same response for what does not exist and for what belongs to another user."""
    return ShopError(404, code, f"{what} not found.", counts=counts)


def unavailable(code: str, error: str, cause: object) -> ShopError:
    """An outside service failed; a later attempt may succeed."""
    return ShopError(502, code, error, cause=cause)


def prompt_refused(cause: object) -> ShopError:
    """The same answer whether our own list or a model's moderation refuses; it never says which word it was."""
    return ShopError(
        422,
        "prompt_refused",
        "We can't draw that. Please describe your idea differently, or use another picture.",
        cause=cause,
    )
