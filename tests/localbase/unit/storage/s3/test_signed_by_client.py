"""Requests to a service that speaks S3: signed as botocore signs, and repeated where that is safe."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from localbase.core.configuration import read_settings
from localbase.core.errors import UserError
from localbase.core.settings import ByteStoreSettings
from localbase.storage.backend.s3_bucket import S3Bucket
from localbase.storage.errors import BytesUnavailable

_SETTINGS = ByteStoreSettings(
    *("s3", "https://s3.example.com", "the-bucket", "eu-west-1", "AKIDEXAMPLE", "a-secret-key"),
    prefix="/of a project/é+",
)
_NAMES = ("BACKEND", "ENDPOINT", "BUCKET", "REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY")


class Service:
    """Answers in turn, and holds what came."""

    def __init__(self, *responses: httpx.Response | httpx.TransportError) -> None:
        self._responses = list(responses)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        response = self._responses.pop(0)
        if isinstance(response, httpx.TransportError):
            raise response
        return response


def sent(service: Service, *command: Any, **options: Any) -> httpx.Response:
    async def run() -> httpx.Response:
        bucket = S3Bucket(_SETTINGS, transport=httpx.MockTransport(service), pauses=(0.0, 0.0, 0.0))
        try:
            return await bucket.send(*command, **options)
        finally:
            await bucket.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("method", "name", "query", "content"),
    [
        ("GET", None, {"list-type": "2", "prefix": "a b/é+", "delimiter": "/"}, b""),
        ("PUT", "0b1c", {"partNumber": "1", "uploadId": "x+/= y"}, b"content"),
        ("POST", "0b1c", {"uploads": ""}, b""),
        ("DELETE", "0b1c", {}, b""),
    ],
)
def test_request_has_the_signature_that_botocore_computes(
    method: str, name: str | None, query: dict[str, str], content: bytes
) -> None:
    service = Service(httpx.Response(200))
    sent(service, method, name, query, content=content, headers={"x-amz-meta-md5": "00ff"})
    [request] = service.requests
    headers = {
        key: request.headers[key] for key in ("x-amz-meta-md5", "x-amz-date", "x-amz-content-sha256", "host")
    }
    theirs = AWSRequest(method, str(request.url), headers=headers, data=content)
    moment = datetime.strptime(request.headers["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    theirs.context["timestamp"] = moment.strftime("%Y%m%dT%H%M%SZ")
    auth = S3SigV4Auth(Credentials("AKIDEXAMPLE", "a-secret-key"), "s3", "eu-west-1")
    # The two steps of its `add_auth` that follow the one of the clock.
    text = auth.string_to_sign(theirs, auth.canonical_request(theirs))
    signature = auth.signature(text, theirs)
    assert request.headers["authorization"] == (
        f"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/{moment:%Y%m%d}/eu-west-1/s3/aws4_request,"
        f" SignedHeaders={auth.signed_headers(auth.headers_to_sign(theirs))}, Signature={signature}"
    )
    assert request.url.raw_path.startswith(b"/the-bucket")
    assert name is None or b"/of%20a%20project/%C3%A9%2B/0b1c" in request.url.raw_path


def test_safe_command_is_repeated_until_it_succeeds() -> None:
    service = Service(httpx.ConnectError("refused"), httpx.Response(503), httpx.Response(200, text="here"))
    assert sent(service, "PUT", "a", content=b"x").text == "here"
    assert [request.content for request in service.requests] == [b"x"] * 3


def test_command_is_given_up_after_the_third_repetition(caplog: pytest.LogCaptureFixture) -> None:
    service = Service(*[httpx.Response(503, text="<Error><Code>SlowDown</Code></Error>")] * 4)
    with caplog.at_level(logging.ERROR, "localbase.storage"), pytest.raises(BytesUnavailable) as caught:
        sent(service, "HEAD", "a")
    assert (caught.value.status, caught.value.code) == (503, "ServiceUnavailable")
    assert [record.getMessage() for record in caplog.records] == [
        "the objects' bytes: HEAD on the bucket the-bucket at https://s3.example.com failed: 503 SlowDown"
    ]
    assert len(service.requests) == 4


@pytest.mark.parametrize("status", [400, 403, 404, 409])
def test_refused_command_is_not_repeated(status: int) -> None:
    service = Service(httpx.Response(status))
    with pytest.raises(BytesUnavailable):
        sent(service, "PUT", "a", content=b"x")
    assert len(service.requests) == 1


def test_service_that_is_silent_is_not_waited_for_again() -> None:
    service = Service(httpx.ConnectTimeout("no answer"), httpx.ReadTimeout("no answer"))
    with pytest.raises(BytesUnavailable):
        sent(service, "HEAD", "a")
    assert len(service.requests) == 2


def test_unsafe_command_is_sent_once() -> None:
    service = Service(httpx.ConnectError("refused"))
    with pytest.raises(BytesUnavailable):
        sent(service, "POST", "a", {"uploads": ""}, repeats=False)
    assert len(service.requests) == 1


def test_error_after_the_status_is_one() -> None:
    late = httpx.Response(200, text="<?xml version='1.0'?>\n<Error><Code>InternalError</Code></Error>")
    with pytest.raises(BytesUnavailable):
        sent(Service(late), "POST", "a", {"uploadId": "x"}, repeats=False)


def test_settings_that_are_missing_are_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        '[storage.bytes]\nbackend = "s3"\nbucket = "b"\nendpoint = "s3.example.com"\n'
        'secret_access_key = "env(NOT_SET)"\n'
    )
    with pytest.raises(UserError) as caught:
        read_settings(tmp_path / "config.toml", {})
    assert caught.value.message.split("\n")[1:] == [
        '  storage.bytes.region is missing: backend = "s3" needs it',
        '  storage.bytes.access_key_id is missing: backend = "s3" needs it',
        '  storage.bytes.secret_access_key is missing: backend = "s3" needs it',
        "  storage.bytes.endpoint must be an http or https address, not 's3.example.com'",
    ]


def test_settings_are_read_from_the_environment_and_hide_the_secret(tmp_path: Path) -> None:
    values = ("s3", "http://127.0.0.1:9000/s3", "b", "local", "key", "hidden-secret")
    environ = {f"SUPABASE_STORAGE_BYTES_{name}": value for name, value in zip(_NAMES, values, strict=True)}
    settings = read_settings(tmp_path / "config.toml", environ).storage.byte_store
    assert settings == ByteStoreSettings(
        *("s3", "http://127.0.0.1:9000/s3", "b", "local", "key", "hidden-secret")
    )
    assert "hidden-secret" not in repr(settings)


def test_bytes_lie_on_the_disk_by_default(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "config.toml", {}).storage.byte_store.backend == "disk"
