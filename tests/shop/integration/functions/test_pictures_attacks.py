"""Attacks on pictures in Storage, by a stranger and by a hostile owner."""

from __future__ import annotations

import io
from typing import Any
from uuid import uuid4

import httpx
import pytest
from PIL import Image
from postgrest import APIError

from tests.shop.integration.functions.conftest import Functions, Shopper
from tests.shop.integration.functions.stored_designs import PICTURE, THUMBNAIL, Pictures, Saved
from tests.support.stacks import Stack
from tests.support.users import Person, Users


@pytest.fixture(scope="module")
def pictures(stack: Stack, functions: Functions) -> Pictures:
    return Pictures(stack, functions)


@pytest.fixture(scope="module")
def owner(users: Users) -> Person:
    return users.new("owner")


@pytest.fixture(scope="module")
def saved(pictures: Pictures, owner: Person) -> Saved:
    return pictures.save(owner)


MISSING = {"statusCode": "404", "error": "not_found", "message": "Object not found"}
DENIED = {
    "statusCode": "403",
    "error": "Unauthorized",
    "message": "new row violates row-level security policy",
}


def outcome(response: httpx.Response) -> tuple[int, Any]:
    body = response.json()
    return response.status_code, {name: body[name] for name in ("statusCode", "error", "message")}


@pytest.mark.parametrize("who", ["visitor", "stranger"])
@pytest.mark.parametrize(
    "route",
    [
        "/object/authenticated/designs/",
        "/object/designs/",
        "/object/info/designs/",
        "/render/image/authenticated/designs/",
    ],
)
def test_stranger_cannot_read_a_picture_by_its_name(
    pictures: Pictures, saved: Saved, stranger: Person, who: str, route: str
) -> None:
    token = "" if who == "visitor" else stranger.token
    for name in (saved.picture, saved.thumbnail):
        assert outcome(pictures.send("GET", route + name, token)) == (400, MISSING)


def test_private_bucket_has_no_public_addresses(pictures: Pictures, saved: Saved) -> None:
    assert pictures.send("GET", f"/object/public/designs/{saved.picture}").status_code == 400


def test_stranger_cannot_list_or_copy_or_move_pictures(
    pictures: Pictures, saved: Saved, stranger: Person
) -> None:
    for token in ("", stranger.token):
        listed = pictures.send("POST", "/object/list/designs", token, json={"prefix": ""}).json()
        # one's own folder alone
        assert {entry["name"] for entry in listed} <= {stranger.id}
        for prefix in (saved.owner.id, f"{saved.owner.id}/{saved.id}"):
            assert pictures.send("POST", "/object/list/designs", token, json={"prefix": prefix}).json() == []
            listing = pictures.send("POST", "/object/list-v2/designs", token, json={"prefix": prefix}).json()
            assert listing["objects"] + listing["folders"] == []
        assert (
            pictures.send("POST", "/object/list/design-thumbnails", token, json={"prefix": ""}).json() == []
        )
        for verb in ("copy", "move"):
            names = {
                "bucketId": "designs",
                "sourceKey": saved.picture,
                "destinationKey": f"{stranger.id}/x.png",
            }
            assert outcome(pictures.send("POST", f"/object/{verb}", token, json=names)) == (400, MISSING)
    own = pictures.send(
        "POST", "/object/list/designs", saved.owner.token, json={"prefix": f"{saved.owner.id}/{saved.id}"}
    )
    assert [entry["name"] for entry in own.json()] == ["picture.png", "thumbnail.jpg"]


def test_only_whole_names_of_saved_pictures_are_signed(
    pictures: Pictures, saved: Saved, owner: Person, stranger: Person
) -> None:
    unsaved = f"{owner.id}/{pictures.begin(owner)}/picture.png"
    assert pictures.upload(owner, unsaved, PICTURE).status_code == 200
    for token in ("", stranger.token):
        assert pictures.signed(unsaved, token) is None
        assert pictures.signed(saved.thumbnail, token) is None
        assert pictures.signed(f"{owner.id}/{uuid4()}/picture.png", token) is None
        assert pictures.signed(f"{owner.id}/not-an-id/picture.png", token) is None
        many = pictures.send(
            "POST",
            "/object/sign/designs",
            token,
            json={"expiresIn": 60, "paths": [saved.picture, saved.thumbnail]},
        )
        assert [entry["signedURL"] for entry in many.json()] == [None, None]


def test_picture_is_written_once_and_by_its_owner(
    pictures: Pictures, saved: Saved, owner: Person, stranger: Person
) -> None:
    begun = f"{owner.id}/{pictures.begin(owner)}/picture.png"
    for name in (saved.picture, begun, f"{stranger.id}/{uuid4()}/picture.png", "picture.png"):
        assert outcome(pictures.upload(stranger, name, PICTURE)) == (400, DENIED)
        assert outcome(
            pictures.send("POST", f"/object/designs/{name}", kind="image/png", content=PICTURE)
        ) == (400, DENIED)
    for name in (saved.picture, saved.thumbnail, begun.replace("picture.png", "page.html")):
        assert outcome(pictures.upload(owner, name, b"other")) == (400, DENIED)
    replaced = pictures.send(
        "PUT", f"/object/designs/{saved.picture}", owner.token, kind="image/png", content=b"other"
    )
    assert replaced.status_code == 400
    for token in ("", stranger.token, owner.token):
        gone = pictures.send("DELETE", "/object/designs", token, json={"prefixes": [saved.picture]})
        assert gone.json() == []
    assert pictures.signed(saved.picture) == PICTURE


