"""/storage/v1/object/sign: addresses that give access to one private object for a limited time."""

from __future__ import annotations

import time

import httpx
import pytest
from localbase.core import jwt
from storage3.exceptions import StorageApiError

from tests.support.stacks import Stack
from tests.support.users import People, Person


@pytest.fixture(scope="module")
def users(services: Stack) -> People:
    return People(services)


@pytest.fixture(scope="module")
def owner(users: People) -> Person:
    return users.new("signer")


@pytest.fixture(scope="module")
def name(owner: Person) -> str:
    name = f"{owner.id}/a print.txt"
    owner.client.storage.from_("private").upload(
        name, b"mine alone", {"content-type": "text/plain", "upsert": "true"}
    )
    return name


def test_signed_address_reads_the_object_without_a_key(owner: Person, name: str) -> None:
    address = owner.client.storage.from_("private").create_signed_url(name, 60)["signedURL"]
    answer = httpx.get(str(address))
    assert (answer.status_code, answer.content) == (200, b"mine alone")
    assert answer.headers["content-type"].startswith("text/plain")
    named = owner.client.storage.from_("private").create_signed_url(name, 60, {"download": "shirt.txt"})
    assert "shirt.txt" in httpx.get(str(named["signedURL"])).headers["content-disposition"]


def test_signing_several_objects_names_the_missing_ones(owner: Person, name: str) -> None:
    made = owner.client.storage.from_("private").create_signed_urls([name, f"{owner.id}/no.txt"], 60)
    assert [(one["path"], one["error"] is None) for one in made] == [
        (name, True),
        (f"{owner.id}/no.txt", False),
    ]
    assert httpx.get(str(made[0]["signedURL"])).content == b"mine alone"


def test_address_is_signed_only_for_readable_objects(users: People, name: str) -> None:
    stranger = users.new("peeper").client.storage.from_("private")
    with pytest.raises(StorageApiError, match="Object not found"):
        stranger.create_signed_url(name, 60)
    assert stranger.create_signed_urls([name], 60)[0]["error"] is not None


def test_signed_address_is_valid_for_its_object_and_time(services: Stack, owner: Person, name: str) -> None:
    secret = services.jwt_secret
    place = f"{services.api_url}/storage/v1/object/sign/private/{name}"

    def status_and_error(claims: dict[str, object] | None, key: str = secret) -> tuple[int, str]:
        answer = httpx.get(place, params={"token": jwt.sign(claims, key)} if claims is not None else {})
        return answer.status_code, answer.json()["error"] if answer.status_code >= 400 else ""

    now = int(time.time())
    good = {"url": f"private/{name}", "scope": "download", "exp": now + 60}
    assert status_and_error(good) == (200, "")
    assert status_and_error(good | {"exp": now - 1}) == (400, "InvalidJWT")
    assert status_and_error(good, "another-secret-of-at-least-32-characters") == (400, "InvalidJWT")
    assert status_and_error(good | {"url": f"private/{owner.id}/other.txt"}) == (400, "InvalidSignature")
    assert status_and_error({"sub": owner.id, "role": "service_role", "exp": now + 60}) == (
        400,
        "InvalidSignature",
    )
    assert status_and_error(None) == (400, "Error")


@pytest.mark.parametrize("body", [{}, {"expiresIn": 0}, {"expiresIn": "soon"}, {"expiresIn": True}, []])
def test_signing_requires_an_expiry(services: Stack, owner: Person, name: str, body: object) -> None:
    answer = httpx.post(
        f"{services.api_url}/storage/v1/object/sign/private/{name}",
        json=body,
        headers={"authorization": f"Bearer {owner.token}"},
    )
    assert answer.status_code == 400
    assert answer.json()["error"] == "Error"
