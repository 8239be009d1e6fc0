"""Posts to typed-in addresses: only public ones, to the address that was checked, with limits."""

import json

import httpx
import pytest
from _shared.clients.safe_http import HttpResponse, SsrfSafeClient, is_public
from _shared.core.errors import ShopError

INSIDE = [
    "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_private_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8"])
def test_internet_address_is_public(address: str) -> None:
    assert is_public(address)


def client(
    *addresses: str, response: httpx.Response | Exception | None = None, allow: bool = False
) -> tuple[SsrfSafeClient, list[httpx.Request]]:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if isinstance(response, Exception):
            raise response
        return response or httpx.Response(204, content=iter([b""]))

    resolved = list(addresses)
    made = SsrfSafeClient(
        allow_private=allow, resolver=lambda _host, _port: resolved, transport=httpx.MockTransport(handle)
    )
    return made, seen


def error_of(made: SsrfSafeClient, url: str = "https://hook.example/in") -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        made.post(url, {})
    return caught.value.status, caught.value.code


def test_connection_goes_to_the_checked_address_under_the_hosts_name() -> None:
    made, seen = client("93.184.216.34", response=httpx.Response(200, content=iter([b"thanks"])))
    assert made.post("https://hook.example:8443/in?a=1", {"order": 1}) == HttpResponse(200, "thanks")
    (request,) = seen
    assert str(request.url) == "https://93.184.216.34:8443/in?a=1"
    assert request.headers["host"] == "hook.example:8443"
    assert request.extensions["sni_hostname"] == "hook.example"
    assert json.loads(request.content) == {"order": 1}


def test_ipv6_address_is_written_as_one() -> None:
    made, seen = client("2606:2800:220:1::1")
    made.post("http://hook.example/", {})
    assert str(seen[0].url) == "http://[2606:2800:220:1::1]/"


@pytest.mark.parametrize("addresses", [("10.0.0.1",), ("93.184.216.34", "127.0.0.1"), ("::1",)])
def test_host_with_one_private_address_is_rejected(addresses: tuple[str, ...]) -> None:
    made, seen = client(*addresses)
    assert error_of(made) == (400, "address_not_allowed")
    assert seen == []


def test_configuration_may_allow_private_addresses() -> None:
    made, seen = client("127.0.0.1", allow=True)
    assert made.post("http://localhost:9/", {}).status == 204
    assert len(seen) == 1


def test_redirects_are_shown_not_followed() -> None:
    moved = httpx.Response(302, headers={"location": "http://169.254.169.254/"}, content=iter([b"there"]))
    made, seen = client("93.184.216.34", response=moved)
    assert made.post("http://hook.example/", {}) == HttpResponse(302, "there")
    assert len(seen) == 1


def test_only_the_beginning_of_a_response_is_read() -> None:
    made, _ = client("93.184.216.34", response=httpx.Response(200, content=iter([b"x" * 1_000_000])))
    assert len(made.post("http://hook.example/", {}).body) == 16 * 1024


@pytest.mark.parametrize("error", [httpx.ConnectError("no"), httpx.ReadTimeout("slow")])
def test_unreachable_address_is_an_error(error: Exception) -> None:
    made, _ = client("93.184.216.34", response=error)
    assert error_of(made) == (502, "webhook_unreachable")


@pytest.mark.parametrize("url", ["", "x", "file:///etc/passwd", "ftp://a.b/", "http://", "http://u:p@a.b/"])
def test_url_that_is_not_http_is_refused(url: str) -> None:
    made, seen = client("93.184.216.34")
    assert error_of(made, url) == (400, "invalid_request")
    assert seen == []


def test_unknown_host_name_is_refused() -> None:
    made, _ = client()
    assert error_of(made) == (400, "address_unknown")

    def unknown(_host: str, _port: int) -> list[str]:
        raise OSError("Name or service not known")

    assert error_of(SsrfSafeClient(allow_private=False, resolver=unknown)) == (400, "address_unknown")