def test_row_cannot_name_another_persons_picture(
    pictures: Pictures, saved: Saved, stranger: Person, stack: Stack
) -> None:
    begun = pictures.begin(stranger)
    names = [
        saved.picture,
        f"{stranger.id}/{saved.id}/picture.png",
        f"{stranger.id}/{begun}/picture.png",  # nothing was uploaded
        f"{stranger.id}/{begun}/../{saved.picture}",
        "https://evil.example/x.png",
        "",
    ]
    for name in names:
        with pytest.raises(APIError) as problem:
            pictures.insert(stranger, name)
        assert (problem.value.code, problem.value.message) == (
            "42501",
            "There is no upload of yours with this picture",
        )
    for change in (
        {"image_url": saved.picture},
        {"thumbnail_url": saved.thumbnail},
        {"user_id": saved.owner.id},
    ):
        with pytest.raises(APIError) as problem:
            stranger.client.table("designs").update(change).eq("user_id", stranger.id).execute()
        assert problem.value.code == "42501"
    service = {"apikey": stack.service_role_key, "authorization": f"Bearer {stack.service_role_key}"}
    forged = httpx.post(
        f"{stack.api_url}/rest/v1/designs",
        headers=service,
        json={"user_id": stranger.id, "name": "x", "image_url": saved.picture},
    )
    assert (forged.status_code, forged.json()["code"]) == (400, "23514")


def test_upload_belongs_to_one_person_and_one_design(
    pictures: Pictures, owner: Person, stranger: Person
) -> None:
    with pytest.raises(APIError) as problem:
        stranger.client.table("design_uploads").insert({"user_id": owner.id}).execute()
    assert problem.value.code == "42501"
    with pytest.raises(APIError) as problem:
        stranger.client.table("design_uploads").insert({"id": str(uuid4()), "user_id": stranger.id}).execute()
    assert problem.value.code == "42501"
    again = pictures.save(owner)
    with pytest.raises(APIError) as problem:
        pictures.insert(owner, again.picture)
    assert problem.value.code == "42501"


def test_account_has_room_for_twenty_uploads(pictures: Pictures, users: Users) -> None:
    hoarder = users.new("hoarder")
    for _ in range(20):
        pictures.begin(hoarder)
    with pytest.raises(APIError) as problem:
        pictures.begin(hoarder)
    assert problem.value.code == "42501"


def test_stranger_cannot_show_a_thumbnail_as_anothers(
    pictures: Pictures, owner: Person, stranger: Person
) -> None:
    publication = pictures.publish(pictures.save(owner))
    own = pictures.save(stranger)
    for target in (f"{publication}.jpg", f"{uuid4()}.jpg", "index.html", f"{publication}.jpg/x"):
        assert outcome(pictures.copy(stranger, own.thumbnail, target)) == (400, DENIED)
        written = pictures.send(
            "POST",
            f"/object/design-thumbnails/{target}",
            stranger.token,
            kind="image/jpeg",
            content=THUMBNAIL,
        )
        assert outcome(written) == (400, DENIED)
    assert pictures.shown(publication).content == THUMBNAIL


def test_owner_cannot_publish_a_large_thumbnail(pictures: Pictures, owner: Person) -> None:
    saved = pictures.save(owner, thumbnail=b"\xff\xd8" + b"x" * 300_000)
    publication = pictures.publish(saved, copies=False)
    assert pictures.copy(owner, saved.thumbnail, f"{publication}.jpg").json()["statusCode"] == "413"


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"<script>alert(1)</script>", "text/html", "415"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/svg+xml", "415"),
        (b"\x89PNG" + b"x" * 10_500_097, "image/png", "413"),
    ],
)
def test_upload_of_another_type_or_size_is_refused(
    pictures: Pictures, owner: Person, content: bytes, kind: str, status: str
) -> None:
    name = f"{owner.id}/{pictures.begin(owner)}/picture.png"
    response = pictures.upload(owner, name, content, kind)
    assert (response.status_code, response.json()["statusCode"]) == (400, status)


def test_markup_called_a_picture_is_sent_as_a_picture_and_never_printed(
    pictures: Pictures, shopper: Shopper
) -> None:
    markup = b"<script>alert(1)</script>"
    saved = pictures.save(shopper.person, picture=markup)
    signed = pictures.send("POST", f"/object/sign/designs/{saved.picture}", json={"expiresIn": 60}).json()[
        "signedURL"
    ]
    response = httpx.get(f"{pictures.stack.api_url}/storage/v1{signed}")
    assert (response.headers["content-type"], response.headers["x-content-type-options"]) == (
        "image/png",
        "nosniff",
    )
    assert _product_of(pictures, shopper, saved) == (400, "not_an_image")


def test_picture_of_two_hundred_megapixels_is_never_decoded(pictures: Pictures, shopper: Shopper) -> None:
    out = io.BytesIO()
    Image.new("1", (14_200, 14_200)).save(out, "PNG")
    saved = pictures.save(shopper.person, picture=out.getvalue())
    # Pillow refuses by the header alone
    assert _product_of(pictures, shopper, saved) == (400, "not_an_image")


def _product_of(pictures: Pictures, shopper: Shopper, saved: Saved) -> tuple[int, str]:
    body = {"designId": saved.id, "imageBase64": "", "selectedColors": [shopper.variants["Black - S"]["id"]]}
    return pictures.functions.error_of("create-printify-product", body, shopper.token)
