"""Scenes at their functions: artwork that people bring along, 'Done', versions, and the attacks on each."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from PIL import Image

from tests.shop.integration.functions.conftest import Functions, Json, Shopper, png
from tests.support.users import Person

EMPTY: Json = {"version": 1, "front": [], "back": []}
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">%s</svg>'


def lettering(text: str, **changes: object) -> Json:
    return {
        "id": f"l-{uuid4().hex[:8]}", "kind": "lettering", "text": text, "face": "anton", "color": "#ff0000",
        "x": 0.5, "y": 0.3, "scale": 0.2, "angle": 0, **changes,
    }  # fmt: skip


def picture(source: str) -> Json:
    return {"id": "p", "kind": "picture", "source": source, "x": 0.5, "y": 0.5, "scale": 0.2, "angle": 0}


def encoded(content: bytes | str) -> str:
    return base64.b64encode(content.encode() if isinstance(content, str) else content).decode()


def drawn(kind: str = "PNG", size: tuple[int, int] = (60, 40), **options: Any) -> str:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, kind, **options)
    return encoded(out.getvalue())


def artwork(file: str) -> Json:
    return {"fileBase64": file, "name": "Logo <b>", "rightsConfirmed": True}


def begin(functions: Functions, shopper: Shopper) -> str:
    body = {"selectedColors": [next(iter(shopper.variants.values()))["id"]]}
    return str(functions.body_of("begin-design", body, shopper.token)["designId"])


def save(person: Person, design: str, scene: Json, revision: int) -> int:
    arguments = {"design": design, "scene": scene, "revision": revision}
    return int(str(person.client.rpc("save_scene", arguments).execute().data))


def done(design: str, revision: int, job: str = "") -> Json:
    return {"designId": design, "revision": revision, "job_id": job or str(uuid4())}


def copied(functions: Functions, design: str, person: Person) -> Json:
    """What a person's copy of a design is made of."""
    copy = functions.body_of("import-design", {"originalDesignId": design}, person.token)["designId"]
    (row,) = functions.sql(
        "select d.image_url, d.printify_product_id, d.has_back, v.number, v.print_files, f.scene, "
        "f.scene = v.scene as is_same from designs d join design_versions v on v.id = d.current_version "
        "join design_drafts f on f.design_id = d.id where d.id = %s",
        copy,
    )
    assert row["image_url"] == f"{person.id}/{copy}/v1.png"
    assert (row["number"], row["print_files"], row["is_same"]) == (1, [], True)
    return row


def test_lettered_shirt_is_made_of_an_empty_one_with_both_sides(
    functions: Functions, shopper: Shopper, stranger: Person
) -> None:
    design = begin(functions, shopper)
    scene = EMPTY | {"front": [lettering("Front")], "back": [lettering("Back", scale=0.5)]}
    body = done(design, save(shopper.person, design, scene, 1))
    made = functions.body_of("finish-scene", body, shopper.token)
    assert made == {
        "success": True, "versionId": made["versionId"], "number": 1, "printifyProductId": made["printifyProductId"],
        "warnings": [],
    }  # fmt: skip
    # a repetition finds its job, whatever was saved since
    save(shopper.person, design, EMPTY, 2)
    assert functions.body_of("finish-scene", body, shopper.token) == made
    assert functions.error_of("finish-scene", done(design, 2), shopper.token) == (409, "scene_conflict")
    assert functions.error_of("finish-scene", done(design, 3), shopper.token) == (400, "empty_picture")

    product = functions.printify(f"products/{made['printifyProductId']}.json")
    areas = product["print_areas"]
    for area in areas:
        places = {item["position"]: item["images"] for item in area["placeholders"] if item["images"]}
        assert {side: [round(image["scale"], 2) for image in images] for side, images in places.items()} == {
            "front": [0.2], "back": [0.5]
        }  # fmt: skip
    (row,) = functions.sql(
        "select image_url, thumbnail_url, printify_product_id, has_back, current_version::text "
        "from designs where id = %s",
        design,
    )
    folder = f"{shopper.person.id}/{design}"
    assert row == {
        "image_url": f"{folder}/v1.png", "thumbnail_url": f"{folder}/v1.jpg", "has_back": True,
        "printify_product_id": made["printifyProductId"], "current_version": made["versionId"],
    }  # fmt: skip
    stored = {
        row["name"]
        for row in functions.sql("select name from storage.objects where name like %s", f"{folder}/%")
    }
    assert stored == {f"{folder}/v1.png", f"{folder}/v1.jpg", f"{folder}/v1-back.png"}
    files = functions.sql(
        "select name from storage.objects where name like %s order by 1", f"{made['versionId']}-%"
    )
    # a copy shares the product; a stranger's shows each side as one picture, the owner's has the layers
    theirs, own = copied(functions, design, stranger), copied(functions, design, shopper.person)
    for copy in (theirs, own):
        assert (copy["printify_product_id"], copy["has_back"]) == (made["printifyProductId"], True)
    assert own["scene"] == scene
    assert theirs["scene"]["front"][0]["source"] == "design"
    (back,) = theirs["scene"]["back"]
    assert functions.sql("select user_id::text from design_artwork where id = %s", back["source"]) == [
        {"user_id": stranger.id}
    ]
    assert [file["name"] for file in files] == [
        f"{made['versionId']}-back.png",
        f"{made['versionId']}-front.png",
    ]


