"""What is kept for the next time, within bounds."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """A dictionary that forgets its older half when it is full. `get` is the dictionary's own, for speed.

    With a limit of 0 it keeps nothing.
    """

    def __init__(self, limit: int = 4096) -> None:
        self._limit = limit
        self._items: dict[Key, Value] = {}
        self.get = self._items.get

    def put(self, key: Key, value: Value) -> None:
        """Keeps `value`."""
        if not self._limit:
            return
        if len(self._items) >= self._limit:
            for old in list(self._items)[: self._limit // 2]:
                del self._items[old]
        self._items[key] = value
