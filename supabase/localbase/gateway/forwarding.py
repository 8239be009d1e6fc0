"""Whose word about a request's client counts: that of the proxies in `[api] trusted_proxies`, and of nobody else.

A proxy adds the address that it was called from at the right of X-Forwarded-For. So the client is the right-most
address that is no trusted proxy's; what stands left of it, the client may have written itself. A header that cannot be
read counts as if it were not there.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from starlette.types import Scope

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Longer chains are nobody's.
_MOST_ADDRESSES = 32
_WITH_PORT = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([0-9.]{7,15}))(?::\d{1,5})?")
_HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
_PROTO = "localbase.forwarded_proto"


class TrustedProxies:
    """The proxies of these networks."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(each, strict=False) for each in networks]
        self._is_trusted = lru_cache(maxsize=1024)(self._is_in_networks)

    def __bool__(self) -> bool:
        return bool(self._networks)

    def apply(self, scope: Scope) -> None:
        """Has `scope` name the client that a trusted proxy names. Of any other peer nothing changes."""
        peer = parse_address((scope.get("client") or ("",))[0])
        if peer is None or not self._is_trusted(peer):
            return
        client = self._client(_values(scope, b"x-forwarded-for"))
        if client is not None:
            scope["client"] = (str(client), 0)
        proto, host = _last(scope, b"x-forwarded-proto").lower(), _last(scope, b"x-forwarded-host")
        if proto in ("http", "https"):
            scope[_PROTO] = proto
            is_socket = scope["type"] == "websocket"
            scope["scheme"] = proto.replace("http", "ws") if is_socket else proto
        if _HOST.fullmatch(host):
            others = [item for item in scope["headers"] if item[0] != b"host"]
            scope["headers"] = [(b"host", host.encode()), *others]

    def _client(self, texts: Sequence[str]) -> Address | None:
        """The right-most address that is no proxy's, or the left-most of all; None where one on the way is none."""
        address: Address | None = None
        for text in reversed(texts[-_MOST_ADDRESSES:]):
            address = parse_address(text)
            if address is None or not self._is_trusted(address):
                return address
        return address

    def _is_in_networks(self, address: Address) -> bool:
        return any(address in network for network in self._networks if network.version == address.version)


def forwarded_proto(scope: Scope) -> str:
    """The protocol that a trusted proxy has named, or ""."""
    proto: str = scope.get(_PROTO, "")
    return proto


def parse_address(text: str) -> Address | None:
    """An address as proxies write it, with or without a port; None for anything else."""
    match = _WITH_PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address((match[1] or match[2]) if match else text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id:
            # A link's name means nothing beyond this machine, and is no part of an address to Postgres.
            return None
        return address.ipv4_mapped or address
    return address


def _values(scope: Scope, name: bytes) -> list[str]:
    """The values of a header, in the order of their lines."""
    lines = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return [text.strip() for text in ",".join(lines).split(",")] if lines else []


def _last(scope: Scope, name: bytes) -> str:
    """The value that the nearest proxy has set."""
    return next(reversed(_values(scope, name)), "")
