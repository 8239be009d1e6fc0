"""Time and chance, as every vendor takes them: the system's, unless a simulation has put its own in their place."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class System:
    """`time` gives seconds since 1970."""

    def __init__(self) -> None:
        self.time: Callable[[], float] = time.time
        self.random: random.Random = random.SystemRandom()

    @contextmanager
    def replaced(self, clock: Callable[[], float], chance: random.Random) -> Iterator[None]:
        """A simulation's own, for the block."""
        before = self.time, self.random
        self.time, self.random = clock, chance
        try:
            yield
        finally:
            self.time, self.random = before

    def token_hex(self, size: int) -> str:
        """`size` random bytes as hexadecimal digits."""
        return self.random.randbytes(size).hex()

    def uuid4(self) -> uuid.UUID:
        return uuid.UUID(bytes=self.random.randbytes(16), version=4)


system = System()
