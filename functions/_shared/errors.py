"""The one way a function says no: a `ShopError`, rendered as `{"error": sentence, "code": stable_code}`."""

from __future__ import annotations


class ShopError(Exception):
    """What a person may read (`error`), what a program may branch on (`code`), and the status.

    `cause` is for the log alone: vendor texts and internals go there and never to a shopper.
    """

    def __init__(self, status: int, code: str, error: str, *, cause: object = None) -> None:
        super().__init__(error)
        self.status = status
        self.code = code
        self.error = error
        self.cause = cause


def not_found(what: str, code: str) -> ShopError:
    """The same answer for what does not exist and for what belongs to somebody else."""
    return ShopError(404, code, f"{what} not found.")


def unavailable(code: str, error: str, cause: object) -> ShopError:
    """An outside service did not do its part; trying again later is what helps."""
    return ShopError(502, code, error, cause=cause)
