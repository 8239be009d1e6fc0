"""A link that its owner has ended, as Storage and import-design see it: the picture and the copy need the key."""

from __future__ import annotations

import pytest

from tests.shop.integration.functions.conftest import Functions
from tests.shop.integration.functions.stored_designs import PICTURE, Pictures
from tests.support.stacks import Stack
from tests.support.users import Person, Users

NOT_FOUND = (404, "design_not_found")


@pytest.fixture(scope="module")
def pictures(stack: Stack, functions: Functions) -> Pictures:
    return Pictures(stack, functions)


@pytest.fixture(scope="module")
def artist(users: Users) -> Person:
    return users.new("artist")


def test_picture_of_an_ended_link_is_signed_with_its_key_alone(
    pictures: Pictures, artist: Person, stranger: Person
) -> None:
    saved = pictures.save(artist)
    assert pictures.signed(saved.picture, stranger.token) == PICTURE
    key = str(artist.client.rpc("end_design_link", {"design": saved.id}).execute().data)
    for token in ("", stranger.token):
        assert pictures.signed(saved.picture, token) is None
        assert pictures.signed(saved.picture, token, key[:-1]) is None
        assert pictures.signed(saved.picture, token, key) == PICTURE
        # the key opens the one picture, and no other way to it
        assert pictures.send("GET", f"/object/designs/{saved.picture}", token, link_key=key).is_error
        assert pictures.signed(saved.thumbnail, token, key) is None
    assert pictures.signed(saved.picture, artist.token) == PICTURE


def test_import_by_an_ended_link_needs_its_key(pictures: Pictures, artist: Person, stranger: Person) -> None:
    saved = pictures.save(artist)
    key = str(artist.client.rpc("end_design_link", {"design": saved.id}).execute().data)
    functions, body = pictures.functions, {"originalDesignId": saved.id}
    assert functions.error_of("import-design", body, stranger.token) == NOT_FOUND
    assert functions.error_of("import-design", body | {"key": key.upper()}, stranger.token) == NOT_FOUND
    made = functions.body_of("import-design", body | {"key": key}, stranger.token)
    origin = "select original_id::text from private.design_origins where copy_id = %s"
    assert functions.sql(origin, made["designId"]) == [{"original_id": saved.id}]
    # the owner needs none
    assert functions.body_of("import-design", body, artist.token)["success"] is True
