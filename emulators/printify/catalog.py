"""The catalog: blueprint 6 (Gildan 5000) by provider 29, its colours, sizes, areas, costs and shipping.

Ids from S on are the vendor's. Size XS is not made for this shirt; ids from 9,000,001 upward stand in for
it, one for each colour in this table's order, so that the shop's whole size range can be tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

BLUEPRINT = 6
PROVIDER = 29
SIZES = ("XS", "S", "M", "L", "XL", "2XL", "3XL", "4XL")
_SIZE_OPTIONS = {"XS": 13, "S": 14, "M": 15, "L": 16, "XL": 17, "2XL": 18, "3XL": 19, "4XL": 20}
_FIRST_XS = 9_000_001

# colour, hex, colour option id, id of L (M is one and S two above it, XL to 3XL three to five), id of 4XL
_COLOURS: tuple[tuple[str, str, int, int, int | None], ...] = (
    ("White", "#FFFFFF", 521, 12100, 24031),
    ("Black", "#1A1A1A", 418, 12124, 24039),
    ("Navy", "#1F2A44", 511, 11986, 23993),
    ("Red", "#C8102E", 423, 12022, 24005),
    ("Royal", "#224D8F", 425, 12028, 24007),
    ("Sport Grey", "#97999B", 358, 12070, 24021),
    ("Charcoal", "#54565A", 424, 11872, 23955),
    ("Maroon", "#5B2B42", 509, 11974, None),
    ("Forest Green", "#273B33", 420, 12142, None),
    ("Military Green", "#5E7461", 508, 12190, None),
    ("Sand", "#CABFAD", 520, 12052, None),
    ("Light Blue", "#A3B3CB", 506, 11956, None),
    ("Light Pink", "#E4C6D4", 507, 11962, None),
    ("Purple", "#464E7E", 516, 12016, None),
    ("Orange", "#F4633A", 422, 12010, None),
)
_OFFSETS = {"S": 2, "M": 1, "L": 0, "XL": 3, "2XL": 4, "3XL": 5}
_COSTS = {"XS": 909, "S": 909, "M": 909, "L": 921, "XL": 930, "2XL": 1006, "3XL": 1032, "4XL": 1032}
_GRAMS = {"XS": 124, "S": 147, "M": 167, "L": 187, "XL": 210, "2XL": 238, "3XL": 264, "4XL": 298}
_AREAS = {"XS": (3319, 3761), "S": (3319, 3761), "M": (3909, 4431)}
_LARGE_AREA = (4500, 5100)

VIEWS = {
    102048: ("front", "front"),
    102049: ("hanger", "front"),
    102046: ("flat", "front"),
    92581: ("male", "front"),
    92584: ("female", "front"),
    92571: ("back", "back"),
}
"""Mockup cameras: id → (view of the studio, the side that it shows)."""
POSITIONS = ("front", "back")


@dataclass(frozen=True)
class Variant:
    id: int
    colour: str
    hex: str
    colour_option: int
    size: str

    @property
    def title(self) -> str:
        return f"{self.colour} / {self.size}"

    @property
    def size_option(self) -> int:
        return _SIZE_OPTIONS[self.size]

    @property
    def cost(self) -> int:
        return _COSTS[self.size]

    @property
    def grams(self) -> int:
        return _GRAMS[self.size]

    @property
    def area(self) -> tuple[int, int]:
        """Width and height of the print area of either side, in pixels."""
        return _AREAS.get(self.size, _LARGE_AREA)


@cache
def variants() -> dict[int, Variant]:
    listed: list[Variant] = []
    for place, (colour, hex_, option, large, four) in enumerate(_COLOURS):
        ids = {"XS": _FIRST_XS + place} | {size: large + offset for size, offset in _OFFSETS.items()}
        if four is not None:
            ids["4XL"] = four
        listed += [Variant(ids[size], colour, hex_, option, size) for size in SIZES if size in ids]
    return {variant.id: variant for variant in listed}


def colour_options() -> list[dict[str, Any]]:
    return [
        {"id": option, "title": colour, "colors": [hex_.lower()]} for colour, hex_, option, _, _ in _COLOURS
    ]


def size_options() -> list[dict[str, Any]]:
    return [{"id": id, "title": size} for size, id in _SIZE_OPTIONS.items()]


def blueprint(base_url: str) -> dict[str, Any]:
    return {
        "id": BLUEPRINT,
        "title": "Unisex Heavy Cotton Tee",
        "description": "The unisex heavy cotton tee is the basic staple of any wardrobe: no side seams, tape "
        "on the shoulders, a ribbed knit collar. 100% cotton, medium fabric (5.3 oz/yd²), classic fit.",
        "brand": "Gildan",
        "model": "5000",
        "images": [f"{base_url}/blank/{view}.jpg" for view in VIEWS],
    }


def variants_body() -> dict[str, Any]:
    return {
        "id": PROVIDER,
        "title": "Monster Digital",
        "variants": [
            {
                "id": variant.id,
                "title": variant.title,
                "options": {"color": variant.colour, "size": variant.size},
                "placeholders": [
                    {"position": position, "height": variant.area[1], "width": variant.area[0]}
                    for position in POSITIONS
                ],
            }
            for variant in variants().values()
        ],
    }


_SHIPPING = (("US", 475, 240), ("CA", 939, 439), ("GB", 1000, 400), ("REST_OF_THE_WORLD", 1000, 400))


def shipping_body() -> dict[str, Any]:
    ids = list(variants())
    return {
        "handling_time": {"value": 10, "unit": "day"},
        "profiles": [
            {
                "variant_ids": ids,
                "first_item": {"cost": first, "currency": "USD"},
                "additional_items": {"cost": more, "currency": "USD"},
                "countries": [country],
            }
            for country, first, more in _SHIPPING
        ],
    }


def shipping_cost(country: str, pieces: int) -> int:
    """Standard shipping of `pieces` shirts, in cents."""
    first, more = next(
        ((first, more) for name, first, more in _SHIPPING if name == country.upper()), _SHIPPING[-1][1:]
    )
    return first + more * (max(pieces, 1) - 1)
