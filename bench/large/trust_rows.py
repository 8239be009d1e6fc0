"""The rows of reports, decisions and copies, as lines of COPY: few designs have most of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from bench.large.shop_rows import NULL, Public, ShopRows

_REASONS = ("copyright", "hate", "sexual", "violence", "privacy", "other")


class TrustRows:
    """A fifth as many reports as there are public designs, and as many copies. After the designs of `shop`."""

    def __init__(self, shop: ShopRows) -> None:
        self._shop = shop
        self._decided: list[str] = []

    def reports(self) -> Iterator[tuple[object, ...]]:
        """A third of them are open."""
        draw, count = self._shop.chance("reports"), self._shop.scale.public // 5
        for number in range(count):
            moment = draw.moment(number, count)
            design = self._public(draw.skewed(len(self._shop.public), 3))
            decided_at = NULL if number % 3 == 0 else str(moment + timedelta(hours=9))
            yield draw.uuid(), design.id, _REASONS[draw.whole(0, 5)], "Look at it", moment, decided_at

    def senders(self) -> Iterator[tuple[object, ...]]:
        """As many as the shop takes in a day."""
        draw = self._shop.chance("senders")
        for number in range(2_000):
            # a backslash is doubled in COPY
            yield f"\\\\x{draw.base64(64)}", self._shop.until - timedelta(seconds=40 * number)

    def takedowns(self) -> Iterator[tuple[object, ...]]:
        """What is taken down, and as many designs that were looked at and kept."""
        draw = self._shop.chance("takedowns")
        for design in self._shop.hidden:
            yield self._decision(draw.uuid(), design, "take_down", _REASONS[draw.whole(0, 5)])
        for _ in self._shop.hidden:
            design = self._public(draw.skewed(len(self._shop.public), 3))
            yield self._decision(draw.uuid(), design, "keep", NULL)

    def notices(self) -> Iterator[tuple[object, ...]]:
        """Sent, but for some that a mail server refuses: due again after the day, so that no sweep takes them now."""
        draw, until = self._shop.chance("notices"), self._shop.until
        for number, decision in enumerate(self._decided):
            sent_at = NULL if number % 50 == 0 else str(until - timedelta(hours=1))
            due_at = until - timedelta(seconds=number) + timedelta(hours=0 if number % 50 else 40)
            yield draw.uuid(), decision, due_at, sent_at

    def origins(self) -> Iterator[tuple[object, ...]]:
        """Each fifth public design is a copy of an older one."""
        draw = self._shop.chance("origins")
        for place in range(1, len(self._shop.public), 5):
            original = self._public(draw.skewed(place, 3))
            copy = self._shop.public[place]
            yield copy.id, original.id, self._shop.user_ids[copy.owner]

    def _public(self, place: int) -> Public:
        return self._shop.public[place]

    def _decision(self, decision: str, design: Public, kind: str, reason: str) -> tuple[object, ...]:
        if kind == "take_down":
            self._decided.append(decision)
        owner = self._shop.user_ids[design.owner]
        return decision, design.id, design.name, owner, kind, reason, design.published_at + timedelta(days=1)
