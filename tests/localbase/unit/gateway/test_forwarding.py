"""Which client a request has: as trusted proxies say, and as nobody else does."""

from __future__ import annotations

import ipaddress
import random
from typing import Any

import pytest
from localbase.core.configuration import read_settings
from localbase.core.errors import UserError
from localbase.gateway.forwarding import TrustedProxies, forwarded_proto

from tests.support.random_cases import cases

_PROXIES = TrustedProxies(["10.0.0.0/8", "192.0.2.7", "fd00::/8"])


def _seen(peer: str, *headers: tuple[str, str], kind: str = "http") -> dict[str, Any]:
    lines = [(name.encode(), value.encode()) for name, value in headers]
    scope: dict[str, Any] = {
        "type": kind,
        "client": (peer, 40000),
        "scheme": "http",
        "headers": [(b"host", b"gateway:54321"), *lines],
    }
    _PROXIES.apply(scope)
    return scope


def _client(peer: str, *values: str) -> str:
    client: str = _seen(peer, *(("x-forwarded-for", value) for value in values))["client"][0]
    return client


@pytest.mark.parametrize(
    ("peer", "values", "expected"),
    [
        ("10.0.0.1", ["203.0.113.5"], "203.0.113.5"),
        # What the client wrote stands left of what the proxy has added.
        ("10.0.0.1", ["198.51.100.1, 203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["198.51.100.1", "203.0.113.5, 10.0.0.9"], "203.0.113.5"),
        ("10.0.0.1", ["10.1.1.1, 10.2.2.2"], "10.1.1.1"),
        ("192.0.2.7", ["203.0.113.5:4711"], "203.0.113.5"),
        ("fd00::1", ["[2001:db8::5]:443"], "2001:db8::5"),
        ("::ffff:10.0.0.1", ["::ffff:203.0.113.5"], "203.0.113.5"),
        # One that cannot be read counts as none, unless nobody has to read as far.
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.5, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.5, 10.0.0.400, 10.0.0.2"], "10.0.0.1"),
        ("10.0.0.1", ["'; drop table notes, 203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["fe80::1%eth0"], "10.0.0.1"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.5,"], "10.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        # Of anybody else nothing counts.
        ("203.0.113.9", ["127.0.0.1"], "203.0.113.9"),
        ("192.0.2.8", ["198.51.100.1, 10.0.0.1"], "192.0.2.8"),
        ("", ["198.51.100.1"], ""),
    ],
)
def test_client_is_the_right_most_address_that_is_no_proxys(
    peer: str, values: list[str], expected: str
) -> None:
    assert _client(peer, *values) == expected


def test_protocol_and_host_count_from_trusted_proxies_alone() -> None:
    said = [("x-forwarded-proto", "https"), ("x-forwarded-host", "shop.example")]
    trusted, strange = _seen("10.0.0.1", *said), _seen("203.0.113.9", *said)
    assert (trusted["scheme"], forwarded_proto(trusted)) == ("https", "https")
    assert dict(trusted["headers"])[b"host"] == b"shop.example"
    assert (strange["scheme"], forwarded_proto(strange)) == ("http", "")
    assert dict(strange["headers"])[b"host"] == b"gateway:54321"
    assert _seen("10.0.0.1", *said, kind="websocket")["scheme"] == "wss"


@pytest.mark.parametrize(
    "headers",
    [
        [("x-forwarded-proto", "gopher"), ("x-forwarded-host", "shop.example/../admin")],
        [("x-forwarded-proto", "https, gopher"), ("x-forwarded-host", "shop.example, evil.example\t")],
        [("x-forwarded-proto", ""), ("x-forwarded-host", "user@evil.example")],
        [("x-forwarded-proto", "https\x00"), ("x-forwarded-host", "a" * 300)],
    ],
)
def test_malformed_protocol_and_host_change_nothing(headers: list[tuple[str, str]]) -> None:
    seen = _seen("10.0.0.1", *headers)
    assert (seen["scheme"], forwarded_proto(seen)) == ("http", "")
    assert dict(seen["headers"])[b"host"] in (b"gateway:54321", b"evil.example")


def test_no_header_of_a_client_moves_the_address_that_its_proxy_saw() -> None:
    chance = random.Random(33)
    pieces = ["127.0.0.1", "10.0.0.3", "::1", "unknown", "", "[", ",", " ", "1.2.3.4:99999", "%00", "é"]
    for _ in range(cases(2000)):
        forged = ",".join(chance.choices(pieces, k=chance.randrange(40)))
        client = str(ipaddress.ip_address(0xCB007100 + chance.randrange(256)))
        assert _client("10.0.0.1", *([forged] if forged else []), client) == client
        assert _client(client, forged, "10.0.0.1") == client


@pytest.mark.parametrize("network", ["0.0.0.0/0", "::/0", "proxy.example", "10.0.0.0/33", ""])
def test_networks_that_are_none_or_everybodys_are_refused(tmp_path: Any, network: str) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[api]\ntrusted_proxies = ["{network}"]\n')
    with pytest.raises(UserError, match=r"api\.trusted_proxies"):
        read_settings(config, {})
