"""/storage/v1/object/sign: addresses that give access to one private object for a limited time."""

from __future__ import annotations

import io
import time
import uuid
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from localbase.core.tokens import jwt
from PIL import Image
from storage3.exceptions import StorageApiError
from storage3.types import CreateSignedUploadUrlOptions

from tests.localbase.integration.storage.conftest import Api
from tests.support.stacks import Stack
from tests.support.users import Person, Users


@pytest.fixture(scope="module")
def name(owner: Person) -> str:
    name = f"{owner.id}/a print.txt"
    owner.client.storage.from_("folders").upload(
        name, b"mine alone", {"content-type": "text/plain", "upsert": "true"}
    )
    return name


def test_signed_address_reads_the_object_without_a_key(owner: Person, name: str) -> None:
    address = owner.client.storage.from_("folders").create_signed_url(name, 60)["signedURL"]
    response = httpx.get(str(address))
    assert (response.status_code, response.content) == (200, b"mine alone")
    assert response.headers["content-type"].startswith("text/plain")
    named = owner.client.storage.from_("folders").create_signed_url(name, 60, {"download": "shirt.txt"})
    assert "shirt.txt" in httpx.get(str(named["signedURL"])).headers["content-disposition"]


@pytest.mark.parametrize("transform", [None, {"width": 5}], ids=["object", "image"])
def test_signed_address_is_cached_until_it_ends(service: Api, transform: dict[str, int] | None) -> None:
    content = io.BytesIO()
    Image.new("RGB", (10, 10)).save(content, "PNG")
    path = f"sealed/{uuid.uuid4()}.png"
    kept = {"content-type": "image/png", "cache-control": "max-age=9"}
    service.send("POST", f"/object/{path}", content=content.getvalue(), headers=kept)
    signing = service.send("POST", f"/object/sign/{path}", json={"expiresIn": 60, "transform": transform})
    address = f"{service.stack.api_url}/storage/v1{signing.json()['signedURL']}"
    claims = jwt.verify(parse_qs(urlsplit(address).query)["token"][0], service.stack.jwt_secret, time.time())
    expires = format_datetime(datetime.fromtimestamp(claims["exp"], UTC), usegmt=True)
    shown = httpx.get(address)
    unchanged = httpx.get(address, headers={"if-none-match": shown.headers["etag"]})
    assert [shown.status_code, unchanged.status_code] == [200, 304]
    for response in (shown, unchanged, httpx.head(address)):
        assert response.headers["expires"] == expires
        assert "cache-control" not in response.headers


def test_signing_several_objects_names_the_missing_ones(owner: Person, name: str) -> None:
    made = owner.client.storage.from_("folders").create_signed_urls([name, f"{owner.id}/no.txt"], 60)
    assert [(one["path"], one["error"] is None) for one in made] == [
        (name, True),
        (f"{owner.id}/no.txt", False),
    ]
    assert httpx.get(str(made[0]["signedURL"])).content == b"mine alone"


def test_address_is_signed_only_for_readable_objects(users: Users, name: str) -> None:
    stranger = users.new("peeper").client.storage.from_("folders")
    with pytest.raises(StorageApiError, match="Object not found"):
        stranger.create_signed_url(name, 60)
    assert stranger.create_signed_urls([name], 60)[0]["error"] is not None


def test_signed_address_is_valid_for_its_object_and_time(storage: Stack, owner: Person, name: str) -> None:
    secret = storage.jwt_secret
    place = f"{storage.api_url}/storage/v1/object/sign/folders/{name}"

    def status_and_error(claims: dict[str, object] | None, key: str = secret) -> tuple[int, str]:
        response = httpx.get(place, params={"token": jwt.sign(claims, key)} if claims is not None else {})
        return response.status_code, response.json()["error"] if response.status_code >= 400 else ""

    now = int(time.time())
    good = {"url": f"folders/{name}", "scope": "download", "exp": now + 60}
    assert status_and_error(good) == (200, "")
    assert status_and_error(good | {"exp": now - 1}) == (400, "InvalidJWT")
    assert status_and_error(good, "another-secret-of-at-least-32-characters") == (400, "InvalidJWT")
    assert status_and_error(good | {"url": f"folders/{owner.id}/other.txt"}) == (400, "InvalidSignature")
    assert status_and_error({"sub": owner.id, "role": "service_role", "exp": now + 60}) == (
        400,
        "InvalidSignature",
    )
    assert status_and_error(None) == (400, "Error")


