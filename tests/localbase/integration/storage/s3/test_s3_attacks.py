"""Hostile requests to the S3 protocol: forged, replayed, torn, oversized. Nothing of them stays; they cost little."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from botocore.exceptions import ClientError

from tests.localbase.integration.storage.conftest import Api
from tests.localbase.integration.storage.s3.s3_client import error_of, keys_in, s3_client
from tests.localbase.integration.storage.s3.s3_wire import response_of, signed_head
from tests.support.stacks import Stack

_MISMATCH = (403, "SignatureDoesNotMatch")


@pytest.fixture(scope="module")
def s3(storage: Stack) -> Any:
    return s3_client(storage)


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"apikey": "SERVICE"},
        {"authorization": "Bearer SERVICE", "apikey": "SERVICE"},
        {"authorization": "Basic eDp5"},
        {"authorization": "AWS4-HMAC-SHA256 Credential=x"},
        {"authorization": "AWS SERVICE:c2lnbmF0dXJl"},
    ],
)
def test_request_without_a_signature_is_refused(storage: Stack, headers: dict[str, str]) -> None:
    sent_headers = {
        name: value.replace("SERVICE", storage.service_role_key) for name, value in headers.items()
    }
    for method in ("GET", "PUT", "DELETE"):
        response = httpx.request(method, f"{storage.api_url}/storage/v1/s3/sealed/a", headers=sent_headers)
        assert response.status_code in (400, 403)
        assert (
            "<Code>AccessDenied</Code>" in response.text or "<Code>InvalidSignature</Code>" in response.text
        )


@pytest.mark.usefixtures("unchanged")
def test_body_that_was_not_signed_is_refused(storage: Stack, bucket: str) -> None:
    for body in (b"bytez", b"byte", b""):
        headers = {"content-length": str(len(body))}
        head = signed_head(storage, "PUT", f"/{bucket}/a", headers, payload=sha256(b"bytes"))
        assert head.send(body) == (400, "XAmzContentSHA256Mismatch")


def test_signature_of_another_request_is_refused(storage: Stack, bucket: str) -> None:
    head = signed_head(storage, "GET", f"/{bucket}/a")
    assert head.send() == (404, "NoSuchKey")
    for changed in (
        head.data.replace(b"GET ", b"DELETE ", 1),
        head.data.replace(b"/a HTTP", b"/b HTTP", 1),
        head.data.replace(b"/a HTTP", b"/a?uploadId=x HTTP", 1),
        head.data.replace(b"host: 127.0.0.1", b"host: localhost", 1),
        head.data.replace(b"UNSIGNED-PAYLOAD", sha256(b"").encode(), 1),
    ):
        assert changed != head.data
        forged = type(head)(storage, changed, head.verified)
        assert forged.send() == _MISMATCH


def test_old_request_cannot_be_sent_again(storage: Stack, bucket: str) -> None:
    head = signed_head(storage, "GET", f"/{bucket}/a")
    moment = head.verified.moment
    day = moment[:8]
    old = f"{int(day) - 10_000}{moment[8:]}"
    # Signed for another time as well: the clock decides before the signature.
    data = head.data.replace(moment.encode(), old.encode()).replace(
        f"/{day}/".encode(), f"/{old[:8]}/".encode()
    )
    assert type(head)(storage, data, head.verified).send() == (403, "RequestTimeTooSkewed")


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    "line",
    [
        "x-amz-copy-source: sealed/secret\r\n",
        "x-amz-acl: public-read\r\n",
        "x-amz-meta-a: b\r\n",
        "x-amz-security-token: a.b.c\r\n",
        "X-Amz-Decoded-Content-Length: 1\r\n",
    ],
)
def test_smuggled_header_is_refused(storage: Stack, bucket: str, line: str) -> None:
    head = signed_head(storage, "PUT", f"/{bucket}/a", {"content-length": "0"}, unsigned=line)
    assert head.send()[0] == 403


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("name", ["content-type", "x-amz-date", "range", "content-md5", "if-none-match"])
def test_header_that_comes_twice_is_refused(storage: Stack, bucket: str, name: str) -> None:
    headers = {"content-length": "1", "content-type": "text/plain", "if-none-match": "*"}
    headers |= {"range": "bytes=0-1", "content-md5": "A" * 22 + "=="}
    head = signed_head(storage, "PUT", f"/{bucket}/a", headers, unsigned=f"{name}: text/html\r\n")
    assert head.send(b"x") in ((400, "InvalidRequest"), _MISMATCH)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    "key",
    [
        *(
            "..",
            "../a",
            "a/../b",
            "a/./b",
            ".",
            "%2e%2e/a",
            "a/%2e%2e/%2e%2e/b",
            "a%2F..%2Fb",
        ),
        *(
            "..%2f..%2f..%2fetc%2fpasswd",
            "a%00b",
            "a%5c..%5cb",
            "%ff",
            "a%3Cb",
            "a" * 1025,
            "%C3%A4",
        ),
    ],
)
def test_path_trick_names_no_object(storage: Stack, bucket: str, key: str) -> None:
    headers = {"content-length": "1"}
    assert signed_head(storage, "PUT", f"/{bucket}/{key}", headers).send(b"x") == (400, "InvalidKey")
    uploads = signed_head(storage, "POST", f"/{bucket}/{key}?uploads=", {"content-length": "0"})
    assert uploads.send() == (400, "InvalidKey")
    assert signed_head(storage, "GET", f"/{bucket}/{key}").send()[0] in (400, 404)


def test_line_end_in_a_path_names_nothing(storage: Stack, bucket: str) -> None:
    assert signed_head(storage, "PUT", f"/{bucket}/a%0d%0ab", {"content-length": "1"}).send(b"x")[0] == 404


def test_encoded_slash_is_a_slash_within_a_key_only(storage: Stack, bucket: str, s3: Any) -> None:
    assert signed_head(storage, "PUT", f"/{bucket}/a%2Fb", {"content-length": "1"}).send(b"x") == (200, "")
    assert keys_in(s3.list_objects_v2(Bucket=bucket)) == ["a/b"]
    # In a bucket's name it parts nothing.
    assert signed_head(storage, "GET", f"/{bucket}%2Fa%2Fb").send() == (404, "NoSuchBucket")


@pytest.mark.parametrize(
    "name", ["..", ".", "%2e%2e", "a%2Fb", "a" * 101, "%20", "a%00", '["x"]'.replace('"', "%22")]
)
def test_bucket_of_a_hostile_name_is_not_made(storage: Stack, name: str) -> None:
    assert signed_head(storage, "PUT", f"/{name}", {"content-length": "0"}).send() == (
        400,
        "InvalidBucketName",
    )


@pytest.mark.parametrize(
    "source", ["", "/", "bucket", "bucket/", "../a", "sealed/../folders/a", "%ff/a", "a?versionId=1"]
)
def test_hostile_copy_source_copies_nothing(storage: Stack, bucket: str, source: str) -> None:
    headers = {"content-length": "0", "x-amz-copy-source": source}
    assert signed_head(storage, "PUT", f"/{bucket}/a", headers).send()[0] in (400, 404, 501)


@pytest.mark.parametrize("path", ["/sealed?delete=", "/sealed/a?uploadId=x"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><Delete>&b;</Delete>", (400, "MalformedXML")),
        (b"<?xml version='1.0' encoding='utf-16'?>", (400, "MalformedXML")),
        (b"<" * 100_000, (400, "MalformedXML")),
        (b"<Delete>" * 100_000, (400, "MalformedXML")),
        (b"<Delete/>", (400, "MalformedXML")),
        (b"<Delete></Delete>", (400, "MalformedXML")),
        (b"<Delete><Quiet>true</Quiet></Delete>", (400, "MalformedXML")),
        ("<Delete><Object><Key>a</Key></Object></Delete>".encode("utf-16"), (400, "MalformedXML")),
        (
            b"<Delete %b><Object><Key>a</Key></Object></Delete>"
            % b" ".join(b"a%d=''" % n for n in range(60_000)),
            (400, "MalformedXML"),
        ),
    ],
    ids=["entities", "encoding", "brackets", "depth", "empty", "no object", "quiet", "utf-16", "attributes"],
)
def test_hostile_xml_is_refused(storage: Stack, path: str, body: bytes, expected: tuple[int, str]) -> None:
    head = signed_head(storage, "POST", path, {"content-length": str(len(body))}, payload=sha256(body))
    # An upload that is not there is not looked for before the body is read, nor the other way round.
    assert head.send(body) in (expected, (404, "NoSuchUpload"))


def test_document_over_a_megabyte_is_refused_unread(storage: Stack) -> None:
    head = signed_head(storage, "POST", "/sealed?delete=", {"content-length": str(200 << 20)})
    with head.open() as wire:
        assert response_of(wire) == (413, "EntityTooLarge")


def test_refused_upload_leaves_the_connection_usable(s3: Any) -> None:
    # botocore waits for 100 (Continue), and takes the same connection again unless it hears otherwise.
    picture = {"Bucket": "pictures", "Key": "a", "ContentType": "image/png"}
    for _ in range(10):
        with pytest.raises(ClientError) as caught:
            s3.put_object(**picture, Body=b"x" * 10_241)
        assert caught.value.response["ResponseMetadata"]["HTTPHeaders"]["connection"] == "close"
        assert error_of(s3.head_object, Bucket="pictures", Key="missing") == (404, "404")


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/sealed/a", {"content-length": str(45 << 20)}),
        ("/sealed/a", {"transfer-encoding": "chunked"}),
        ("/sealed/a?partNumber=1&uploadId=x", {"content-length": str(45 << 20)}),
    ],
)
def test_upload_without_permission_is_answered_before_its_bytes(
    storage: Stack, path: str, headers: dict[str, str]
) -> None:
    head = signed_head(storage, "PUT", path, headers, token=storage.anon_key)
    with head.open() as wire:
        assert response_of(wire) in ((403, "AccessDenied"), (404, "NoSuchUpload"))


def memory_of(storage: Stack, *, forget: bool = False) -> int:
    """The most memory that the gateway has had, in bytes, since it last forgot."""
    report = json.loads((storage.state / "supervisor.json").read_text())
    process = Path(f"/proc/{report['processes']['gateway']}")
    if forget:
        (process / "clear_refs").write_text("5")
    line = next(each for each in (process / "status").read_text().splitlines() if each.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


@pytest.mark.usefixtures("unchanged")
def test_anonymous_caller_without_policies_costs_neither_memory_nor_disk(
    storage: Stack, anonymous: Api
) -> None:
    anonymous.send("GET", "/bucket")
    megabyte = b"<Object><Key>aaaaaaaa</Key></Object>" * 29_000
    size = 100

    def send(method: str, path: str, headers: dict[str, str]) -> Callable[[], None]:
        def run() -> None:
            head = signed_head(storage, method, path, headers, token=storage.anon_key)
            with head.open() as wire:
                try:
                    for _ in range(size):
                        wire.sendall(
                            b"%x\r\n%b\r\n" % (len(megabyte), megabyte) if chunks_in(headers) else megabyte
                        )
                except OSError:
                    return  # Refused and closed before all was sent, which is the point.
                assert response_of(wire)[0] in (400, 403, 404, 413)

        return run

    length = {"content-length": str(size * len(megabyte))}
    endless = {"transfer-encoding": "chunked"}
    attacks = [
        send(method, path, headers)
        for headers in (length, endless)
        for method, path in (
            ("PUT", "/sealed/a"),
            ("POST", "/sealed?delete="),
            ("POST", "/sealed/a?uploadId=x"),
            ("POST", "/sealed/a?uploads="),
            ("PUT", "/sealed/a?partNumber=1&uploadId=x"),
            ("PUT", "/mine"),
        )
    ]
    before = memory_of(storage, forget=True)
    with ThreadPoolExecutor(len(attacks)) as pool:
        for attack in [pool.submit(attack) for attack in attacks]:
            attack.result()
    assert memory_of(storage) - before < 20 << 20


def chunks_in(headers: dict[str, str]) -> bool:
    return "transfer-encoding" in headers
