"""auth.addresses: which addresses a user may be sent back to."""

from __future__ import annotations

import pytest
from localbase.auth.addresses import parse_email, parse_redirect, with_fragment, with_query
from localbase.auth.errors import AuthError
from localbase.core.auth_settings import AuthSettings

AUTH = AuthSettings(
    site_url="http://127.0.0.1:3000",
    additional_redirect_urls=("https://shop.example/**", "https://*.preview.example/auth", "myapp://home"),
)


@pytest.mark.parametrize(
    "wanted",
    [
        "http://127.0.0.1:3000/auth",
        "http://127.0.0.1:5173/anything?x=1",
        "https://shop.example/a/b?c=d",
        "https://one.preview.example/auth",
        "myapp://home",
    ],
)
def test_redirect_inside_allow_list_is_used(wanted: str) -> None:
    assert parse_redirect(wanted, AUTH) == wanted


@pytest.mark.parametrize(
    "wanted",
    [
        None,
        "",
        "https://evil.example/",
        "https://shop.example.evil.com/x",
        "https://a.b.preview.example/auth",
        "https://one.preview.example/auth/more",
        "javascript:alert(1)",
        "javascript://127.0.0.1/%0aalert(1)",
        "//evil.example",
        "/relative",
    ],
)
def test_redirect_outside_allow_list_falls_back_to_site_url(wanted: str | None) -> None:
    assert parse_redirect(wanted, AUTH) == "http://127.0.0.1:3000"


def test_values_are_added_to_query_and_fragment() -> None:
    assert with_query("http://x/a?b=1#f", {"code": "a b"}) == "http://x/a?b=1&code=a+b#f"
    assert with_fragment("http://x/a?b=1", {"t": "1"}) == "http://x/a?b=1#t=1"


def test_email_addresses_are_lower_cased() -> None:
    assert parse_email("Some.One@Example.COM") == "some.one@example.com"


@pytest.mark.parametrize("text", ["nobody", "a@b", "a b@example.com", "x" * 256, "@example.com"])
def test_invalid_email_addresses_are_rejected(text: str) -> None:
    with pytest.raises(AuthError) as caught:
        parse_email(text)
    assert caught.value.code == "validation_failed"
