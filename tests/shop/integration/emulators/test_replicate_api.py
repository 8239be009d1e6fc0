"""The Replicate emulator's other calls: files, cancelling, versions, webhooks, pages."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from replicate.client import Client

from tests.shop.integration.emulators.conftest import Listener, Served

MODEL = "/v1/models/openai/gpt-image-1.5"
INPUT = {"prompt": "T-shirt print design.\nIdea: a happy otter\nStyle: Cartoon"}
SOON_DRAWN = {"prompt": "T-shirt print design.\nIdea: a circle\nStyle: Minimalist"}


@pytest.fixture(scope="module")
def api(emulators: Served) -> Iterator[httpx.Client]:
    headers = {"authorization": "Bearer r8_emulator"}
    with httpx.Client(base_url=f"{emulators.url}/replicate", headers=headers, timeout=60) as client:
        yield client


def problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["title"]


@pytest.mark.parametrize("value", ["", "Bearer wrong", "Basic r8_emulator", "r8_emulator"])
def test_wrong_token_is_rejected(api: httpx.Client, value: str) -> None:
    assert problem(api.get("/v1/account", headers={"authorization": value})) == (401, "Unauthenticated")


def test_token_has_the_old_scheme_too(api: httpx.Client) -> None:
    account = api.get("/v1/account", headers={"authorization": "Token r8_emulator"}).json()
    assert (account["type"], account["username"]) == ("organization", "teesmith")


def test_file_is_described_and_removed(emulators: Served) -> None:
    client = Client(api_token="r8_emulator", base_url=f"{emulators.url}/replicate")
    content = b"bytes of a photo"
    with httpx.Client(headers={"authorization": "Bearer r8_emulator"}) as http:
        made = http.post(
            f"{emulators.url}/replicate/v1/files", files={"content": ("photo.jpg", content, "image/jpeg")}
        )
    assert made.status_code == 201
    file = made.json()
    assert (file["name"], file["content_type"], file["size"]) == ("photo.jpg", "image/jpeg", len(content))
    assert file["checksums"]["sha256"] == hashlib.sha256(content).hexdigest()
    assert file["urls"]["get"].endswith(f"/v1/files/{file['id']}")
    assert file["expires_at"] > file["created_at"]
    assert client.files.get(file["id"]).id == file["id"]
    client.files.delete(file["id"])
    gone = httpx.get(file["urls"]["get"], headers={"authorization": "Bearer r8_emulator"})
    assert gone.status_code == 404


def test_upload_without_content_is_rejected(api: httpx.Client) -> None:
    assert problem(api.post("/v1/files", data={"content": "text"})) == (400, "Missing content")


def test_model_is_described_and_an_unknown_one_is_missing(api: httpx.Client) -> None:
    model = api.get(MODEL).json()
    assert (model["owner"], model["name"], model["visibility"]) == ("openai", "gpt-image-1.5", "public")
    assert api.get("/v1/models/openai/nothing").status_code == 404
    assert api.post("/v1/models/openai/nothing/predictions", json={"input": INPUT}).status_code == 404


def test_prediction_by_version_names_the_model_in_its_body(api: httpx.Client) -> None:
    body = {"version": "openai/gpt-image-1.5", "input": SOON_DRAWN}
    made = api.post("/v1/predictions", json=body, headers={"prefer": "wait"})
    assert (made.status_code, made.headers["preference-applied"]) == (201, "wait")
    assert (made.json()["model"], made.json()["status"]) == ("openai/gpt-image-1.5", "succeeded")
    unknown = api.post("/v1/predictions", json={"version": "5c7d5dc6dd8bf75c1acaa8565735e798", "input": {}})
    assert problem(unknown) == (422, "Invalid version or not permitted")
    both = api.post(f"{MODEL}/predictions", json=body)
    assert problem(both) == (422, "Unexpected field")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'"text"'])
def test_body_must_be_an_object(api: httpx.Client, content: bytes) -> None:
    assert problem(api.post(f"{MODEL}/predictions", content=content)) == (400, "Bad request")


def test_wait_ends_after_its_seconds(api: httpx.Client) -> None:
    made = api.post(f"{MODEL}/predictions", json={"input": INPUT}, headers={"prefer": "wait=0"})
    assert made.headers["preference-applied"] == "wait=0"
    assert made.json()["status"] in ("starting", "processing")
    assert made.json()["output"] is None
    api.post(f"/v1/predictions/{made.json()['id']}/cancel")


def test_cancelled_prediction_stays_cancelled(api: httpx.Client) -> None:
    made = api.post(f"{MODEL}/predictions", json={"input": INPUT}).json()
    cancelled = api.post(f"/v1/predictions/{made['id']}/cancel").json()
    assert (cancelled["status"], cancelled["output"], cancelled["error"]) == ("canceled", None, None)
    assert cancelled["completed_at"] >= cancelled["created_at"]
    assert api.post(f"/v1/predictions/{made['id']}/cancel").json() == cancelled
    assert api.get(f"/v1/predictions/{made['id']}").json() == cancelled
    assert api.post("/v1/predictions/none/cancel").status_code == 404


def test_finished_prediction_is_not_cancelled(api: httpx.Client) -> None:
    made = api.post(f"{MODEL}/predictions", json={"input": SOON_DRAWN}, headers={"prefer": "wait"}).json()
    assert api.post(f"/v1/predictions/{made['id']}/cancel").json()["status"] == "succeeded"


def test_prediction_shows_nothing_of_the_emulator_and_where_to_find_it(api: httpx.Client) -> None:
    made = api.post(f"{MODEL}/predictions", json={"input": INPUT}).json()
    assert not [name for name in made if name.startswith("_")]
    assert made["input"] == INPUT
    assert set(made["urls"]) == {"cancel", "get", "stream", "web"}
    headers = {"authorization": "Bearer r8_emulator"}
    assert httpx.get(made["urls"]["get"], headers=headers).json()["id"] == made["id"]
    assert httpx.post(made["urls"]["cancel"], headers=headers).status_code == 200


def test_webhook_of_the_end_is_signed_by_the_secret_that_the_api_tells(
    api: httpx.Client, listener: Listener
) -> None:
    body: dict[str, Any] = {"input": INPUT, "webhook": listener.url, "webhook_events_filter": ["completed"]}
    made = api.post(f"{MODEL}/predictions", json=body).json()
    api.post(f"/v1/predictions/{made['id']}/cancel")
    sent = listener.wait_for(lambda _, body: made["id"].encode() in body)
    (headers,) = [headers for headers, received in listener.received if received == sent]
    assert json.loads(sent)["status"] == "canceled"
    secret = api.get("/v1/webhooks/default/secret").json()["key"]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + sent
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


def test_filter_without_the_end_sends_nothing_of_it(api: httpx.Client, listener: Listener) -> None:
    def ended(*events: str) -> str:
        body = {"input": INPUT, "webhook": listener.url, "webhook_events_filter": list(events)}
        id = str(api.post(f"{MODEL}/predictions", json=body).json()["id"])
        api.post(f"/v1/predictions/{id}/cancel")
        return id

    quiet, told = ended("start"), ended("completed")
    listener.wait_for(lambda _, body: told.encode() in body)
    assert not any(quiet.encode() in body for _, body in listener.received)


@pytest.mark.parametrize("cursor", ["?", "cD1vbmU=", "AAAA"])
def test_wrong_cursor_is_rejected(api: httpx.Client, cursor: str) -> None:
    assert problem(api.get("/v1/predictions", params={"cursor": cursor})) == (400, "Invalid cursor")
