"""The print check and its mends at their functions, and what admins see of an order's print files."""

from __future__ import annotations

import base64
import io
from uuid import uuid4

import httpx
from PIL import Image, ImageDraw

from tests.shop.integration.functions.conftest import Functions, Json, Shopper
from tests.shop.integration.functions.test_scenes import EMPTY, begin, done, lettering, save
from tests.support.users import Person


def glowing(side: int = 900) -> str:
    """A disc in a wide see-through ring."""
    image = Image.new("RGBA", (side, side))
    pen = ImageDraw.Draw(image)
    pen.ellipse((side // 8, side // 8, side * 7 // 8, side * 7 // 8), fill="#35b38aa0")
    pen.ellipse((side // 3, side // 3, side * 2 // 3, side * 2 // 3), fill="#2746e6")
    out = io.BytesIO()
    image.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def layer(source: str, **changes: object) -> Json:
    place = {"x": 0.5, "y": 0.4, "scale": 0.3, "angle": 0}
    return {"id": "p", "kind": "picture", "source": source, **place, **changes}


def add_artwork(functions: Functions, token: str) -> str:
    body = {"fileBase64": glowing(), "name": "Glow", "rightsConfirmed": True}
    return str(functions.body_of("add-artwork", body, token)["artwork"]["id"])


def test_soft_picture_is_found_on_its_side_and_mended(
    functions: Functions, shopper: Shopper, stranger: Person
) -> None:
    design, artwork = begin(functions, shopper), add_artwork(functions, shopper.token)
    revision = save(shopper.person, design, EMPTY | {"back": [layer(artwork)]}, 1)
    question = {"designId": design, "color": next(iter(shopper.variants.values()))["id"]}
    findings = functions.body_of("check-print", question, shopper.token)["findings"]
    assert [(found["side"], found["kind"], found["layer"], found["mend"]) for found in findings] == [
        ("back", "half_transparent", "p", "harden")
    ]
    (found,) = findings
    assert 0.3 < found["box"][0] < found["box"][2] < 0.7
    wish = {"designId": design, "revision": revision, "layer": "p", "mend": "harden"}
    mended = functions.body_of("mend-picture", wish, shopper.token)["artworkId"]
    save(shopper.person, design, EMPTY | {"back": [layer(mended)]}, revision)
    assert functions.body_of("check-print", question, shopper.token)["findings"] == []
    (row,) = functions.sql("select user_id::text, review from design_artwork where id = %s", mended)
    assert row == {"user_id": shopper.person.id, "review": "waiting"}

    assert functions.error_of("mend-picture", wish, shopper.token) == (409, "scene_conflict")
    again = wish | {"revision": revision + 1}
    assert functions.error_of("mend-picture", again | {"layer": "q"}, shopper.token) == (400, "cannot_mend")
    assert functions.error_of("check-print", question | {"color": str(uuid4())}, shopper.token) == (
        404, "variant_not_found",
    )  # fmt: skip
    # another person's picture in a scene of one's own
    theirs = begin(functions, shopper)
    save(shopper.person, theirs, EMPTY | {"front": [layer(add_artwork(functions, stranger.token))]}, 1)
    for slug, body in (("check-print", question), ("mend-picture", wish | {"revision": 2})):
        assert functions.error_of(slug, body | {"designId": theirs}, shopper.token) == (
            404,
            "artwork_not_found",
        )


def test_admin_sees_an_orders_files_in_centimetres(
    functions: Functions, shopper: Shopper, admin: Person, paid: Json
) -> None:
    body = {"order_id": paid["order_id"]}
    (front,) = functions.body_of("list-print-files", body, admin.token)["files"]
    assert front["side"] == "front"
    for size in front["sizes"]:
        assert 5 < size["width_cm"] < 38.1
        assert 5 < size["height_cm"] < 43.2
    picture = Image.open(io.BytesIO(httpx.get(front["address"], timeout=30).raise_for_status().content))
    shapes = {round(size["width_cm"] / size["height_cm"], 1) for size in front["sizes"]}
    assert shapes == {round(picture.width / picture.height, 1)}


def test_admin_sees_each_side_of_a_shirt_that_is_printed_on_both(
    functions: Functions, shopper: Shopper, admin: Person
) -> None:
    design = begin(functions, shopper)
    scene = EMPTY | {"front": [lettering("Hi")], "back": [lettering("Hi", scale=0.5)]}
    revision = save(shopper.person, design, scene, 1)
    made = functions.body_of("finish-scene", done(design, revision), shopper.token)
    buyer = Shopper(shopper.person, design, made["printifyProductId"], shopper.variants)
    placed = functions.body_of("create-payment-intent", buyer.cart(), shopper.token)
    files = functions.body_of("list-print-files", {"order_id": placed["order_id"]}, admin.token)["files"]
    assert [file["side"] for file in files] == ["front", "back"]
    front, back = ({size["shirt"]: size["width_cm"] for size in file["sizes"]} for file in files)
    assert front.keys() == back.keys() == {"M", "L"}
    # 0.2 and 0.5 of the same areas; the areas differ by size
    assert {shirt: round(back[shirt] / front[shirt], 1) for shirt in back} == {"M": 2.5, "L": 2.5}
    assert all(6 < front[shirt] < 8 for shirt in front)