@pytest.mark.parametrize("body", [{}, {"expiresIn": 0}, {"expiresIn": "soon"}, {"expiresIn": True}, []])
def test_signing_requires_an_expiry(storage: Stack, owner: Person, name: str, body: object) -> None:
    response = httpx.post(
        f"{storage.api_url}/storage/v1/object/sign/folders/{name}",
        json=body,
        headers={"authorization": f"Bearer {owner.token}"},
    )
    assert response.status_code == 400
    assert response.json()["error"] == "Error"


def claims_of(api: Api, address: str) -> dict[str, Any]:
    token = parse_qs(urlsplit(address).query)["token"][0]
    return jwt.verify(token, api.stack.jwt_secret, time.time())


def test_token_names_its_object_and_its_use(api: Api, owner: Person, name: str) -> None:
    signed = api.send("POST", f"/object/sign/folders/{name}", json={"expiresIn": 60}).json()["signedURL"]
    claims = claims_of(api, signed)
    assert claims == {
        "url": f"folders/{name}",
        "scope": "download",
        "iat": claims["iat"],
        "exp": claims["iat"] + 60,
    }
    place = f"{owner.id}/{uuid.uuid4()}"
    response = api.send("POST", f"/object/upload/sign/folders/{place}", headers={"x-upsert": "true"}).json()
    claims = claims_of(api, response["url"])
    assert response["url"] == f"/object/upload/sign/folders/{place}?token={response['token']}"
    assert claims == {
        "url": f"folders/{place}",
        "scope": "upload",
        "owner": owner.id,
        "upsert": True,
        "iat": claims["iat"],
        "exp": claims["iat"] + 7200,
    }


@pytest.mark.parametrize(
    "extra",
    [
        {
            "url": "folders/other",
            "scope": "upload",
            "role": "service_role",
            "upsert": True,
            "exp": 99999999999,
        },
        {"transform": {"url": "folders/other", "role": "service_role"}},
    ],
)
def test_caller_adds_nothing_to_the_token(api: Api, name: str, extra: dict[str, Any]) -> None:
    body = {"expiresIn": 60, **extra}
    signed = api.send("POST", f"/object/sign/folders/{name}", json=body).json()["signedURL"]
    claims = claims_of(api, signed)
    assert {key: claims.get(key) for key in ("url", "scope", "role", "upsert")} == {
        "url": f"folders/{name}",
        "scope": "download",
        "role": None,
        "upsert": None,
    }
    assert claims["exp"] == claims["iat"] + 60


def test_address_of_one_kind_never_serves_as_the_other(api: Api, owner: Person, name: str) -> None:
    reading = api.send("POST", f"/object/sign/folders/{name}", json={"expiresIn": 60}).json()["signedURL"]
    writing = api.send("POST", f"/object/upload/sign/folders/{name}", headers={"x-upsert": "true"}).json()[
        "url"
    ]
    base = f"{api.stack.api_url}/storage/v1"

    def error(method: str, path: str, token: str) -> tuple[int, str, str]:
        response = httpx.request(method, base + path, params={"token": token}, content=b"x")
        return response.status_code, response.json()["code"], response.json()["message"]

    assert error("PUT", f"/object/upload/sign/folders/{name}", reading.partition("token=")[2]) == (
        400,
        "InvalidSignature",
        "Token is not scoped for upload",
    )
    assert error("GET", f"/object/sign/folders/{name}", writing.partition("token=")[2]) == (
        400,
        "InvalidSignature",
        "Token is not scoped for download",
    )
    secret, now = api.stack.jwt_secret, int(time.time())
    for claims in (
        {"url": f"folders/{name}", "exp": now + 60},
        {"url": f"folders/{name}", "scope": "upload"},
        {"url": f"folders/{name}", "scope": "download", "exp": now + 60},
        {"scope": "upload", "exp": now + 60, "role": "service_role", "sub": owner.id},
    ):
        assert error("PUT", f"/object/upload/sign/folders/{name}", jwt.sign(claims, secret))[0] == 400
    assert api.send("GET", f"/object/folders/{name}").content == b"mine alone"


