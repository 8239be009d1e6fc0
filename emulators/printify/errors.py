"""Printify's error bodies."""

from __future__ import annotations

from typing import Any

from emulators.core.system import system
from emulators.vendor_app import VendorError


class PrintifyError(VendorError):
    @classmethod
    def invalid(cls, field: str, sentence: str, code: int = 8150) -> PrintifyError:
        reason = f"{field}: {sentence}"
        return cls(
            400,
            {
                "status": "error",
                "code": code,
                "message": "Validation failed.",
                "errors": {"reason": reason, "code": code},
            },
        )

    @classmethod
    def refused(cls, status: int, code: int, message: str, reason: str, **extra: Any) -> PrintifyError:
        errors = {"reason": reason, "code": code}
        return cls(status, {"status": "error", "code": code, "message": message, "errors": errors, **extra})

    @classmethod
    def missing(cls) -> PrintifyError:
        return cls(404, {"error": "Not found", "request_id": system.uuid4().hex})
