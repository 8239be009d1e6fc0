"""Requests of the S3 protocol on the wire: signed by botocore's rules, sent byte by byte."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from localbase.storage.aws.canonical import ReceivedRequest
from localbase.storage.s3.signature import Credentials as ServerCredentials
from localbase.storage.s3.signature import Verified, key_for, read_signature

from tests.localbase.integration.storage.s3.s3_client import ACCESS_KEY, SECRET_KEY
from tests.localbase.unit.storage.s3.signed_requests import HeaderAuth
from tests.support.stacks import Stack

UNSIGNED = "UNSIGNED-PAYLOAD"


@dataclass(frozen=True, slots=True)
class SignedHead:
    """The head of a request, ready to be sent, and what its chunks are signed with."""

    stack: Stack
    data: bytes
    verified: Verified

    def open(self) -> socket.socket:
        """Sends the head alone."""
        address = urlsplit(self.stack.api_url)
        wire = socket.create_connection((str(address.hostname), int(address.port or 80)), timeout=30)
        wire.sendall(self.data)
        return wire

    def send(self, body: bytes = b"") -> tuple[int, str]:
        """Sends all; the response's status and the code of its error."""
        with self.open() as wire:
            wire.sendall(body)
            return response_of(wire)


def response_of(wire: socket.socket) -> tuple[int, str]:
    """Status and error code of the response on a connection."""
    stream = wire.makefile("rb")
    status = int(stream.readline().split(b" ")[1])
    size = 0
    while line := stream.readline().strip():
        if line.lower().startswith(b"content-length:"):
            size = int(line.split(b":")[1])
    match = re.search(r"<Code>(\w+)</Code>", stream.read(size).decode())
    return status, match[1] if match else ""


def signed_head(
    stack: Stack,
    method: str,
    path: str,
    headers: Mapping[str, str] | None = None,
    *,
    payload: str = UNSIGNED,
    token: str | None = None,
    unsigned: str = "",
) -> SignedHead:
    """A request for the raw `path` below `/s3`; `unsigned` are further lines, which are not signed."""
    access_key, secret = (ACCESS_KEY, SECRET_KEY) if token is None else ("stub", stack.anon_key)
    netloc = urlsplit(stack.api_url).netloc
    request = AWSRequest(method, f"{stack.api_url}/storage/v1/s3{path}", headers=dict(headers or {}))
    request.headers["host"] = netloc
    request.context["payload"] = payload
    HeaderAuth(Credentials(access_key, secret, token), "s3", "local").add_auth(request)
    lines = {name.lower(): str(value) for name, value in request.headers.items()}
    text = "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + unsigned
    raw = f"/storage/v1/s3{path}"
    client = read_signature(ReceivedRequest(method, raw.partition("?")[0], "", list(lines.items())))
    key = key_for(ServerCredentials(access_key, secret, "local"), client.scope)
    verified = Verified(
        ServerCredentials(access_key, secret, "local", token),
        *(key, client.scope, client.moment, client.signature, payload),
    )
    return SignedHead(stack, f"{method} {raw} HTTP/1.1\r\n{text}\r\n".encode(), verified)
