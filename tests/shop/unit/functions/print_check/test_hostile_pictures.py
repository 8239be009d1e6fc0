"""Hostile sides: each is told what is wrong with it; mending does away with that, or is refused."""

from __future__ import annotations

from random import Random

import pytest
from _shared.core.errors import ShopError
from _shared.print_check.check import check, check_ground, check_resolution
from _shared.print_check.findings import Place
from _shared.print_check.mends import mend

from tests.shop.unit.functions.print_check import hostile_pictures, strangers_pictures
from tests.shop.unit.functions.print_check.hostile_pictures import DPI, Hostile
from tests.support.random_cases import few

FAMILIES = {**hostile_pictures.FAMILIES, **strangers_pictures.FAMILIES}
CASES = [(family, number) for family in hostile_pictures.FAMILIES for number in few(range(25), 1)]
STRANGERS = [(family, number) for number in range(3) for family in strangers_pictures.FAMILIES]
# what only a hand can mend
REFUSED = {"grain", "tiny_lettering"}


def kinds(hostile: Hostile) -> set[str]:
    found = {finding.kind for finding in check(hostile.picture, hostile.cloth, dpi=DPI)}
    return found | ({"box_around_photo"} if check_ground(hostile.picture) else set())


@pytest.mark.parametrize(("family", "number"), [*CASES, *few(STRANGERS, 5)])
def test_hostile_side_is_found_out_and_mended_or_refused(family: str, number: int) -> None:
    hostile = FAMILIES[family](Random(f"{family} {number}"))
    assert hostile.kind in kinds(hostile)
    if hostile.mend is None:
        return
    try:
        mended = mend(hostile.picture, hostile.mend, DPI)
    except ShopError as refused:
        assert (refused.status, refused.code, family in REFUSED) == (400, "cannot_mend", True)
        return
    assert hostile.kind not in kinds(Hostile(mended, hostile.kind, hostile.cloth))


@pytest.mark.parametrize("number", few(range(25), 2))
def test_coarse_picture_names_the_place_where_it_is_sharp(number: int) -> None:
    dice = Random(number)
    dpi, scale = dice.uniform(3, 37), dice.uniform(0.1, 1)
    (found,) = check_resolution(dpi, place=Place(0.5, 0.5, scale))
    assert (found.kind, found.mend, found.severity == "stop") == ("low_resolution", "shrink", dpi < 18.75)
    assert found.place is not None
    assert check_resolution(dpi * scale / (found.place.scale - 0.0001)) == []
