"""Replicate's errors: `application/problem+json`."""

from __future__ import annotations

from typing import Any

from emulators.vendor_app import VendorError


class ProblemError(VendorError):
    media_type = "application/problem+json"

    def __init__(self, status: int, title: str, detail: str, **extra: Any) -> None:
        super().__init__(status, {"title": title, "detail": detail, "status": status, **extra}, detail)

    @classmethod
    def missing(cls) -> ProblemError:
        return cls(404, "Not found", "The requested resource could not be found.")

    @classmethod
    def invalid_input(cls, fields: list[dict[str, str]]) -> ProblemError:
        detail = "".join(f"- {field['field']}: {field['description']}\n" for field in fields)
        return cls(422, "Input validation failed", detail, invalid_fields=fields)
