"""Stripe's error envelope, https://docs.stripe.com/api/errors."""

from __future__ import annotations

from typing import Any

from emulators.vendor_app import VendorError

_DOCS = "https://docs.stripe.com/error-codes/"


class StripeError(VendorError):
    """An error by the members of its `error` object."""

    def __init__(
        self,
        status: int,
        type: str,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        decline_code: str | None = None,
        **extra: Any,
    ) -> None:
        self.error: dict[str, Any] = {"type": type, "message": message}
        super().__init__(status, {"error": self.error}, message)
        if code is not None:
            self.error["code"] = code
            self.error["doc_url"] = _DOCS + code.replace("_", "-")
        if decline_code is not None:
            self.error["decline_code"] = decline_code
        if param is not None:
            self.error["param"] = param
        self.error.update(extra)

    @classmethod
    def invalid(cls, message: str, *, code: str | None = None, param: str | None = None) -> StripeError:
        return cls(400, "invalid_request_error", message, code=code, param=param)

    @classmethod
    def missing(cls, noun: str, id: str, param: str = "id") -> StripeError:
        return cls(
            404, "invalid_request_error", f"No such {noun}: '{id}'", code="resource_missing", param=param
        )

    @classmethod
    def unauthenticated(cls, message: str) -> StripeError:
        return cls(401, "invalid_request_error", message)

    @classmethod
    def key_reused(cls, key: str) -> StripeError:
        return cls(
            400,
            "idempotency_error",
            "Keys for idempotent requests can only be used with the same parameters they were first used "
            f"with. Try using a key other than '{key}' if you meant to execute a different request.",
        )
