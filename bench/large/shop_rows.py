"""The rows of people, designs and likes, as lines of COPY."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bench.large.chance import Chance, Scale

Table = Literal[
    "auth.users", "private.profiles", "public.user_addresses", "public.user_sessions", "public.designs",
    "public.public_designs", "public.design_likes", "public.orders", "public.order_items", "public.order_events",
    "public.order_flags", "public.order_jobs", "public.order_messages", "public.vendor_events", "public.design_uploads",
    "public.design_jobs", "private.object_tasks", "private.design_reports", "private.report_senders",
    "private.design_takedowns", "private.design_notices", "private.design_origins",
]  # fmt: skip
NULL = "\\N"
# Every hundredth design has a thumbnail of the length that the web client makes, every two thousandth a picture; the
# others have a few characters, as long as what a row holds of a value that lies outside it.
_THUMBNAIL, _PICTURE = 9_000, 240_000
_STYLES = ("Cartoon", "Sketch", "Vintage", "Watercolor")
_COUNTRIES = ("US", "US", "US", "DE", "GB", "CA", "FR", "AU")


@dataclass(frozen=True, slots=True)
class Public:
    """A public design, as likes and orders need it; or another, with the time at which it was made."""

    id: str
    owner: int
    name: str
    published_at: datetime
    style: str


class ShopRows:
    """Generates table after table; later ones refer to earlier ones, so call them in this order."""

    def __init__(self, scale: Scale, until: datetime) -> None:
        self.scale = scale
        self.until = until
        self.user_ids: list[str] = []
        self.public: list[Public] = []
        # some of the others
        self.hidden: list[Public] = []
        self._joined: list[datetime] = []

    def chance(self, kind: str) -> Chance:
        return Chance(kind, self.until)

    def users(self) -> Iterator[tuple[object, ...]]:
        draw = self.chance("people")
        for number in range(self.scale.users):
            user, joined = draw.uuid(), draw.moment(number, self.scale.users)
            self.user_ids.append(user)
            self._joined.append(joined)
            yield (
                "00000000-0000-0000-0000-000000000000", user, "authenticated", "authenticated",
                f"person{number}@teesmith.example", joined, "{}", "{}", joined, joined, *[""] * 8,
            )  # fmt: skip

    def profiles(self) -> Iterator[tuple[object, ...]]:
        draw = self.chance("profiles")
        for number, user in enumerate(self.user_ids):
            first, last = draw.word(2).capitalize(), draw.word(3).capitalize()
            name = f"{first} {last}" if draw.below() < 0.9 else NULL
            public_name = f"{first} {draw.word(2)}" if number < 50 or draw.below() < 0.9 else NULL
            admin = number % 10_000 == 0
            yield user, f"{first.lower()}{number}", name, admin, public_name, self._joined[number]

    def addresses(self) -> Iterator[tuple[object, ...]]:
        draw = self.chance("addresses")
        for number in range(self.scale.users):
            owner = draw.skewed(self.scale.users)
            country = _COUNTRIES[draw.whole(0, 7)]
            yield (
                draw.uuid(), self.user_ids[owner], "Ada", draw.word(3).capitalize(), f"person{owner}@teesmith.example",
                "+1", "5550100", country, NULL, f"{draw.whole(1, 900)} Main Street", draw.word(4).capitalize(),
                "90210", False, draw.moment(number, self.scale.users),
            )  # fmt: skip

    def sessions(self) -> Iterator[tuple[object, ...]]:
        draw = self.chance("sessions")
        for number in range(self.scale.sessions):
            moment = draw.moment(number, self.scale.sessions)
            yield (
                draw.uuid(),
                self.user_ids[draw.skewed(self.scale.users)],
                moment,
                "Mozilla/5.0 (X11; Linux x86_64)",
            )

    def designs(self) -> Iterator[tuple[object, ...]]:
        draw, count = self.chance("designs"), self.scale.designs
        for number in range(count):
            design, owner, moment = draw.uuid(), draw.skewed(self.scale.users), draw.moment(number, count)
            name = draw.design_name()
            # a word of its time: many old designs have it, and no new one
            if number < count * 0.3 and draw.below() < 0.3:
                name = f"{name} y2k"
            style = _STYLES[number // 2 % len(_STYLES)] if number % 2 else NULL
            if draw.below() < (self.scale.public - len(self.public)) / (count - number):
                published_at = draw.later(moment, timedelta(hours=20))
                self.public.append(Public(design, owner, name, published_at, style))
            elif number % 200 == 0:
                self.hidden.append(Public(design, owner, name, moment, style))
            picture = draw.base64(_PICTURE) if number % 2_000 == 7 else draw.base64(24)
            thumbnail = draw.base64(_THUMBNAIL if number % 100 == 7 else 24)
            product = f"product-{number}" if draw.below() < 0.8 else NULL
            yield (
                design, self.user_ids[owner], name, picture, thumbnail, product,
                f"{{{draw.uuid()}}}", moment, moment, style,
            )  # fmt: skip

    def public_designs(self) -> Iterator[tuple[object, ...]]:
        draw = self.chance("public designs")
        for design in self.public:
            owner = self.user_ids[design.owner]
            yield draw.uuid(), design.id, owner, design.published_at, design.name, design.style

    def uploads(self) -> Iterator[tuple[object, ...]]:
        """Of the last days, never saved."""
        draw = self.chance("uploads")
        for _ in range(self.scale.users // 10):
            yield (
                draw.uuid(),
                self.user_ids[draw.skewed(self.scale.users)],
                self.until - timedelta(hours=draw.whole(1, 40)),
            )

    def jobs(self) -> Iterator[tuple[object, ...]]:
        """Of the last day: pictures that were made, and some that are being made."""
        draw = self.chance("jobs")
        for number in range(self.scale.users // 5):
            begun = self.until - timedelta(seconds=draw.whole(60, 80_000))
            state, ended = (
                ("running", NULL) if number % 100 == 0 else ("done", str(begun + timedelta(seconds=20)))
            )
            person = self.user_ids[draw.skewed(self.scale.users)]
            lease = self.until + timedelta(minutes=10)
            yield draw.uuid(), person, "text_picture", state, "{}", number, lease, begun, ended

    def object_tasks(self) -> Iterator[tuple[object, ...]]:
        """Of an hour in which Storage was away."""
        draw = self.chance("object tasks")
        for number in range(self.scale.users // 10):
            name = f"{draw.uuid()}/{draw.uuid()}/picture.png"
            yield "remove", "designs", name, self.until + timedelta(hours=draw.whole(1, 40), seconds=number)

    def likes(self) -> Iterator[tuple[object, ...]]:
        draw, count = self.chance("likes"), self.scale.likes
        popular = draw.shuffled(len(self.public))
        seen: set[int] = set()
        while len(seen) < count:
            design = popular[draw.skewed(len(self.public), 3)]
            user = draw.skewed(self.scale.users, 1 if draw.below() < 0.7 else 2)
            like = design * self.scale.users + user
            if like not in seen:
                moment = draw.moment(len(seen), count)
                seen.add(like)
                yield draw.uuid(), self.public[design].id, self.user_ids[user], moment
