"""Stored pictures by address: what an <img> without a session gets."""

from __future__ import annotations

import base64

import httpx
import pytest

from tests.support.stacks import Stack
from tests.support.users import Person, Users

THUMBNAIL, PICTURE = b"\xff\xd8\xffa small JPEG", b"\x89PNG a whole picture"
IMG_ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"


@pytest.fixture(scope="module")
def artist(users: Users) -> Person:
    """A user who publishes."""
    person = users.new("artist")
    person.client.table("profiles").update({"public_name": "Inky"}).eq("id", person.id).execute()
    return person


def save(artist: Person, *, public: bool, thumbnail: str | None = None, picture: str | None = None) -> str:
    row = {
        "user_id": artist.id,
        "name": "A fox",
        "image_data": picture or base64.b64encode(PICTURE).decode(),
        "thumbnail_data": thumbnail,
    }
    saved = artist.client.table("designs").insert(row).execute().data[0]
    design = str(saved["id"])  # type: ignore[index,call-overload]
    if public:
        artist.client.table("public_designs").insert({"design_id": design, "user_id": artist.id}).execute()
    return design


def image(stack: Stack, function: str, design: str) -> httpx.Response:
    """The request of a browser's <img>: the key in the query, no header of the API."""
    return httpx.get(
        f"{stack.api_url}/rest/v1/rpc/{function}",
        params={"design": design, "apikey": stack.publishable_key},
        headers={"accept": IMG_ACCEPT},
    )


def shown(response: httpx.Response) -> tuple[int, str, str, str, bytes]:
    names = ("content-type", "cache-control", "x-content-type-options")
    kind, cache, sniff = [response.headers[name] for name in names]
    return response.status_code, kind, cache, sniff, response.content


def test_thumbnail_of_a_public_design_is_a_cacheable_image(stack: Stack, artist: Person) -> None:
    design = save(artist, public=True, thumbnail=base64.b64encode(THUMBNAIL).decode())
    response = image(stack, "design_thumbnail", design)
    assert shown(response) == (200, "image/jpeg", "public, max-age=3600", "nosniff", THUMBNAIL)


def test_thumbnail_with_a_data_prefix_is_the_same_image(stack: Stack, artist: Person) -> None:
    encoded = "data:image/jpeg;base64," + base64.b64encode(THUMBNAIL).decode()
    response = image(stack, "design_thumbnail", save(artist, public=True, thumbnail=encoded))
    assert (response.status_code, response.content) == (200, THUMBNAIL)


def test_private_designs_thumbnail_is_not_sent(stack: Stack, artist: Person) -> None:
    design = save(artist, public=False, thumbnail=base64.b64encode(THUMBNAIL).decode())
    response = image(stack, "design_thumbnail", design)
    assert response.status_code == 404
    assert response.json() == {
        "code": "PT404",
        "details": None,
        "hint": None,
        "message": "There is no such picture",
    }


def test_link_of_a_private_design_shows_its_picture(stack: Stack, artist: Person) -> None:
    response = image(stack, "design_picture", save(artist, public=False))
    assert shown(response) == (200, "image/png", "private, max-age=86400", "nosniff", PICTURE)


def test_markup_in_place_of_a_picture_is_sent_as_an_image(stack: Stack, artist: Person) -> None:
    markup = base64.b64encode(b"<script>alert(1)</script>").decode()
    response = image(stack, "design_picture", save(artist, public=False, picture=markup))
    assert shown(response)[1:4] == ("image/png", "private, max-age=86400", "nosniff")


def test_lists_say_whether_there_is_a_thumbnail(stack: Stack, artist: Person) -> None:
    bare, dressed = save(artist, public=True), save(artist, public=True, thumbnail="aGk=")
    response = httpx.get(
        f"{stack.api_url}/rest/v1/designs",
        params={"select": "id,has_thumbnail", "id": f"in.({bare},{dressed})"},
        headers={"apikey": stack.publishable_key},
    )
    has_thumbnail = {row["id"]: row["has_thumbnail"] for row in response.json()}
    assert has_thumbnail == {bare: False, dressed: True}


def test_invalid_design_id_has_no_picture(stack: Stack) -> None:
    assert image(stack, "design_picture", "'; select 1; --").status_code == 400
