"""Pictures from words and photos, print products, imports and ZIP codes."""

import base64
import io
import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import httpx
import psycopg
import pytest
from PIL import Image, ImageDraw

from tests.shop.integration.functions.conftest import Functions, Json, Shopper, address_of, png
from tests.support.stacks import Stack
from tests.support.users import Person, Users

# What the local artist draws and restyles in the least time: no test here looks at more than the format.
WORDS: Json = {
    "prompt": "A circle",
    "style": "Minimalist",
    "mood": "colorful",
    "background_color_name": "Black",
    "background_color_hex": "#1A1A1A",
    "has_typography": False,
    "seed": 7,
}
PHOTO: Json = {
    "style": "Line art",
    "instructions": "",
    "typography": "",
    "background_color_name": "White",
    "background_color_hex": "#FFFFFF",
}


def opened(response: Json) -> Image.Image:
    assert set(response) == {"image"}
    image = Image.open(io.BytesIO(base64.b64decode(response["image"])))
    image.load()
    return image


def photo(size: tuple[int, int] = (900, 600)) -> str:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, "JPEG")
    return base64.b64encode(out.getvalue()).decode()


def test_text_request_returns_a_png(functions: Functions, stranger: Person) -> None:
    image = opened(functions.body_of("generate-design-image", WORDS, stranger.token))
    assert image.format == "PNG"
    assert min(image.size) >= 1024
    assert image.has_transparency_data


def test_photo_request_returns_a_png(functions: Functions, stranger: Person) -> None:
    for image in (photo(), f"data:image/jpeg;base64,{photo()}"):
        made = opened(functions.body_of("edit-design-image", PHOTO | {"image": image}, stranger.token))
        assert made.format == "PNG"


@pytest.mark.parametrize(
    "change",
    [
        {"style": "Ghibli"},
        {"mood": "gloomy"},
        {"prompt": "  "},
        {"prompt": "x" * 2001},
        {"background_color_hex": "red"},
    ],
)
def test_unknown_option_is_refused(functions: Functions, stranger: Person, change: Json) -> None:
    assert functions.error_of("generate-design-image", WORDS | change, stranger.token) == (
        400,
        "invalid_request",
    )


def test_upload_that_is_not_a_picture_is_refused(functions: Functions, stranger: Person) -> None:
    def error_for(image: str) -> tuple[int, str]:
        return functions.error_of("edit-design-image", PHOTO | {"image": image}, stranger.token)

    assert error_for("not base64 at all!") == (400, "not_an_image")
    assert error_for(base64.b64encode(b"MZ\x90\x00 a program").decode()) == (400, "not_an_image")
    assert error_for(base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()) == (
        400,
        "not_an_image",
    )
    assert error_for(base64.b64encode(os.urandom(11_000_000)).decode()) == (413, "image_too_large")
    assert error_for("A" * 21_000_000) == (413, "payload_too_large")
    # a file of 200 kB that would take 720 MB
    many_pixels = io.BytesIO()
    Image.new("RGB", (8000, 8000), "teal").save(many_pixels, "PNG")
    assert error_for(base64.b64encode(many_pixels.getvalue()).decode()) == (413, "image_too_large")


def test_design_gets_one_product_with_every_variant(functions: Functions, shopper: Shopper) -> None:
    product = functions.printify(f"products/{shopper.product_id}.json")
    enabled = {variant["id"] for variant in product["variants"] if variant["is_enabled"]}
    assert enabled == {row["printify_variant_id"] for row in shopper.variants.values()}
    covered = [variant for area in product["print_areas"] for variant in area["variant_ids"]]
    assert sorted(set(covered)) == sorted(covered)
    assert enabled <= set(covered)
    assert functions.sql(
        "select printify_product_id from public.designs where id = %s", shopper.design_id
    ) == [{"printify_product_id": shopper.product_id}]
    body = {
        "designId": shopper.design_id,
        "imageBase64": png(color="#000"),
        "selectedColors": [_any(shopper)],
    }
    again = functions.body_of("create-printify-product", body, shopper.token)
    assert again == {
        "success": True,
        "printifyProductId": shopper.product_id,
        "printDpi": None,
        "warnings": [],
    }


def print_file(stack: Stack, design_id: str, key: str) -> httpx.Response:
    place = f"{stack.api_url}/storage/v1/object/print-files/{design_id}.png"
    return httpx.get(place, headers={"authorization": f"Bearer {key}"})


