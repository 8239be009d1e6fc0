"""A POST to an address that an admin typed in, which must not reach into our own network (SSRF).

The name is resolved here, every address it has must be a public one, and the connection goes to exactly the address
that was checked, so that a second look-up cannot lead elsewhere. Redirects are not followed.
"""

from __future__ import annotations

import ipaddress
import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from _shared.core.errors import ShopError, unavailable
from _shared.core.outgoing import observed

_SECONDS = 10.0
_MOST_BYTES = 16 * 1024

Resolve = Callable[[str, int], list[str]]


@dataclass(frozen=True)
class HttpResponse:
    """The beginning of a response."""

    status: int
    body: str


def resolve(host: str, port: int) -> list[str]:
    """Every address of a name."""
    return sorted({str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)})


class SsrfSafeClient:
    """Posts JSON to the outside."""

    def __init__(
        self,
        *,
        allow_private: bool,
        resolver: Resolve = resolve,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._allow_private = allow_private
        self._resolve = resolver
        self._transport = transport
        self._clock = clock

    def post(self, address: str, payload: object) -> HttpResponse:
        """400 for an address that may not be called, 502 without a response within ten seconds."""
        url = _parse(address)
        port = url.port or (443 if url.scheme == "https" else 80)
        request = httpx.Request(
            "POST",
            url.copy_with(host=self._checked(url.host, port)),
            headers={
                "host": url.netloc.decode("ascii"),
                "content-type": "application/json",
                "accept-encoding": "identity",
                "user-agent": "Teesmith/1.0",
            },
            content=_encoded(payload),
            # the certificate must be the name's, although the connection goes to the address
            extensions={"sni_hostname": url.host, "timeout": httpx.Timeout(_SECONDS).as_dict()},
        )
        try:
            # neither environment proxies nor redirects: both would go to an address that was not checked
            with (
                observed("webhook_test", "post") as call,
                httpx.Client(transport=self._transport, trust_env=False, follow_redirects=False) as client,
            ):
                response = client.send(request, stream=True)
                call.status = response.status_code
                try:
                    return HttpResponse(response.status_code, self._beginning(response))
                finally:
                    response.close()
        except httpx.HTTPError as error:
            raise unavailable("webhook_unreachable", "Nobody answered at this address.", error) from error

    def _checked(self, host: str, port: int) -> str:
        """One address of the host; 400 unless all of them are public."""
        try:
            addresses = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise ShopError(400, "address_unknown", "There is no host of this name.", cause=error) from error
        if not addresses:
            raise ShopError(400, "address_unknown", "There is no host of this name.")
        if not self._allow_private and not all(map(is_public, addresses)):
            raise ShopError(
                400,
                "address_not_allowed",
                "This address lies in a private network. Please use a public one.",
                cause=f"{host} is {', '.join(addresses)}",
            )
        return addresses[0]

    def _beginning(self, response: httpx.Response) -> str:
        end = self._clock() + _SECONDS
        content = b""
        for chunk in response.iter_raw(4096):
            content += chunk
            if len(content) >= _MOST_BYTES or self._clock() > end:
                break
        return content[:_MOST_BYTES].decode("utf-8", "replace")


def is_public(address: str) -> bool:
    """Neither private, loopback, link-local (cloud metadata), shared, multicast nor reserved, in any notation."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        wrapped = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if wrapped is None and parsed in ipaddress.ip_network("64:ff9b::/96"):
            wrapped = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if wrapped is not None:
            parsed = wrapped
    return parsed.is_global and not parsed.is_multicast


def _encoded(payload: object) -> bytes:
    try:
        return json.dumps(payload, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:  # half of a surrogate pair; nested as deep as the stack
        raise ShopError(400, "invalid_request", "payload: cannot be written as JSON.", cause=error) from error


def _parse(address: str) -> httpx.URL:
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, TypeError) as error:
        raise ShopError(400, "invalid_request", "url: is not an address.", cause=error) from error
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise ShopError(400, "invalid_request", "url: is not an http or https address without a user name.")
    return url
