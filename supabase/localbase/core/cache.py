"""Caches that are bounded by entries and by bytes, so that no client can fill the memory with long or many requests."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """A dictionary that drops its older half when it is full. With a limit of 0 entries it stores nothing.

    `get` is the dictionary's own, for speed.
    """

    def __init__(self, entries: int = 4096, size: int = 4 << 20) -> None:
        """`size` is in bytes, as the callers of `put` count them."""
        self._most_entries = entries
        self._most_bytes = size
        self._items: dict[Key, Value] = {}
        self._sizes: dict[Key, int] = {}
        # Bytes of all entries.
        self.size = 0
        self.get = self._items.get

    def put(self, key: Key, value: Value, size: int = 0) -> None:
        """Stores `value`, unless it would take a quarter of the cache by itself."""
        if not self._most_entries or size > self._most_bytes // 4:
            return
        self._remove(key)
        while len(self._items) >= self._most_entries or self.size + size > self._most_bytes:
            for old in list(self._items)[: (len(self._items) + 1) // 2]:
                self._remove(old)
        self._items[key] = value
        self._sizes[key] = size
        self.size += size

    def _remove(self, key: Key) -> None:
        size = self._sizes.pop(key, None)
        if size is not None:
            del self._items[key]
            self.size -= size


def cached_for_short_texts(function: Callable[[str], Value]) -> Callable[[str], Value]:
    """Caches what a pure function makes of short texts. A long one would fill the memory and hardly come again."""
    cached = lru_cache(maxsize=_MOST_TEXTS)(function)

    @wraps(function)
    def call(text: str) -> Value:
        return cached(text) if len(text) <= _LONGEST_TEXT else function(text)

    return call


_MOST_TEXTS, _LONGEST_TEXT = 1024, 256
