"""A public design as its page shows it, in texts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from _shared.catalog.catalog import Variant, color_of
from _shared.core.data import Row
from _shared.pages.template import Values

_LONGEST_TITLE = 60
_COLORS_NAMED = 5
# in the order of the web client (web/src/shop/catalog/variants.ts)
_SIZES = ("XS", "S", "M", "L", "XL", "2XL", "3XL", "4XL")


@dataclass(frozen=True)
class Color:
    """A colour that can be ordered in at least one size; `variant` is the printer's id of the first one."""

    name: str
    hex: str
    variant: int
    sizes: tuple[str, ...]


@dataclass(frozen=True)
class ShownDesign:
    """`product` is the printer's id, `picture` the name of the picture's object, `own` the design's own colour."""

    id: str
    publication: str
    product: str | None
    picture: str | None
    own: Color | None
    texts: Values
    colors: tuple[Values, ...]

    @classmethod
    def of(cls, row: Row) -> ShownDesign:
        """A row of public.get_design_page."""
        colors = _colors(row["variants"] or [])
        own = colors.get(_own_color(row))
        chosen = own or next(iter(colors.values()), None)
        name, likes = str(row["name"]), int(row["likes"])
        return cls(
            id=str(row["id"]),
            publication=str(row["publication"]),
            product=row["product"],
            picture=row["picture"],
            own=own,
            texts={
                "design_id": str(row["id"]),
                "design_name": name,
                "short_name": name[:_LONGEST_TITLE],
                "creator": public_name(row["creator"]),
                "creator_id": str(row["creator_id"]),
                "published": _day(str(row["published_at"])),
                "like_count": str(likes),
                "likes": "1 like" if likes == 1 else f"{likes} likes",
                "color_names": _listed(list(colors)),
                "chosen_name": chosen.name if chosen else "",
                "chosen_hex": chosen.hex if chosen else "",
                "sizes": ", ".join(chosen.sizes) if chosen else "",
            },
            colors=tuple(
                {
                    "color_name": each.name,
                    "color_hex": each.hex,
                    "is_chosen": "yes" if each is chosen else "",
                }
                for each in colors.values()
            ),
        )


def public_name(name: object) -> str:
    return str(name or "").strip() or "Anonymous"


def _own_color(row: Row) -> str:
    first = next(iter(row["colors"]), None)
    return next((color_of(str(each["name"])) for each in row["variants"] or [] if each["id"] == first), "")


def _colors(rows: list[Row]) -> dict[str, Color]:
    """By name, in the catalog's order."""
    by_color: dict[str, list[Row]] = {}
    for each in rows:
        if each["available"]:
            by_color.setdefault(color_of(str(each["name"])), []).append(each)
    return {
        name: Color(name, str(sizes[0]["hex"]), int(sizes[0]["printify"]), _in_order(sizes))
        for name, sizes in by_color.items()
    }


def _in_order(rows: list[Row]) -> tuple[str, ...]:
    names = (Variant(str(row["id"]), str(row["name"]), int(row["printify"])).size for row in rows)
    return tuple(
        sorted(names, key=lambda size: (_SIZES.index(size) if size in _SIZES else len(_SIZES), size))
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
