"""Crossings, by which a process of the shop reaches outside: each call of the database, a vendor or the mail server.

A plan says what befalls one of them. A process that has died there makes no call any more, whatever its code tries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

T = TypeVar("T")
Mishap = Literal["dies before", "dies after", "not reached", "answer lost"]
MISHAPS: tuple[Mishap, ...] = ("dies before", "dies after", "not reached", "answer lost")
_MOST = 3000


class ProcessDied(BaseException):
    """No exception of the shop's: nothing in it may catch this."""


class ConnectionBroke(Exception):
    """The caller learns nothing: the call may have been carried out."""


@dataclass(frozen=True)
class Plan:
    """The fault at the crossing of this number, counted from 0 in each request."""

    at: int
    mishap: Mishap


class Crossings:
    """Those of one request. Before each, `pause` lets another process go first."""

    def __init__(self, plan: Plan | None = None, pause: Callable[[], None] = lambda: None) -> None:
        self.count = 0
        self.has_befallen = False
        """Whether the plan's crossing was come to."""
        self._plan = plan
        self._pause = pause
        self._dead = False

    def cross(self, name: str, call: Callable[[], T]) -> T:
        """Carries the call out, or lets the mishap happen."""
        if self._dead:
            raise ProcessDied
        if self.count == _MOST:
            self._die()
        self._pause()
        mishap = self._plan.mishap if self._plan and self._plan.at == self.count else None
        self.count += 1
        self.has_befallen |= mishap is not None
        if mishap == "dies before":
            self._die()
        if mishap == "not reached":
            raise ConnectionBroke(name)
        answer = call()
        if mishap == "dies after":
            self._die()
        if mishap == "answer lost":
            raise ConnectionBroke(name)
        return answer

    @property
    def is_endless(self) -> bool:
        """Tell whether it was ended because it made calls without end."""
        return self.count == _MOST

    def _die(self) -> None:
        self._dead = True
        raise ProcessDied