def test_print_file_is_made_anew_for_an_order_that_comes_while_it_is_being_removed(
    functions: Functions,
    shopper: Shopper,
    stack: Stack,
    save_design: Callable[..., str],
    request: pytest.FixtureRequest,
) -> None:
    design = save_design(shopper.person)
    body = {"designId": design, "imageBase64": "", "selectedColors": [_any(shopper)]}
    product = functions.body_of("create-printify-product", body, shopper.token)["printifyProductId"]
    stored = print_file(stack, design, stack.service_role_key)
    cart = replace(shopper, design_id=design, product_id=product).cart(
        shipping_address=address_of(shopper, request)
    )
    with psycopg.connect(stack.db_url) as deciding, ThreadPoolExecutor() as buyer:
        # decided before the order was there, and committed while it goes to print
        deciding.execute(
            "set local session_replication_role = replica; "
            "update storage.objects set updated_at = now() - interval '91 days' "
            f"where bucket_id = 'print-files' and name = '{design}.png'; "
            "set local session_replication_role = origin; "
            "update private.print_file_walk set after_name = '', due_at = now()"
        )
        assert deciding.execute("select public.retire_print_files(90, 1000)").fetchone() == (1,)
        placed = functions.body_of("create-payment-intent", cart, shopper.token)
        order = placed["order_id"]
        functions.stripe(
            f"payment_intents/{placed['payment_intent_id']}/confirm", payment_method="pm_card_visa"
        )
        printed = buyer.submit(pay_and_print, functions, shopper, order)
        functions.until("select 1 from pg_locks where locktype = 'advisory' and not granted")
        deciding.commit()
        assert printed.result(60)["success"]
    functions.sweep()  # or the stack's own, at the same time
    there = "exists (select from storage.objects where bucket_id = 'print-files' and name = %s)"
    functions.until(f"select 1 where {there} and not {there}", f"{design}-2.png", f"{design}.png")
    assert print_file(stack, design, stack.service_role_key).status_code == 400
    assert print_file(stack, f"{design}-2", stack.service_role_key).content == stored.content


def pay_and_print(functions: Functions, shopper: Shopper, order: str) -> Json:
    functions.body_of("update-order-status", {"order_id": order, "status": "paid"}, shopper.token)
    return functions.body_of("create-printify-order", {"orderId": order}, shopper.token)