def test_untouched_picture_is_printed_as_it_always_was(
    functions: Functions, shopper: Shopper, save_design: Callable[..., str]
) -> None:
    # small, so that a print is made of it in no time
    design = save_design(shopper.person, png((120, 120)))
    colors = [next(iter(shopper.variants.values()))["id"]]
    body = {"designId": design, "imageBase64": "", "selectedColors": colors}
    product = functions.body_of("create-printify-product", body, shopper.token)["printifyProductId"]
    areas = functions.printify(f"products/{product}.json")["print_areas"]
    places = [area["placeholders"][0]["images"][0] for area in areas]
    # where it is the smallest share of the largest area
    place = min(places, key=lambda image: float(image["scale"]))
    layer = {
        "id": "design",
        "kind": "picture",
        "source": "design",
        # the circle of the picture, without its margins
        "crop": {"left": 20 / 120, "top": 20 / 120, "width": 81 / 120, "height": 81 / 120},
        **{name: place[name] for name in ("x", "y", "scale", "angle")},
    }
    untouched = done(design, save(shopper.person, design, EMPTY | {"front": [layer]}, 0))
    made = functions.body_of("finish-scene", untouched, shopper.token)
    assert (made["number"], made["printifyProductId"]) == (1, product)
    moved = done(design, save(shopper.person, design, EMPTY | {"front": [layer | {"x": 0.4}]}, 1))
    adjusted = functions.body_of("finish-scene", moved, shopper.token)
    assert adjusted["number"] == 2
    assert adjusted["printifyProductId"] != product
    arguments = {"version": made["versionId"]}
    assert shopper.person.client.rpc("return_to_version", arguments).execute().data == 3
    (row,) = functions.sql("select printify_product_id, image_url from designs where id = %s", design)
    assert row == {"printify_product_id": product, "image_url": f"{shopper.person.id}/{design}/picture.png"}


def test_two_that_are_done_at_once_make_one_version(functions: Functions, shopper: Shopper) -> None:
    design = begin(functions, shopper)
    revision = save(shopper.person, design, EMPTY | {"front": [lettering("Once")]}, 1)
    with ThreadPoolExecutor(2) as pool:
        calls = [
            pool.submit(functions.call, "finish-scene", done(design, revision), shopper.token)
            for _ in range(2)
        ]
        responses = [call.result() for call in calls]
    assert {response.status_code for response in responses} <= {200, 503}
    assert functions.sql("select count(*) as n from design_versions where design_id = %s", design) == [
        {"n": 1}
    ]


