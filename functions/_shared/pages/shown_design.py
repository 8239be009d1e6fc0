"""A public design as its page shows it, in texts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from _shared.catalog.catalog import color_of
from _shared.core.data import Row
from _shared.pages.template import Values

_LONGEST_TITLE = 60
_COLORS_NAMED = 5


@dataclass(frozen=True)
class Color:
    """A colour that can be ordered in at least one size; `id` and `variant` are its first variant's that can."""

    name: str
    hex: str
    id: str
    variant: int


@dataclass(frozen=True)
class ShownDesign:
    """`product` is the printer's id, `picture` the name of the picture's object; `chosen` the colour that is shown."""

    id: str
    publication: str
    product: str | None
    picture: str | None
    colors: tuple[Color, ...]
    chosen: Color | None
    texts: Values

    @classmethod
    def of(cls, row: Row) -> ShownDesign:
        """A row of public.get_design_page."""
        variants: list[Row] = row["variants"] or []
        colors: dict[str, Color] = {}
        for each in variants:
            name = color_of(str(each["name"]))
            if each["available"] and name not in colors:
                colors[name] = Color(name, str(each["hex"]), str(each["id"]), int(each["printify"]))
        first = next(iter(row["colors"]), None)
        chosen = next(
            (colors.get(color_of(str(each["name"]))) for each in variants if each["id"] == first), None
        )
        name = str(row["name"])
        likes = int(row["likes"])
        return cls(
            id=str(row["id"]),
            publication=str(row["publication"]),
            product=row["product"],
            picture=row["picture"],
            colors=tuple(colors.values()),
            chosen=chosen,
            texts={
                "design_id": str(row["id"]),
                "design_name": name,
                "short_name": name[:_LONGEST_TITLE],
                "creator": str(row["creator"] or "").strip() or "Anonymous",
                "published": _day(str(row["published_at"])),
                "likes": "1 like" if likes == 1 else f"{likes} likes",
                "color_names": _listed(list(colors)),
            },
        )


def _day(moment: str) -> str:
    """`Nov 5, 2026`, as the web client writes it."""
    day = datetime.fromisoformat(moment).astimezone(UTC)
    return f"{day:%b} {day.day}, {day.year}"


def _listed(names: list[str]) -> str:
    """`Black, White and Navy`, or the first five and how many more."""
    if len(names) > _COLORS_NAMED:
        names = [*names[:_COLORS_NAMED], f"{len(names) - _COLORS_NAMED} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
