"""No signed request, however odd, is answered by a server error or by anything but S3's XML."""

from __future__ import annotations

import http.client
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.localbase.integration.storage.s3.s3_wire import signed_head
from tests.support.random_cases import cases
from tests.support.stacks import Stack

_TEXT = st.one_of(
    st.sampled_from(
        ["", "a", "/", "0", "1", "2", "-1", "1e9", "99999999999999999999", "url", "*", "bytes=0-1"]
    ),
    st.sampled_from(["%00", "%ff", "%2F", "a%20b", "..", "%F0%9F%98%80", "bDphLw==", '"x"', "x" * 300]),
)
_NAMES = st.sampled_from(
    [
        *(
            "uploads",
            "uploadId",
            "partNumber",
            "list-type",
            "prefix",
            "delimiter",
            "max-keys",
            "marker",
            "delete",
        ),
        *(
            "continuation-token",
            "start-after",
            "encoding-type",
            "key-marker",
            "upload-id-marker",
            "max-uploads",
        ),
        *(
            "max-parts",
            "part-number-marker",
            "location",
            "versioning",
            "tagging",
            "response-expires",
            "versionId",
        ),
        *("response-content-type", "response-cache-control", "acl"),
    ]
)
_HEADERS = st.sampled_from(
    [
        *("x-amz-copy-source", "x-amz-copy-source-range", "x-amz-metadata-directive", "x-amz-acl", "range"),
        *(
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "content-type",
            "content-md5",
        ),
        *(
            "cache-control",
            "x-amz-meta-a",
            "x-amz-checksum-crc32",
            "x-amz-trailer",
            "x-amz-decoded-content-length",
        ),
        "x-amz-copy-source-if-match",
    ]
)
_VALUES = st.sampled_from(
    [
        *(
            "",
            "a",
            "*",
            '"x"',
            "0",
            "-1",
            "bytes=0-0",
            "bytes=-1",
            "bytes=9-",
            "sealed/a",
            "any-s3/a",
            "/any-s3/a",
        ),
        *("COPY", "REPLACE", "public-read", "text/plain", "AAAAAA==", "é", "Wed, 21 Oct 2015 07:28:00 GMT"),
        *(
            "Wed, 99 Oct 2015 07:28:00 GMT",
            "multipart/form-data; boundary=x",
            "x-amz-checksum-crc32",
            "any-s3%2Fa",
        ),
    ]
)
_PAYLOADS = st.sampled_from(
    ["UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "x"]
)
_BODIES = st.sampled_from(
    [
        b"",
        b"x",
        b"<a/>",
        b"<Delete/>",
        b"<Delete><Object><Key>a</Key></Object></Delete>",
        b"0\r\n\r\n",
        b"\x00",
    ]
)


@pytest.fixture(scope="module")
def made(storage: Stack) -> Stack:
    assert signed_head(storage, "PUT", "/any-s3", {"content-length": "0"}).send()[0] in (200, 409)
    return storage


@settings(max_examples=cases(200))
@given(
    method=st.sampled_from(["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"]),
    path=st.sampled_from(
        ["/", "/any-s3", "/any-s3/", "/any-s3/a", "/any-s3/a/", "/any-s3//", "//", "/%00/a", "/%C3%A9"]
    ),
    query=st.dictionaries(_NAMES, _TEXT, max_size=3),
    headers=st.dictionaries(_HEADERS, _VALUES, max_size=3),
    payload=_PAYLOADS,
    body=_BODIES,
)
def test_any_signed_request_is_answered_by_the_protocol(
    made: Stack,
    method: str,
    path: str,
    query: dict[str, str],
    headers: dict[str, str],
    payload: str,
    body: bytes,
) -> None:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    target = path + ("?" + text if text else "")
    length = {"content-length": str(len(body))}
    head = signed_head(made, method, target, {**headers, **length}, payload=payload)
    with head.open() as wire:
        wire.sendall(body)
        response = http.client.HTTPResponse(wire, method=method)
        response.begin()
        content = response.read()
    assert response.status < 500 or response.status == 501, content
    if content and response.headers["content-type"].startswith("application/xml"):
        root = ElementTree.fromstring(content)  # noqa: S314 - our own server's
        assert (root.tag == "Error") == (response.status >= 400)
    elif response.status >= 400 and content:
        assert re.fullmatch(rb"Not Found|Bad Request|Method Not Allowed", content), (response.status, content)
