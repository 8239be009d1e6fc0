"""auth.redirects: which addresses a browser may be sent back to, and what is added to them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from localbase.auth.errors import AuthError
from localbase.auth.redirects import (
    glob,
    is_allowed,
    parse_redirect,
    with_callback_error,
    with_error,
    with_fragment,
    with_message,
    with_query,
)
from localbase.core.auth_settings import AuthSettings

AUTH = AuthSettings(
    site_url="http://127.0.0.1:3000",
    additional_redirect_urls=(
        "https://shop.example/**",
        "https://*.preview.example/auth",
        "https://*.wide.example/**",
        "https://only.example",
        "https://{blue,green}.deploy.example/*",
        "https://node[1-3].example/",
        "https://stage[!0].example/",
        "https://literal.example/a\\*b",
        "https://one.example/?",
        "http://192.168.0.5:3000/**",
        "https://port.example:8443/**",
        "myapp://home",
        "com.example.app://**",
        "exp://**",
    ),
)
HOSTED = replace(AUTH, site_url="https://site.example")

GOOD = [
    "http://127.0.0.1:3000",
    "http://127.0.0.1:3000/auth?x=1#here",
    # The port is free on loopback alone.
    "http://127.0.0.1:5173/anything?x=1",
    "http://127.9.9.9:8080/",
    "https://127.0.0.1/",
    "http://[::1]:3000/",
    "http://[::ffff:127.0.0.1]/",
    "HTTP://127.0.0.1:3000/",
    "https://shop.example/a/b?c=d",
    "https://shop.example/a/b?c=d#fragment",
    "https://shop.example/?next=https://evil.example/",
    "https://one.preview.example/auth",
    "https://a.wide.example/b/c.html",
    "https://only.example",
    "https://only.example#fragment",
    "https://blue.deploy.example/a",
    "https://green.deploy.example/b",
    "https://node2.example/",
    "https://stage7.example/",
    "https://literal.example/a*b",
    "https://one.example/x",
    "https://port.example:8443/auth",
    "myapp://home",
    "com.example.app://auth/back",
    "exp://some-host/--/auth",
]
BAD = [
    "",
    "relative",
    "/relative",
    "//evil.example",
    "https:",
    "https://",
    "https:/evil.example",
    "https:evil.example",
    "https:///evil.example",
    "https://evil.example/",
    "https://evil.example/#https://shop.example/",
    "https://shop.example.evil.com/x",
    "https://shop.example",
    "http://shop.example/",
    "https://shop.example:444/a",
    "https://notshop.example/",
    # Browsers read a backslash as a slash.
    "https://evil.example\\@shop.example/",
    "https://evil.example\\.wide.example/",
    "https:\\\\evil.example",
    "http://127.0.0.1:3000\\@evil.example",
    # User info.
    "https://shop.example@evil.example/",
    "https://shop.example:pw@evil.example/",
    "https://evil.example@shop.example/a",
    "http://127.0.0.1:3000@evil.example/",
    # Control characters and blanks, which browsers take out or off.
    "https://shop.example/\n",
    "\thttps://shop.example/",
    "ht\ntps://shop.example/",
    "https://shop.example/a b",
    "https://shop.example/\x7f",
    "https://evil.example\x00.wide.example/",
    # `*` ends at a dot and a slash, and at the end of the host.
    "https://a.b.preview.example/auth",
    "https://one.preview.example/auth/more",
    "https://localhost?.wide.example/x",
    "https://localhost#.wide.example/x",
    "https://evil.com/.wide.example/x",
    "https://evil:1.wide.example/",
    # Other letters than upstream takes in a host.
    "https://evil%2ecom.wide.example/",
    "https://ev il.wide.example/",
    "https://e\u3002wide.example/x",
    "https://\u0430.wide.example/x",
    "https://-.wide.example-/x",
    "https://a_b.wide.example/x",
    "https://red.deploy.example/a",
    "https://node4.example/",
    "https://stage0.example/",
    "https://literal.example/aXb",
    "https://one.example//",
    "https://one.example/xy",
    # Numbers, whatever the list says.
    "http://192.168.0.5:3000/auth",
    "http://10.0.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://[fe80::1]/",
    "http://[::ffff:10.0.0.1]/",
    "exp://192.168.0.5:19000/--/auth",
    "https://port.example:99999/auth",
    "https://port.example:8443.evil.example/",
    # They run what they hold.
    "javascript:alert(1)",
    "javascript://127.0.0.1/%0aalert(1)",
    "JavaScript://127.0.0.1/%0aalert(1)",
    "data://127.0.0.1/,x",
    "vbscript://127.0.0.1/x",
    "file://127.0.0.1/etc/passwd",
    "myapp://home/more",
    "otherapp://home",
    "https://shop.example/" + "a" * 9000,
]


@pytest.mark.parametrize("redirect_to", GOOD)
def test_good_addresses_are_used(redirect_to: str) -> None:
    assert parse_redirect(redirect_to, AUTH) == redirect_to


@pytest.mark.parametrize("redirect_to", BAD)
def test_other_addresses_become_the_site(redirect_to: str) -> None:
    assert parse_redirect(redirect_to, AUTH) == "http://127.0.0.1:3000"


@pytest.mark.parametrize(
    ("redirect_to", "allowed"),
    [
        ("https://site.example", True),
        ("https://site.example/deep?x=1", True),
        ("http://site.example/", False),
        ("https://site.example:8443/", False),
        ("https://site.example:443/", False),
        ("https://www.site.example/", False),
        ("https://site.example.evil.example/", False),
        ("https://evil.example\\@site.example/", False),
        ("https://user@site.example/", False),
        ("http://127.0.0.1:3000/", True),
        ("http://localhost:3000/", False),
    ],
)
def test_site_is_scheme_host_and_port(redirect_to: str, allowed: bool) -> None:
    assert is_allowed(redirect_to, HOSTED) is allowed


@pytest.mark.parametrize(
    ("entry", "text", "matches"),
    [
        ("*", "ab", True),
        ("*", "a.b", False),
        ("*", "a/b", False),
        ("**", "a.b/c", True),
        ("a?c", "abc", True),
        ("a?c", "a.c", False),
        ("[abc]", "b", True),
        ("[abc]", "d", False),
        ("[a-c]x", "bx", True),
        ("[!a-c]x", "bx", False),
        ("[!ab]", "c", True),
        ("[a", "[a", True),
        ("{a,b}c", "bc", True),
        ("{a,{b,c}d}", "cd", True),
        ("{a,b}", "a,b", False),
        ("a,b", "a,b", True),
        ("\\*", "*", True),
        ("\\*", "a", False),
        ("\\{a", "{a", True),
        ("a}", "a}", True),
        ("(a|b)+", "(a|b)+", True),
    ],
)
def test_globs_are_upstreams(entry: str, text: str, matches: bool) -> None:
    assert bool(glob(entry).fullmatch(text)) is matches


def test_where_the_browser_came_from_is_the_second_choice() -> None:
    page = "https://shop.example/page"
    assert parse_redirect(None, AUTH, page) == page
    assert parse_redirect("https://evil.example/", AUTH, page) == page
    assert parse_redirect("https://evil.example/", AUTH, "https://evil.example/") == AUTH.site_url
    assert parse_redirect("https://only.example", AUTH, page) == "https://only.example"


def test_values_are_set_in_the_query() -> None:
    assert with_query("http://x/a?b=1#f", {"code": "a b"}) == "http://x/a?b=1&code=a+b#f"
    assert with_query("http://x/a?code=old&b=1", {"code": "new"}) == "http://x/a?b=1&code=new"


def test_fragments_say_whose_they_are() -> None:
    assert with_fragment("http://x/a?b=1#old", {"t": "1"}) == "http://x/a?b=1#t=1&sb="


ERROR = AuthError(403, "otp_expired", "Too late")


def test_errors_of_the_implicit_flow_are_in_the_fragment_only() -> None:
    assert with_error("http://x/a?b=1", ERROR, pkce=False) == (
        "http://x/a?b=1#error=access_denied&error_code=otp_expired&error_description=Too+late&sb="
    )


def test_errors_of_the_pkce_flow_are_in_the_query_too() -> None:
    values = "error=access_denied&error_code=otp_expired&error_description=Too+late"
    assert with_error("http://x/a?b=1", ERROR, pkce=True) == f"http://x/a?b=1&{values}#{values}&sb="


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (400, "invalid_request"),
        (401, "unauthorized_client"),
        (403, "access_denied"),
        (500, "server_error"),
        (503, "temporarily_unavailable"),
    ],
)
def test_error_is_named_after_its_status(status: int, name: str) -> None:
    error = AuthError(status, "code", "text")
    assert with_error("http://x", error, pkce=False) == (
        f"http://x#error={name}&error_code=code&error_description=text&sb="
    )


def test_unnamed_status_has_only_its_code() -> None:
    error = AuthError(422, "code", "text")
    assert with_error("http://x", error, pkce=False) == "http://x#error_code=code&error_description=text&sb="


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (AuthError(400, "bad_oauth_state", "text"), "invalid_request"),
        (AuthError(422, "signup_disabled", "text"), "access_denied"),
        (AuthError(422, "identity_already_exists", "text"), "server_error"),
    ],
)
def test_errors_of_a_provider_are_in_query_and_fragment(error: AuthError, name: str) -> None:
    values = f"error={name}&error_code={error.code}&error_description=text"
    assert with_callback_error("http://x/a", error) == f"http://x/a?{values}#{values}&sb="


def test_messages_go_where_errors_do() -> None:
    assert with_message("http://x", "half done", pkce=False) == "http://x#message=half+done&sb="
    assert (
        with_message("http://x", "half done", pkce=True) == "http://x?message=half+done#message=half+done&sb="
    )
