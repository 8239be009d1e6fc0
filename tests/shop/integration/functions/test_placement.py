"""The print on the shirt, measured: it fills the chest, and product, mockups and print file agree."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from emulators.print_rule import ink_box, largest_print, placement
from tests.shop.integration.functions.conftest import Functions, Shopper
from tests.support.stacks import Stack

Marked = npt.NDArray[np.bool_]
# left, top, right and bottom, of 1200 pixels
Ink = tuple[int, int, int, int]

FLAT = 102046
# How much of the shirt's width, as it is seen between the sides, the widest print takes. On the table the shirt lies as
# it is measured; on a hanger and around a body its sides turn away, so the same print takes more of what is seen.
SHARES = {
    102048: (0.60, 0.78),
    102049: (0.56, 0.66),
    FLAT: (0.55, 0.60),
    92581: (0.60, 0.84),
    92584: (0.60, 0.92),
}
_FLAT_WIDTH = 20  # inches, size M
_MAGENTA = (230, 0, 130)
_FULL: Ink = (240, 240, 960, 960)
_SQUARE: Ink = (200, 200, 1000, 1000)
_WIDE: Ink = (100, 450, 1100, 750)
_TALL: Ink = (450, 50, 750, 1150)
_TINY: Ink = (560, 580, 640, 600)


def design_of(ink: Ink) -> str:
    """A picture with wide clear margins and one magenta box of ink."""
    picture = Image.new("RGBA", (1200, 1200))
    picture.paste(_MAGENTA, ink)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def variant_of(functions: Functions, name: str) -> dict[str, Any]:
    (row,) = functions.sql("select id, printify_variant_id from product_variants where name = %s", name)
    return row


class PrintedProducts:
    """Designs as products, each made once for all tests, and what their mockups show."""

    def __init__(
        self, functions: Functions, shopper: Shopper, save: Callable[..., str], stack: Stack
    ) -> None:
        self._functions, self._shopper, self._save, self._stack = functions, shopper, save, stack
        self._white = variant_of(functions, "White - M")
        self._black = variant_of(functions, "Black - M")
        self._made: dict[Ink, tuple[str, dict[str, Any]]] = {}

    def product(self, ink: Ink) -> tuple[str, dict[str, Any]]:
        """The id of a saved design with this box of ink, and its product at the printer."""
        if ink not in self._made:
            design = self._save(self._shopper.person, image=design_of(ink))
            body = {"designId": design, "imageBase64": "", "selectedColors": [str(self._white["id"])]}
            made = self._functions.body_of("create-printify-product", body, self._shopper.token)
            self._made[ink] = design, self._functions.printify(f"products/{made['printifyProductId']}.json")
        return self._made[ink]

    def placed(self, product: dict[str, Any]) -> dict[str, Any]:
        """The picture on the front of the white M."""
        (image,) = [
            image
            for area in product["print_areas"]
            if self._white["printify_variant_id"] in area["variant_ids"]
            for placeholder in area["placeholders"]
            if placeholder["position"] == "front"
            for image in placeholder["images"]
        ]
        assert isinstance(image, dict)
        return image

    def seen(self, product: dict[str, Any], view: int) -> tuple[Marked, Marked]:
        """Return where ink and where the shirt is seen in a mockup: a shirt is what changes with the colour."""
        white, black = (self._mockup(product["id"], variant, view) for variant in (self._white, self._black))
        ink = (white[..., 0] - white[..., 1] > 60) & (white[..., 2] - white[..., 1] > 20)
        return ink, np.abs(white - black).max(axis=2) > 40

    def _mockup(self, product: str, variant: dict[str, Any], view: int) -> npt.NDArray[np.int64]:
        place = f"/printify/mockup/{product}/{variant['printify_variant_id']}/{view}/mockup.jpg?s=800"
        response = httpx.get(self._stack.emulators_url + place, timeout=60)
        response.raise_for_status()
        return np.asarray(Image.open(io.BytesIO(response.content)).convert("RGB")).astype(np.int64)

    def print_file(self, design: str) -> tuple[int, int]:
        place = f"{self._stack.api_url}/storage/v1/object/print-files/{design}.png"
        response = httpx.get(place, headers={"authorization": f"Bearer {self._stack.service_role_key}"})
        response.raise_for_status()
        return Image.open(io.BytesIO(response.content)).size


@pytest.fixture(scope="module")
def printed_products(
    functions: Functions, shopper: Shopper, save_design: Callable[..., str], stack: Stack
) -> PrintedProducts:
    return PrintedProducts(functions, shopper, save_design, stack)


def spans(rows: Marked) -> list[int]:
    """From the first to the last marked pixel of each row."""
    columns = [np.flatnonzero(row) for row in rows]
    return [int(places[-1] - places[0]) + 1 for places in columns]


def width_of(marked: Marked) -> int:
    """The width that nine of ten marked rows do not exceed: no stray pixel, no sleeve."""
    rows = marked[marked.any(axis=1)]
    return int(np.percentile(spans(rows), 90))


def body_width(shirt: Marked, ink: Marked) -> int:
    """The shirt's width between its sides: below the sleeves, where a print of the chest ends."""
    lowest = int(np.flatnonzero(ink.any(axis=1))[-1])
    return int(np.median(spans(shirt[lowest - 20 : lowest + 20])))


