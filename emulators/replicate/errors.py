"""Replicate's errors: `application/problem+json`."""

from __future__ import annotations

from typing import Any


class ProblemError(Exception):
    """An error that a caller sees."""

    def __init__(self, status: int, title: str, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.body: dict[str, Any] = {"title": title, "detail": detail, "status": status, **extra}

    @classmethod
    def missing(cls) -> ProblemError:
        return cls(404, "Not found", "The requested resource could not be found.")

    @classmethod
    def invalid_input(cls, fields: list[dict[str, str]]) -> ProblemError:
        detail = "".join(f"- {field['field']}: {field['description']}\n" for field in fields)
        return cls(422, "Input validation failed", detail, invalid_fields=fields)
