"""The demo's designs at the printer: what a newcomer opens first can be seen, and bought, in every colour."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from emulators.seed_products import make_products, read_places
from tests.shop.integration.functions.conftest import Functions
from tests.shop.integration.functions.stored_designs import Pictures
from tests.support.stacks import Stack
from tests.support.users import Users

_PRINTER = {"authorization": "Bearer printify_emulator_token", "user-agent": "Teesmith tests"}
_FRONT = 102048


@pytest.fixture
def printer(stack: Stack) -> httpx.Client:
    return httpx.Client(base_url=f"{stack.emulators_url}/printify", headers=_PRINTER, timeout=60)


def _product(printer: httpx.Client, functions: Functions, design: dict[str, Any]) -> dict[str, Any]:
    shop = printer.get("/v1/shops.json").json()[0]["id"]
    response = printer.get(f"/v1/shops/{shop}/products/{design['printify_product_id']}.json")
    response.raise_for_status()
    product: dict[str, Any] = response.json()
    return product


def test_every_seeded_design_is_offered_in_every_colour_and_size(
    printer: httpx.Client, functions: Functions
) -> None:
    sold = {
        row["printify_variant_id"]
        for row in functions.sql("select printify_variant_id from product_variants")
    }
    designs = functions.sql(
        "select d.name, d.printify_product_id from designs d join public_designs p on p.design_id = d.id"
        " order by d.created_at limit 8"
    )
    assert len(designs) == 8
    for design in designs:
        product = _product(printer, functions, design)
        offered = {variant["id"] for variant in product["variants"] if variant["is_enabled"]}
        printed = {id for area in product["print_areas"] for id in area["variant_ids"]}
        assert sold <= offered, design["name"]
        assert sold <= printed, design["name"]


def test_blank_design_does_not_stop_the_others(
    functions: Functions, stack: Stack, users: Users, save_design: Callable[..., str]
) -> None:
    person = users.new("maker")
    clear, huge = io.BytesIO(), io.BytesIO()
    Image.new("RGBA", (40, 40)).save(clear, "PNG")
    Image.new("1", (14_200, 14_200)).save(huge, "PNG")
    good = save_design(person)
    stored = Pictures(stack, functions).save(person).id
    broken = [
        save_design(person, image)
        for image in (
            "aGVsbG8=",
            "no base64",
            base64.b64encode(clear.getvalue()).decode(),
            base64.b64encode(huge.getvalue()).decode(),
        )
    ]
    environ = {
        "SUPABASE_URL": stack.api_url,
        "SUPABASE_SERVICE_ROLE_KEY": stack.service_role_key,
        "PRINTIFY_API_BASE": f"{stack.emulators_url}/printify",
        "EMULATORS_PORT": stack.emulators_url.rpartition(":")[2],
    }
    places = read_places(environ, {})
    assert make_products(places) >= 1
    assert make_products(places) == 0
    products = functions.sql(
        "select id::text, printify_product_id is not null as made from designs where id = any(%s)",
        [good, stored, *broken],
    )
    assert {row["id"]: row["made"] for row in products} == {good: True, stored: True} | dict.fromkeys(
        broken, False
    )


def test_seeded_design_shows_on_a_colour_that_its_maker_did_not_choose(
    printer: httpx.Client, functions: Functions
) -> None:
    (design,) = functions.sql(
        "with colours as (select *, split_part(name, ' - ', 1) as colour from product_variants)"
        " select d.printify_product_id, v.printify_variant_id from designs d"
        " join public_designs p on p.design_id = d.id join colours v on v.name like '%% - M'"
        " where v.colour not in (select colour from colours where id = any(d.selected_colors))"
        " order by d.created_at, v.name limit 1"
    )
    address = (
        f"/mockup/{design['printify_product_id']}/{design['printify_variant_id']}/{_FRONT}/mockup.jpg?s=400"
    )
    response = printer.get(address)
    response.raise_for_status()
    picture = np.asarray(Image.open(io.BytesIO(response.content)).convert("RGB"), np.float32)
    chest, belly = picture[120:220, 140:260], picture[270:330, 160:240]
    # cloth alone varies a little in its folds, a print much more
    assert chest.std(axis=(0, 1)).max() > 10 * belly.std(axis=(0, 1)).max()