@pytest.mark.parametrize("view", SHARES)
def test_designs_ink_fills_the_chest_in_every_view(printed_products: PrintedProducts, view: int) -> None:
    _, product = printed_products.product(_FULL)
    ink, shirt = printed_products.seen(product, view)
    least, most = SHARES[view]
    assert least <= width_of(ink) / body_width(shirt | ink, ink) <= most


@pytest.mark.parametrize(
    ("name", "ink"),
    [
        ("square", _SQUARE),
        ("wide", _WIDE),
        ("tall", _TALL),
        ("tiny", _TINY),
    ],
)
def test_product_mockup_and_print_file_agree(printed_products: PrintedProducts, name: str, ink: Ink) -> None:
    """The width in inches is the same in all three: by the placement, by the file's pixels, by the picture."""
    design, product = printed_products.product(ink)
    placed = printed_products.placed(product)
    by_product = placed["scale"] * 3909 / 300
    pixels = printed_products.print_file(design)
    assert (placed["width"], placed["height"]) == pixels
    assert pixels[0] / pixels[1] == pytest.approx((ink[2] - ink[0]) / (ink[3] - ink[1]), rel=0.02)
    assert pixels[0] / by_product >= 149.5, "at least 150 pixels an inch"
    seen, shirt = printed_products.seen(product, FLAT)
    # the shirt's sides are found where a full print ends, independently of this one's height
    whole = printed_products.seen(printed_products.product(_FULL)[1], FLAT)
    by_mockup = width_of(seen) / body_width(shirt | seen, whole[0]) * _FLAT_WIDTH
    assert by_mockup == pytest.approx(by_product, rel=0.06), name


def test_every_print_begins_at_the_same_height(printed_products: PrintedProducts) -> None:
    tops = {
        int(printed_products.seen(printed_products.product(ink)[1], FLAT)[0].any(axis=1).argmax())
        for ink in (_SQUARE, _WIDE, _TALL)
    }
    assert max(tops) - min(tops) <= 6


def test_seeded_designs_are_printed_where_all_designs_are(
    functions: Functions, printed_products: PrintedProducts, stack: Stack
) -> None:
    """Without margins in the file, and by the same rule."""
    rows = functions.sql("select name, printify_product_id from designs order by created_at limit 12")
    for row in rows:
        placed = printed_products.placed(functions.printify(f"products/{row['printify_product_id']}.json"))
        content = httpx.get(f"{stack.emulators_url}/printify/uploads/{placed['id']}").content
        with Image.open(io.BytesIO(content)) as picture:
            assert ink_box(picture) == (0, 0, *picture.size), row["name"]
            rule = placement(largest_print(picture.size), (3909, 4431))
        assert {name: placed[name] for name in rule} == rule, row["name"]
