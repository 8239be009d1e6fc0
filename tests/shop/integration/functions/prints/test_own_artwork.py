"""Artwork after it was brought along: cut out and put back, deleted, swept, taken along, and gone with its account."""

from __future__ import annotations

import base64
import io
from typing import Any
from uuid import uuid4

import pytest
from PIL import Image, ImageDraw
from postgrest import APIError

from tests.shop.integration.functions.conftest import Functions, Json, Shopper, png
from tests.shop.integration.functions.test_accounts import DELETE, EXPORT, unpacked
from tests.shop.integration.functions.test_designs import PHOTO, WORDS, photo
from tests.shop.integration.functions.test_scenes import EMPTY, artwork, begin, done, drawn, lettering, save
from tests.support.users import PASSWORD, Person, Users


def boxed(side: int = 600) -> str:
    """A disc on a white ground that fills the frame."""
    image = Image.new("RGB", (side, side), "#ffffff")
    ImageDraw.Draw(image).ellipse((side // 4, side // 4, side * 3 // 4, side * 3 // 4), fill="#2746e6")
    out = io.BytesIO()
    image.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def layer(source: str) -> Json:
    return {"id": "p", "kind": "picture", "source": source, "x": 0.5, "y": 0.4, "scale": 0.2, "angle": 0}


def add(functions: Functions, person: Person, file: str) -> str:
    return str(functions.body_of("add-artwork", artwork(file), person.token)["artwork"]["id"])


def delete(person: Person, id: str) -> str:
    """Why it is refused; empty where it is gone."""
    try:
        person.client.rpc("delete_artwork", {"artwork": id}).execute()
    except APIError as error:
        return str(error.message)
    return ""


def stored(functions: Functions, person: Person) -> set[str]:
    rows = functions.sql(
        "select name from storage.objects where bucket_id = 'artwork' and name like %s", f"{person.id}/%"
    )
    return {row["name"].split("/")[1] for row in rows}


@pytest.fixture
def owner(users: Users) -> Person:
    return users.new("artwork-owner")


@pytest.fixture
def shirt(functions: Functions, shopper: Shopper, owner: Person) -> tuple[Shopper, str]:
    """The owner with an empty shirt."""
    owning = Shopper(owner, "", "", shopper.variants)
    return owning, begin(functions, owning)


def test_background_is_cut_out_and_the_picture_with_it_stays(
    functions: Functions, shirt: tuple[Shopper, str]
) -> None:
    (owning, design), person = shirt, shirt[0].person
    original = add(functions, person, boxed())
    revision = save(person, design, EMPTY | {"front": [layer(original)]}, 1)
    wish = {"designId": design, "revision": revision, "layer": "p", "mend": "cut_out"}
    cut = functions.body_of("mend-picture", wish, owning.token)["artworkId"]
    own: Any = person.client.table("design_artwork").select("made_from, made_by").eq("id", cut).execute().data
    assert own == [{"made_from": original, "made_by": "cut_out"}]
    picture = Image.open(
        io.BytesIO(person.client.storage.from_("artwork").download(f"{person.id}/{cut}.png"))
    )
    assert picture.getpixel((5, 5))[3] == 0  # type: ignore[index]
    assert picture.getpixel((300, 300))[3] == 255  # type: ignore[index]
    # once made it is found again
    assert functions.body_of("mend-picture", wish, owning.token)["artworkId"] == cut
    # as far as it was looked at: what an admin has seen is not replaced by what none has
    functions.sql("update design_artwork set review = 'passed' where id = %s", original)
    seen = functions.body_of("mend-picture", wish, owning.token)["artworkId"]
    reviews = functions.sql("select id::text, review from design_artwork where made_from = %s", original)
    assert {row["id"]: row["review"] for row in reviews} == {cut: "waiting", seen: "passed"}
    # and what is cut out has no background
    again = wish | {"revision": save(person, design, EMPTY | {"front": [layer(cut)]}, revision)}
    assert functions.error_of("mend-picture", again, owning.token) == (400, "no_background")
    # the original can be put back as long as the cut-out is on a shirt
    assert "shows this picture" in delete(person, original)
    assert stored(functions, person) == {f"{original}.png", f"{cut}.png", f"{seen}.png"}


def test_artwork_is_deleted_by_its_owner_where_nothing_uses_it(
    functions: Functions, shirt: tuple[Shopper, str], stranger: Person
) -> None:
    (owning, design), person = shirt, shirt[0].person
    used, unused = add(functions, person, drawn()), add(functions, person, drawn("JPEG"))
    assert delete(stranger, unused) == "There is no such picture of yours."
    assert delete(person, unused) == ""
    assert delete(person, unused) == "There is no such picture of yours."
    revision = save(person, design, EMPTY | {"front": [layer(used)]}, 1)
    assert delete(person, used).startswith("The drawing of “Untitled Design” shows this picture.")
    functions.body_of("finish-scene", done(design, revision), owning.token)
    save(person, design, EMPTY | {"front": [lettering("Hi")]}, revision)
    assert delete(person, used).startswith("A version of “Untitled Design” shows this picture.")
    assert person.client.rpc("ask_for_review", {"design": design}).execute().data is True
    assert delete(person, used).startswith("Your design “Untitled Design” is being looked at")
    (row,) = functions.sql("select printify_product_id as product from designs where id = %s", design)
    buyer = Shopper(person, design, row["product"], owning.variants)
    functions.body_of("create-payment-intent", buyer.cart(), person.token)
    assert delete(person, used).startswith("An order of “Untitled Design” is printed with this picture")
    functions.sweep()
    assert stored(functions, person) == {f"{used}.png"}


def test_artwork_of_one_person_takes_a_gigabyte_at_most(
    functions: Functions, owner: Person, shirt: tuple[Shopper, str]
) -> None:
    functions.sql(
        "insert into design_artwork (user_id, name, media_type, width, height, bytes) "
        "select %s, '', 'image/png', 1, 1, 20000000 from generate_series(1, 53)",
        owner.id,
    )
    scene = EMPTY | {"front": [layer(add(functions, owner, drawn()))]}
    revision = save(owner, shirt[1], scene, 1)
    functions.sql(
        "update design_artwork set bytes = 20900000 where user_id = %s and bytes = 20000000", owner.id
    )
    assert functions.error_of("add-artwork", artwork(drawn()), owner.token) == (429, "artwork_full")
    # before a model is paid
    made = functions.predictions()
    wish = {"designId": shirt[1], "revision": revision, "layer": "p", "mend": "enlarge"}
    assert functions.error_of("mend-picture", wish, owner.token) == (429, "artwork_full")
    assert functions.predictions() == made
    assert len(stored(functions, owner)) == 1


def test_old_artwork_that_nothing_uses_is_swept_with_its_file(
    functions: Functions, shirt: tuple[Shopper, str]
) -> None:
    (_, design), person = shirt, shirt[0].person
    used, old, young = (add(functions, person, drawn(size=(30 + n, 20))) for n in range(3))
    save(person, design, EMPTY | {"back": [layer(used)]}, 1)
    functions.sql(
        "update design_artwork set created_at = now() - interval '91 days' where id in (%s, %s)", used, old
    )
    again = "update private.artwork_walk set due_at = now(), after_at = '-infinity'"
    functions.sql(again)
    functions.sweep()
    assert f"{old}.png" in stored(functions, person), "whoever draws may put it back"
    functions.sql(
        "update design_drafts set updated_at = now() - interval '8 days' where design_id = %s", design
    )
    functions.sql(again)
    # the shop's own sweep may be first
    functions.sweep()
    functions.until("select 1 where not exists (select from design_artwork where id = %s)", old)
    functions.sweep()
    functions.until(
        "select 1 where not exists (select from storage.objects where name = %s)", f"{person.id}/{old}.png"
    )
    assert stored(functions, person) == {f"{used}.png", f"{young}.png"}


def test_artwork_is_taken_along_and_goes_with_the_account(
    functions: Functions, shirt: tuple[Shopper, str]
) -> None:
    (_, design), person = shirt, shirt[0].person
    id = add(functions, person, drawn())
    save(person, design, EMPTY | {"front": [layer(id)]}, 1)
    copy, files = unpacked(functions.call(EXPORT, {}, person.token))
    (own,) = copy["scenes"]["artwork"]
    assert own["id"] == id
    assert Image.open(io.BytesIO(files[own["picture"]])).size == (60, 40)
    assert functions.body_of(DELETE, {"password": PASSWORD}, person.token) == {"success": True}
    functions.sweep()
    functions.until(
        "select 1 where not exists (select from storage.objects where name = %s)", f"{person.id}/{id}.png"
    )
    assert functions.sql("select 1 from design_artwork where id = %s", id) == []


def test_drawing_becomes_artwork_that_no_admin_has_to_see(
    functions: Functions, owner: Person, stranger: Person
) -> None:
    job = str(uuid4())
    functions.body_of("generate-design-image", WORDS | {"job_id": job}, owner.token)
    body: Json = {"job_id": job, "rightsConfirmed": True}
    added = functions.body_of("add-artwork", body, owner.token)["artwork"]
    assert added["review"] == "not_needed"
    assert stored(functions, owner) == {f"{added['id']}.png"}
    for token, wish in ((stranger.token, body), (owner.token, body | {"job_id": str(uuid4())})):
        assert functions.error_of("add-artwork", wish, token) == (404, "drawing_not_found")
    for wish in (body | {"fileBase64": drawn()}, {"rightsConfirmed": True}):
        assert functions.error_of("add-artwork", wish, owner.token) == (400, "invalid_request")


def test_idea_stays_with_its_design_and_only_its_owner_reads_it(
    functions: Functions, owner: Person, stranger: Person, shopper: Shopper
) -> None:
    job, asked = str(uuid4()), {name: value for name, value in WORDS.items() if name != "seed"}
    functions.body_of("generate-design-image", asked | {"job_id": job}, owner.token)
    row = {"user_id": owner.id, "name": "A circle", "image_data": png(), "thumbnail_data": "",
           "selected_colors": [next(iter(shopper.variants.values()))["id"]]}  # fmt: skip
    saved: Any = owner.client.table("designs").insert(row).execute().data
    design = saved[0]["id"]
    wish = {"design": design, "job": job}
    assert stranger.client.rpc("keep_idea", wish).execute().data is False
    assert owner.client.rpc("keep_idea", wish | {"job": str(uuid4())}).execute().data is False
    assert owner.client.rpc("keep_idea", wish).execute().data is True
    assert owner.client.rpc("keep_idea", wish).execute().data is False
    ideas = "kind, request, seed"
    own: Any = owner.client.table("design_ideas").select(ideas).eq("design_id", design).execute().data
    (seed,) = functions.sql("select seed from design_jobs where id = %s", job)
    assert own == [
        {"kind": "text_picture", "request": asked | {"seed": None}, "seed": seed["seed"]},
    ]
    theirs = stranger.client.table("design_ideas").select(ideas).eq("design_id", design).execute().data
    assert theirs == []
    copy, _ = unpacked(functions.call(EXPORT, {}, owner.token))
    assert [idea["design_id"] for idea in copy["scenes"]["ideas"]] == [design]


@pytest.mark.parametrize(
    ("slug", "request_"),
    # a drawing in lines alone has nothing of chance
    [
        ("generate-design-image", WORDS),
        ("edit-design-image", PHOTO | {"image": photo(), "seed": 7, "style": "Pop art"}),
    ],
    ids=["words", "photo"],
)
def test_pictures_of_one_seed_are_equal_and_others_differ(
    functions: Functions, owner: Person, slug: str, request_: Json
) -> None:
    """What changes with other words and the same seed is what was said."""
    first = functions.body_of(slug, request_, owner.token)["image"]
    assert functions.body_of(slug, request_, owner.token)["image"] == first
    other = functions.body_of(slug, request_ | {"seed": 8}, owner.token)["image"]
    assert other != first


def test_print_checks_of_one_person_are_counted_and_limited(
    functions: Functions, shirt: tuple[Shopper, str]
) -> None:
    (owning, design), person = shirt, shirt[0].person
    save(person, design, EMPTY | {"front": [lettering("Hi")]}, 1)
    question = {"designId": design, "color": next(iter(owning.variants.values()))["id"]}
    functions.body_of("check-print", question, owning.token)
    counted = "select kind from private.usage_events where user_id = %s and completed_at is not null"
    assert functions.sql(counted, person.id) == [{"kind": "print_check"}]
    functions.sql(
        "insert into private.usage_events (user_id, kind, reserved_at, expires_at, completed_at) "
        "select %s, 'print_check', now() - interval '1 minute', now(), now() from generate_series(1, 119)",
        person.id,
    )
    response = functions.call("check-print", question, owning.token)
    assert (response.status_code, response.json()["error"]) == (
        429, "You've reached our limit for print checks: 120 an hour for one person.",
    )  # fmt: skip
