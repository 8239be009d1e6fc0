"""Signature Version 4: what botocore signs is verified, and nothing that was changed on the way."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.aws.errors import S3Error
from localbase.storage.s3.signature import verify

from tests.localbase.unit.storage.s3.signed_requests import (
    by_header,
    by_query,
    changed,
    find,
    verified,
)

_PATHS = (
    "/",
    "/bucket",
    "/bucket?list-type=2&prefix=a%20b&delimiter=%2F",
    "/bucket?uploads",
    "/bucket/folder/a%20b%2Bc%28d%29.txt",
    "/bucket/a%2Fb",
    "/bucket/%21%27%2A?partNumber=1&uploadId=x-_.~y",
    "/bucket/key?response-content-disposition=attachment%3B%20filename%3D%22%C3%A4.txt%22",
)


def rejection(request: ReceivedRequest, *, later: float = 0) -> tuple[int, str]:
    with pytest.raises(S3Error) as caught:
        verified(request, later=later)
    return caught.value.status, caught.value.code


@pytest.mark.parametrize("path", _PATHS)
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_header_signature_of_botocore_is_verified(method: str, path: str) -> None:
    result = verified(by_header(method, path, headers={"Content-Type": "text/plain"}, body=b"body"))
    assert result.credentials.token is None
    assert result.scope.region == "local"


@pytest.mark.parametrize("path", _PATHS)
def test_presigned_address_of_botocore_is_verified(path: str) -> None:
    assert verified(by_query(path=path)).payload_hash == "UNSIGNED-PAYLOAD"


@given(
    names=st.lists(st.text(alphabet="abAB-_.~ +/%&=é", min_size=1, max_size=6), unique=True, max_size=4),
    value=st.text(alphabet="abAB-_.~ +/%&=é€", max_size=8),
)
def test_signed_parameters_survive_any_encoding(names: list[str], value: str) -> None:
    # Signed by botocore as it was sent; encoded by a stricter client, it is the same request.
    query = "&".join(sorted(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name in names))
    request = by_header(path=f"/bucket?{query}")
    lower = re.sub("%[0-9A-F]{2}", lambda escape: escape[0].lower(), request.query)
    assert verified(request)
    assert verified(changed(request, query=lower))


def test_session_token_is_passed_on_by_header_and_query() -> None:
    assert verified(by_header(token="a.b.c")).credentials.token == "a.b.c"
    assert verified(by_query(token="a.b.c")).credentials.token == "a.b.c"


@pytest.mark.parametrize("region", ["local", "us-east-1", "auto"])
def test_region_of_common_clients_is_accepted(region: str) -> None:
    assert verified(by_header(region=region)).scope.region == region


def test_other_region_does_not_match() -> None:
    assert rejection(by_header(region="eu-central-1")) == (403, "SignatureDoesNotMatch")


def test_other_secret_does_not_match() -> None:
    assert rejection(by_header(secret="another")) == (403, "SignatureDoesNotMatch")


def _header(name: str, value: str) -> Callable[[ReceivedRequest], ReceivedRequest]:
    return lambda request: changed(
        request, headers=[(key, value if key == name else old) for key, old in request.headers]
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda request: changed(request, method="DELETE"),
        lambda request: changed(request, path=request.path.replace("key", "kez")),
        lambda request: changed(request, path=request.path.replace("/key", "//key")),
        lambda request: changed(request, path=request.path.replace("/bucket/", "/bucket/./")),
        lambda request: changed(request, path=request.path.replace("/key", "%2Fkey")),
        lambda request: changed(request, query="uploads"),
        _header("host", "elsewhere"),
        _header("x-amz-content-sha256", "UNSIGNED-PAYLOAD"),
        _header("x-amz-meta-a", "2"),
    ],
)
def test_changed_request_does_not_match(change: Callable[[ReceivedRequest], ReceivedRequest]) -> None:
    request = by_header("PUT", headers={"x-amz-meta-a": "1"}, body=b"body")
    assert verified(request)
    assert rejection(change(request)) == (403, "SignatureDoesNotMatch")


@pytest.mark.parametrize("sign", [by_header, by_query])
def test_amz_header_that_was_not_signed_is_rejected(sign: Callable[[str], ReceivedRequest]) -> None:
    request = sign("PUT")
    smuggled = changed(request, headers=[*request.headers, ("x-amz-copy-source", "other/secret")])
    assert rejection(smuggled) == (403, "AccessDenied")


def test_header_or_parameter_that_comes_twice_is_rejected() -> None:
    request = by_header("GET", "/bucket?prefix=a")
    twice = changed(request, headers=[*request.headers, ("x-amz-date", "20200101T000000Z")])
    with pytest.raises(S3Error, match="more than once"):
        verified(twice)
    with pytest.raises(S3Error, match="more than once"):
        verified(changed(request, query="prefix=a&prefix=b"))
    with pytest.raises(S3Error, match="more than once"):
        verified(changed(request, query="prefix=a&%70refix=b"))


def test_signature_ends_15_minutes_from_its_time() -> None:
    request = by_header()
    assert verified(request, later=900)
    assert verified(request, later=-900)
    assert rejection(request, later=901) == (403, "RequestTimeTooSkewed")
    assert rejection(request, later=-901) == (403, "RequestTimeTooSkewed")


def test_presigned_address_ends_when_it_says() -> None:
    request = by_query(expires=60)
    assert verified(request, later=60)
    assert rejection(request, later=61) == (400, "ExpiredToken")
    assert rejection(request, later=-901) == (403, "RequestTimeTooSkewed")


def test_presigned_address_is_good_for_seven_days_at_most() -> None:
    assert verified(by_query(expires=604800))
    assert rejection(by_query(expires=604801)) == (400, "InvalidSignature")


@pytest.mark.parametrize("expires", ["0", "-1", "x", "", "1e3", "999999999999"])
def test_presigned_address_needs_a_sensible_end(expires: str) -> None:
    request = by_query()
    query = request.query.replace("X-Amz-Expires=3600", f"X-Amz-Expires={expires}")
    assert rejection(changed(request, query=query)) == (400, "InvalidSignature")
    without = "&".join(part for part in request.query.split("&") if "Expires" not in part)
    assert rejection(changed(request, query=without)) == (400, "InvalidSignature")


def test_two_signatures_at_once_are_rejected() -> None:
    request = by_query()
    both = changed(request, headers=[*request.headers, *by_header().headers[1:]])
    assert rejection(both) == (400, "InvalidRequest")


def test_other_authorization_is_no_signature() -> None:
    unsigned = ReceivedRequest("GET", "/storage/v1/s3/", "", [("host", "localhost")])
    with pytest.raises(S3Error, match="Missing signature"):
        _verify_any(unsigned)
    with_bearer = changed(unsigned, headers=[("host", "localhost"), ("authorization", "Bearer a.b.c")])
    with pytest.raises(S3Error, match="Unsupported authorization type"):
        _verify_any(with_bearer)


def _verify_any(request: ReceivedRequest) -> None:
    verify(request, find, lambda: 0.0)


@pytest.mark.parametrize(
    "authorization",
    [
        "AWS4-HMAC-SHA256 ",
        "AWS4-HMAC-SHA256 Credential",
        "AWS4-HMAC-SHA256 Credential=a, Credential=b, SignedHeaders=host, Signature=c",
        "AWS4-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=host, Signature=" + "0" * 64,
        "AWS4-HMAC-SHA256 Credential=k/20261122/local/s3/aws4_request, SignedHeaders=host;host, Signature="
        + "0" * 64,
        "AWS4-HMAC-SHA256 Credential=k/20261122/local/s3/aws4_request, SignedHeaders=host, Signature="
        + "0" * 63,
        "AWS4-HMAC-SHA256 Credential=k/20261121/local/s3/aws4_request, SignedHeaders=host, Signature="
        + "0" * 64,
    ],
)
def test_malformed_authorization_is_rejected(authorization: str) -> None:
    headers = [("host", "h"), ("x-amz-date", "20261122T101500Z"), ("authorization", authorization)]
    with pytest.raises(S3Error) as caught:
        verified(ReceivedRequest("GET", "/", "", headers))
    assert (caught.value.status, caught.value.code) == (400, "InvalidSignature")


@pytest.mark.parametrize("moment", ["20261322T101500Z", "2026", "", "20261122T101500", "x" * 16])
def test_time_that_is_none_is_rejected(moment: str) -> None:
    request = by_header()
    headers = [(key, moment if key == "x-amz-date" else value) for key, value in request.headers]
    with pytest.raises(S3Error) as caught:
        _verify_any(changed(request, headers=headers))
    assert (caught.value.status, caught.value.code) == (400, "InvalidSignature")


def test_header_whitespace_does_not_matter() -> None:
    request = by_header("PUT", headers={"x-amz-meta-a": "one two"})
    headers = [(key, "  one   two " if key == "x-amz-meta-a" else value) for key, value in request.headers]
    assert verified(changed(request, headers=headers))


def test_service_must_be_s3() -> None:
    request = by_header()
    headers = [(key, value.replace("/s3/aws4", "/ec2/aws4")) for key, value in request.headers]
    assert rejection(changed(request, headers=headers)) == (403, "AccessDenied")
