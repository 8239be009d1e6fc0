"""The chance of generated rows: the same seed gives the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from random import Random

_SPAN = timedelta(days=3 * 365)
# How often a word is drawn falls with its place: 'dragon' is in one name in eighteen.
_NOUNS = (
    "dragon", "cat", "fox", "moon", "wolf", "skull", "mountain", "coffee", "robot", "wave", "garden", "ghost",
    "guitar", "bicycle", "owl", "astronaut", "octopus", "mushroom", "tiger", "whale", "sunflower", "raven", "samurai",
    "cactus", "lighthouse", "hedgehog", "teapot", "saxophone", "meteor", "axolotl", "quokka", "zeppelin",
)  # fmt: skip
_ADJECTIVES = (
    "retro", "sleepy", "cosmic", "tiny", "golden", "angry", "neon", "floral", "surfing", "wild", "lonely", "pixel",
    "vintage", "happy", "electric", "frozen", "midnight", "paper", "secret", "velvet", "quiet", "jazzy",
)  # fmt: skip
_PLACES = (
    "in the rain", "at sunset", "on a bike", "in space", "under the sea", "with a hat", "in the woods", "over Tokyo",
    "reading a book", "on the beach", "in a teacup", "by candlelight", "", "", "", "",
)  # fmt: skip
_SYLLABLES = (
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu",
    "na", "pe", "qui", "ro", "su", "ta", "ve", "wo", "xy", "zi",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scale:
    """The numbers of rows of each kind."""

    users: int = 50_000
    designs: int = 1_000_000
    public: int = 100_000
    likes: int = 1_000_000
    orders: int = 300_000
    sessions: int = 500_000

    def part(self, share: int) -> Scale:
        """The same shop, `share` times smaller."""
        return Scale(*(count // share for count in (
            self.users, self.designs, self.public, self.likes, self.orders, self.sessions,
        )))  # fmt: skip


class Chance:
    """Draws of one kind of row. `until` is the newest moment."""

    def __init__(self, seed: str, until: datetime) -> None:
        self._random = Random(seed)
        self._until = until
        self.below = self._random.random

    def uuid(self) -> str:
        """A version 4 uuid; Postgres reads it without dashes."""
        digits = f"{self._random.getrandbits(128):032x}"
        return f"{digits[:12]}4{digits[13:16]}8{digits[17:]}"

    def skewed(self, count: int, power: float = 2) -> int:
        """A number below `count`, the low ones far more often: the first comes up `count ** (1 - 1 / power)` times."""
        return int(count * self._random.random() ** power)

    def whole(self, least: int, most: int) -> int:
        return least + int(self._random.random() * (most - least + 1))

    def shuffled(self, count: int) -> list[int]:
        order = list(range(count))
        self._random.shuffle(order)
        return order

    def moment(self, number: int, count: int) -> datetime:
        """Return when row `number` of `count` was made: in order, over three years, ever more of them."""
        share = sqrt((number + self._random.random()) / count)
        return self._until - timedelta(seconds=_SPAN.total_seconds() * (1 - share))

    def later(self, moment: datetime, most: timedelta) -> datetime:
        return min(moment + most * self._random.random(), self._until)

    def design_name(self) -> str:
        """Mostly a few common words, sometimes a word of its own, seldom a whole idea."""
        adjective = _ADJECTIVES[self.skewed(len(_ADJECTIVES), 1.3)]
        noun = _NOUNS[self.skewed(len(_NOUNS), 1.2)]
        name = f"{adjective.capitalize()} {noun} {_PLACES[self.whole(0, len(_PLACES) - 1)]}".rstrip()
        if self.below() < 0.3:
            name = f"{name} {self.word(3)}"
        if self.below() < 0.01:
            name = ". ".join([name, *(self.design_name() for _ in range(self.whole(3, 12)))])
        return name

    def word(self, syllables: int) -> str:
        return "".join(_SYLLABLES[int(self._random.random() * 20)] for _ in range(syllables))

    def base64(self, length: int) -> str:
        """Text of that length which does not compress."""
        return self._random.randbytes(length // 2).hex()
