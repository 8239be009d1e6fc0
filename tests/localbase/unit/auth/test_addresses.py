"""auth.addresses: which e-mail addresses an account can have."""

from __future__ import annotations

import pytest
from localbase.auth.channels import parse_email
from localbase.auth.errors import AuthError

_LABEL = "a" * 63


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.com",
        "Ann.Example+shop@Example.COM",
        ".dots..everywhere.@example.com",
        "!#$%&'*+/=?^_`{|}~-@example.com",
        "ann@localhost",
        "ann@1.2.3.4",
        "ann@xn--bcher-kva.example",
        f"a@{_LABEL}.{_LABEL}",
        "ann@example.test",
        "ann@-".replace("-", "a-b"),
    ],
)
def test_address_of_the_html_standard_is_taken_in_lower_case(address: str) -> None:
    assert parse_email(address) == address.lower()


@pytest.mark.parametrize(
    "address",
    [
        *("nameö@domain.com", "name@bücher.example", "ann", "@example.com", "ann@", "ann@@example.com"),
        *(
            "ann@example.com ",
            " ann@example.com",
            "an n@example.com",
            "ann@example.com\n",
            "ann@exa mple.com",
        ),
        *("ann@.com", "ann@example.", "ann@example..com", "ann@-a.com", "ann@a-.com", f"ann@a{_LABEL}.com"),
        *(
            '"ann b"@example.com',
            "ann@[127.0.0.1]",
            "Ann <ann@example.com>",
            "ann@exam_ple.com",
            "ann,b@a.com",
        ),
        *("\u212aelvin@example.com", "ann@example\u3002com", "ann\ud800@example.com", "ann\x00@example.com"),
    ],
)
def test_other_address_is_refused_in_upstreams_words(address: str) -> None:
    with pytest.raises(AuthError) as caught:
        parse_email(address)
    assert (caught.value.status, caught.value.message) == (
        400,
        "Unable to validate email address: invalid format",
    )


def test_length_is_limited() -> None:
    assert parse_email("a" * 253 + "@b")
    for address in ("a" * 254 + "@b", "ö" * 128 + "@b"):
        with pytest.raises(AuthError) as caught:
            parse_email(address)
        assert caught.value.message == "An email address is too long"