def test_signed_address_is_no_key_and_no_token(api: Api, name: str) -> None:
    signed = api.send("POST", f"/object/sign/folders/{name}", json={"expiresIn": 60}).json()["signedURL"]
    token = signed.partition("token=")[2]
    base = api.stack.api_url
    assert httpx.get(f"{base}/rest/v1/", headers={"apikey": token}).status_code == 401
    assert httpx.get(f"{base}/auth/v1/settings", params={"apikey": token}).status_code == 401
    headers = {"authorization": f"Bearer {token}"}
    response = httpx.get(f"{base}/storage/v1/object/folders/{name}", headers=headers)
    assert (response.status_code, response.json()["code"]) == (400, "NoSuchKey")


def test_signed_upload_writes_once_for_its_owner(api: Api, owner: Person, users: Users) -> None:
    folder, name = owner.client.storage.from_("folders"), f"{owner.id}/{uuid.uuid4()}"
    signed = folder.create_signed_upload_url(name)
    anonymous = users.anonymous.storage.from_("folders")
    anonymous.upload_to_signed_url(name, signed["token"], b"by address", {"content-type": "text/plain"})
    assert folder.download(name) == b"by address"
    with pytest.raises(StorageApiError, match="already exists"):
        anonymous.upload_to_signed_url(name, signed["token"], b"again")
    listed = folder.list(owner.id, {"search": name.split("/")[1]})
    assert [one["name"] for one in listed] == [name.split("/")[1]]
    again = folder.create_signed_upload_url(name, CreateSignedUploadUrlOptions(upsert="true"))
    anonymous.upload_to_signed_url(name, again["token"], b"in its place")
    assert folder.download(name) == b"in its place"
    shown = api.send("DELETE", "/object/folders", json={"prefixes": [name]}).json()
    assert [one["owner_id"] for one in shown] == [owner.id]


def test_signing_an_upload_needs_permission_and_a_free_name(api: Api, stranger: Api, name: str) -> None:
    assert stranger.error("POST", f"/object/upload/sign/folders/{name}")[1]["code"] == "AccessDenied"
    assert api.error("POST", f"/object/upload/sign/folders/{name}")[1]["code"] == "ResourceAlreadyExists"
    assert api.error("POST", f"/object/upload/sign/nowhere/{name}")[1]["code"] == "NoSuchBucket"


def test_signed_upload_meets_the_buckets_limits(service: Api, bucket: str) -> None:
    service.send("PUT", f"/bucket/{bucket}", json={"file_size_limit": 3, "allowed_mime_types": ["text/*"]})
    address = service.send(
        "POST", f"/object/upload/sign/{bucket}/a.txt", headers={"content-type": "text/plain"}
    )
    place = f"{service.stack.api_url}/storage/v1{address.json()['url']}"
    text = {"content-type": "text/plain"}
    assert httpx.put(place, content=b"four", headers=text).json()["code"] == "EntityTooLarge"
    assert httpx.put(place, content=iter([b"four"]), headers=text).json()["code"] == "EntityTooLarge"
    assert (
        httpx.put(place, content=b"3", headers={"content-type": "image/png"}).json()["code"]
        == "InvalidMimeType"
    )
    assert httpx.put(place, content=b"3", headers=text).json() == {"Key": f"{bucket}/a.txt"}


@pytest.mark.parametrize("seconds", [2**53, 10**13])
def test_expiry_beyond_all_clocks_is_400(api: Api, name: str, seconds: int) -> None:
    assert api.error("POST", f"/object/sign/folders/{name}", json={"expiresIn": seconds}) == (
        400,
        {
            "statusCode": "400",
            "code": "InvalidParameter",
            "error": "InvalidParameter",
            "message": "Invalid Parameter expiresIn",
        },
    )


@pytest.mark.parametrize("paths", [None, [], "a", [1], ["a"] * 1001])
def test_signing_several_needs_a_list_of_names(api: Api, paths: object) -> None:
    status, body = api.error("POST", "/object/sign/folders", json={"expiresIn": 60, "paths": paths})
    assert (status, body["code"], body["error"]) == (400, "InvalidRequest", "Error")
