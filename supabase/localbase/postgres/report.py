"""The progress of work on a project's files, as it is shown."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class Report(Protocol):
    """Shows progress."""

    def step(self, title: str, /) -> AbstractContextManager[None]:
        """Something that takes its time."""

    def note(self, text: str, /) -> None:
        """Something worth knowing."""