def test_scene_with_what_may_not_be_printed_is_refused(
    functions: Functions, shopper: Shopper, stranger: Person
) -> None:
    design = begin(functions, shopper)
    theirs = functions.body_of("add-artwork", artwork(drawn()), stranger.token)["artwork"]["id"]
    revision = 1
    for scene, error in (
        (EMPTY | {"front": [picture(theirs)]}, (404, "artwork_not_found")),
        (EMPTY | {"front": [picture("design")]}, (404, "artwork_not_found")),
        (
            EMPTY | {"front": [lettering("Hello")], "back": [lettering("Heil Hitler")]},
            (422, "lettering_refused"),
        ),
        (EMPTY | {"back": [lettering("swas", x=0.2), lettering("tika", x=0.4)]}, (422, "lettering_refused")),
        (EMPTY | {"front": [lettering("Hi", face="../../etc")]}, (400, "scene_invalid")),
    ):
        revision = save(shopper.person, design, scene, revision)
        assert functions.error_of("finish-scene", done(design, revision), shopper.token) == error
    assert functions.error_of("finish-scene", done(design, revision), stranger.token) == (
        404,
        "design_not_found",
    )
    assert functions.sql("select 1 from design_versions where design_id = %s", design) == []


def test_artwork_is_cleaned_and_belongs_to_its_owner(
    functions: Functions, shopper: Shopper, stranger: Person
) -> None:
    svg = _SVG % '<script>alert(1)</script><path d="M0 0h40v20z" onclick="alert(2)" fill="red"/>'
    added = functions.body_of("add-artwork", artwork(encoded(svg)), shopper.token)["artwork"]
    assert added | {"id": ""} == {
        "id": "", "width": 2000, "height": 1000, "mediaType": "image/svg+xml", "review": "waiting"
    }  # fmt: skip
    name = f"{shopper.person.id}/{added['id']}.svg"
    content = shopper.person.client.storage.from_("artwork").download(name)
    assert b"alert" not in content
    with pytest.raises(Exception, match="Object not found"):
        stranger.client.storage.from_("artwork").download(name)
    for kind in ("JPEG", "WEBP"):
        added = functions.body_of("add-artwork", artwork(drawn(kind)), shopper.token)["artwork"]
        assert (added["width"], added["height"], added["mediaType"]) == (60, 40, "image/png")
    design = begin(functions, shopper)
    revision = save(shopper.person, design, EMPTY | {"front": [picture(added["id"])]}, 1)
    made = functions.body_of("finish-scene", done(design, revision), shopper.token)
    (version,) = functions.sql("select review from design_versions where id = %s", made["versionId"])
    assert version == {"review": "waiting"}


@pytest.mark.parametrize(
    ("file", "error"),
    [
        ("no base64!", (400, "invalid_request")),
        (encoded("hello"), (400, "not_an_image")),
        (drawn("GIF"), (400, "artwork_refused")),
        (partial(drawn, "PNG", (8000, 8000)), (413, "image_too_large")),
        (encoded('<!DOCTYPE svg [<!ENTITY a "aa">]>' + _SVG % "&a;"), (400, "artwork_refused")),
        (encoded(_SVG % "<foreignObject/>"), (400, "artwork_refused")),
        (encoded(_SVG % '<image href="http://127.0.0.1/x.png"/>'), (400, "artwork_refused")),
        (encoded(_SVG % "<style>@import 'http://127.0.0.1/';</style>"), (400, "artwork_refused")),
        (encoded(_SVG % "<text>Heil Hitler</text>"), (400, "artwork_refused")),
        (encoded(_SVG % '<g id="a"><use href="#a"/></g>'), (400, "artwork_refused")),
        (encoded(_SVG % "<g/>"), (400, "artwork_refused")),
        (encoded(base64.b64decode(drawn("JPEG")) + b"\xff\xda" * 100), (400, "artwork_refused")),
    ],
)
def test_hostile_artwork_is_refused(
    functions: Functions, shopper: Shopper, file: str | Callable[[], str], error: tuple[int, str]
) -> None:
    # A large one is drawn here: every worker makes the list.
    content = file if isinstance(file, str) else file()
    assert functions.error_of("add-artwork", artwork(content), shopper.token) == error


def test_artwork_needs_its_rights_confirmed(functions: Functions, shopper: Shopper) -> None:
    for confirmed in (False, None, "yes"):
        body = artwork(drawn()) | {"rightsConfirmed": confirmed}
        assert functions.error_of("add-artwork", body, shopper.token) == (400, "invalid_request")
