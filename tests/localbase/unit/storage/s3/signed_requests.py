"""Requests signed by botocore, which is the oracle, and by hand where botocore signs nothing of the kind."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotocoreCredentials
from localbase.storage.aws import errors
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.s3.signature import Credentials, Verified, verify

ACCESS_KEY = "625729a08b95bf1b7ff351a663f3a23c"
SECRET_KEY = "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"
BASE = "http://127.0.0.1:54321/storage/v1/s3"


def find(access_key: str, session_token: str | None) -> Credentials:
    """The one pair of keys that these tests have; a session token is passed through."""
    if access_key != ACCESS_KEY:
        raise errors.access_denied("Invalid Access Key")
    return Credentials(ACCESS_KEY, SECRET_KEY, "local", session_token)


class HeaderAuth(S3SigV4Auth):  # type: ignore[misc]
    """botocore's signature, over the payload hash that the header already holds."""

    def payload(self, request: AWSRequest) -> str:
        """Return what is signed in place of the body's hash."""
        return str(request.context.get("payload") or super().payload(request))


def by_header(
    method: str = "GET",
    path: str = "/bucket/key",
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes = b"",
    token: str | None = None,
    secret: str = SECRET_KEY,
    region: str = "local",
) -> ReceivedRequest:
    """A request as it arrives with botocore's `Authorization` header."""
    request = AWSRequest(method, BASE + path, headers=dict(headers or {}), data=body)
    request.context["payload"] = (headers or {}).get("x-amz-content-sha256")
    HeaderAuth(BotocoreCredentials(ACCESS_KEY, secret, token), "s3", region).add_auth(request)
    return received(request)


def by_query(
    method: str = "GET",
    path: str = "/bucket/key",
    *,
    headers: Mapping[str, str] | None = None,
    token: str | None = None,
    expires: int = 3600,
) -> ReceivedRequest:
    """A request to an address that botocore has presigned."""
    request = AWSRequest(method, BASE + path, headers=dict(headers or {}))
    credentials = BotocoreCredentials(ACCESS_KEY, SECRET_KEY, token)
    S3SigV4QueryAuth(credentials, "s3", "local", expires=expires).add_auth(request)
    return received(request)


def received(request: AWSRequest) -> ReceivedRequest:
    """Return what a server reads of a prepared request."""
    prepared = request.prepare()
    path, _, query = prepared.url.removeprefix("http://127.0.0.1:54321").partition("?")
    headers = [
        (name.lower(), value.decode() if isinstance(value, bytes) else value)
        for name, value in prepared.headers.items()
    ]
    return ReceivedRequest(prepared.method, path, query, [("host", "127.0.0.1:54321"), *headers])


def changed(
    request: ReceivedRequest,
    *,
    method: str | None = None,
    path: str | None = None,
    query: str | None = None,
    headers: Sequence[tuple[str, str]] | None = None,
) -> ReceivedRequest:
    """The same request after someone has changed it on the way."""
    return ReceivedRequest(
        request.method if method is None else method,
        request.path if path is None else path,
        request.query if query is None else query,
        request.headers if headers is None else headers,
    )


def signed_at(request: ReceivedRequest) -> float:
    """The time that the request says it was signed, in epoch seconds."""
    moment = request.header("x-amz-date") or request.parameters()["X-Amz-Date"]
    return datetime.strptime(moment, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()


def verified(request: ReceivedRequest, *, later: float = 0) -> Verified:
    """Verifies as the server does, `later` seconds after signing."""
    return verify(request, find, lambda: signed_at(request) + later)


def chunked(verified_request: Verified, chunks: Sequence[bytes], trailers: Mapping[str, str] | None) -> bytes:
    """A signed `aws-chunked` body as the AWS documentation has it, written down independently of the decoder."""
    scope, moment = str(verified_request.scope), verified_request.moment
    previous = verified_request.signature
    empty = hashlib.sha256(b"").hexdigest()
    out = b""
    for chunk in (*chunks, b""):
        lines = [
            "AWS4-HMAC-SHA256-PAYLOAD",
            moment,
            scope,
            previous,
            empty,
            hashlib.sha256(chunk).hexdigest(),
        ]
        previous = hmac.new(verified_request.key, "\n".join(lines).encode(), "sha256").hexdigest()
        out += b"%x;chunk-signature=%s\r\n" % (len(chunk), previous.encode())
        out += chunk + b"\r\n" if chunk else b""
    if trailers is not None:
        block = "".join(f"{name}:{value}\n" for name, value in sorted(trailers.items()))
        digest = hashlib.sha256(block.encode()).hexdigest()
        text = "\n".join(["AWS4-HMAC-SHA256-TRAILER", moment, scope, previous, digest])
        signature = hmac.new(verified_request.key, text.encode(), "sha256").hexdigest()
        for name, value in {**trailers, "x-amz-trailer-signature": signature}.items():
            out += f"{name}:{value}\r\n".encode()
    return out + b"\r\n"


def unsigned_chunks(chunks: Sequence[bytes], trailers: Mapping[str, str]) -> bytes:
    """A body of unsigned chunks with trailers, as botocore sends it over TLS."""
    out = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    lines = "".join(f"{name}:{value}\r\n" for name, value in trailers.items())
    return out + b"0\r\n" + lines.encode() + b"\r\n"