def noise(width: int, height: int) -> str:
    """An ellipse of coloured noise on a transparent background: such a picture compresses badly."""
    rng, small = random.Random(7), (width // 4, height // 4)
    image = Image.frombytes("RGB", small, rng.randbytes(small[0] * small[1] * 3)).resize((width, height))
    mask = Image.new("L", image.size)
    ImageDraw.Draw(mask).ellipse((100, 100, width - 100, height - 100), fill=255)
    image.putalpha(mask)
    out = io.BytesIO()
    image.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def test_print_file_is_trimmed_large_hard_edged_and_private(
    functions: Functions, shopper: Shopper, stranger: Person, stack: Stack, save_design: Callable[..., str]
) -> None:
    design = save_design(shopper.person, image=noise(1300, 450))
    body = {"designId": design, "imageBase64": "", "selectedColors": [_any(shopper)]}
    made = functions.body_of("create-printify-product", body, shopper.token)
    assert (made["printDpi"], made["warnings"]) == (300, [])
    stored = print_file(stack, design, stack.service_role_key)
    assert len(stored.content) > 5_000_000  # so the printer got it by its address
    with Image.open(io.BytesIO(stored.content)) as image:
        assert (image.format, image.size) == ("PNG", (4140, 944))
        assert {value for value, count in enumerate(image.getchannel("A").histogram()) if count} == {0, 255}
    product = functions.printify(f"products/{made['printifyProductId']}.json")
    (placed,) = {
        picture["id"]
        for area in product["print_areas"]
        for placeholder in area["placeholders"]
        for picture in placeholder["images"]
    }
    upload = functions.printify(f"../../uploads/{placed}.json")
    assert (upload["width"], upload["height"], upload["size"]) == (4140, 944, len(stored.content))
    for key in (stranger.token, shopper.token, stack.anon_key):
        assert print_file(stack, design, key).status_code == 400


@pytest.mark.parametrize(
    ("image", "word"),
    [
        (png((300, 300)), "This picture is small (300 × 300 pixels)"),
        (photo((900, 900)), "This design has no transparent background, so it prints as a rectangle."),
    ],
)
def test_print_quality_warning_reaches_the_shopper(
    functions: Functions, shopper: Shopper, save_design: Callable[..., str], image: str, word: str
) -> None:
    design = save_design(shopper.person, image=image)
    body = {"designId": design, "imageBase64": "", "selectedColors": [_any(shopper)]}
    (warning,) = functions.body_of("create-printify-product", body, shopper.token)["warnings"]
    assert warning.startswith(word)


def _any(shopper: Shopper) -> str:
    return str(shopper.variants["Red - M"]["id"])


def test_only_the_owner_makes_a_designs_product(
    functions: Functions, shopper: Shopper, stranger: Person, save_design: Callable[..., str]
) -> None:
    design = save_design(shopper.person)
    body = {"designId": design, "imageBase64": png(), "selectedColors": [_any(shopper)]}
    assert functions.error_of("create-printify-product", body, stranger.token) == (404, "design_not_found")
    unknown = body | {"selectedColors": ["00000000-0000-4000-8000-000000000000"]}
    assert functions.error_of("create-printify-product", unknown, shopper.token) == (
        409,
        "variant_unavailable",
    )
    assert functions.error_of("create-printify-product", body | {"selectedColors": []}, shopper.token) == (
        400,
        "invalid_request",
    )


def test_design_that_is_no_picture_is_not_printed(
    functions: Functions, shopper: Shopper, save_design: Callable[..., str]
) -> None:
    design = save_design(shopper.person, image="aGVsbG8=")
    body = {"designId": design, "imageBase64": png(), "selectedColors": [_any(shopper)]}
    assert functions.error_of("create-printify-product", body, shopper.token) == (400, "not_an_image")


def test_import_is_an_own_copy_ready_to_order(
    functions: Functions, shopper: Shopper, stranger: Person
) -> None:
    made = functions.body_of("import-design", {"originalDesignId": shopper.design_id}, stranger.token)
    assert made["success"] is True
    assert made["designId"] != shopper.design_id
    columns = "name, image_data, printify_product_id, selected_colors"
    own: Any = stranger.client.table("designs").select(columns).eq("id", made["designId"]).execute().data
    original: Any = (
        shopper.person.client.table("designs").select(columns).eq("id", shopper.design_id).execute().data
    )
    assert own == original


def test_order_of_a_shared_design_uses_the_copy_that_is_there(
    functions: Functions, shopper: Shopper, users: Users
) -> None:
    buyer = users.new("buyer")
    order = {"originalDesignId": shopper.design_id, "reuse": True}
    first = functions.body_of("import-design", order, buyer.token)
    assert first["isNew"] is True
    again = {"success": True, "designId": first["designId"], "isNew": False}
    assert functions.body_of("import-design", order, buyer.token) == again
    # as specified, 'Use This Design' makes another copy
    used = functions.body_of("import-design", {"originalDesignId": shopper.design_id}, buyer.token)
    assert used["designId"] != first["designId"]
    own = {"success": True, "designId": shopper.design_id, "isNew": False}
    assert functions.body_of("import-design", order, shopper.token) == own


def test_import_of_an_unknown_design_is_not_found(functions: Functions, stranger: Person) -> None:
    missing = {"originalDesignId": "00000000-0000-4000-8000-000000000000"}
    assert functions.error_of("import-design", missing, stranger.token) == (404, "design_not_found")
    assert functions.error_of("import-design", {"originalDesignId": "x"}, stranger.token) == (
        400,
        "invalid_request",
    )


def test_zip_code_lookup_is_public(functions: Functions) -> None:
    assert functions.body_of("lookup-zip-code", {"zipCode": " 90210 "}) == {
        "city": "Beverly Hills",
        "state": "CA",
    }
    assert functions.body_of("lookup-zip-code", {"zipCode": "00000"}) == {"error": "ZIP code not found"}


@pytest.mark.parametrize("zip_code", ["9021", "902101", "ABCDE", "90 10", "../..", "", None, 90210])
def test_malformed_zip_code_is_refused(functions: Functions, zip_code: Any) -> None:
    assert functions.error_of("lookup-zip-code", {"zipCode": zip_code}) == (400, "invalid_request")


def test_signed_out_token_is_refused(functions: Functions, users: Users) -> None:
    person = users.new("leaver")
    person.client.auth.sign_out()
    assert functions.error_of("import-design", {"originalDesignId": "x"}, person.token) == (
        401,
        "unauthenticated",
    )
