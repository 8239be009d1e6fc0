"""WebAuthn's relying party: what follows from the site's address, and hostile responses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from localbase.auth.webauthn import VerificationFailed, assertion_of, relying_party_of
from localbase.core.auth_settings import AuthSettings, WebAuthnSettings

_SESSION = {"challenge": "AAAA", "rpId": "localhost"}
_INNER = ("clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle")
_TEXTS = st.text(alphabet="ABCabc019-_=", max_size=40) | st.text(max_size=5)
_VALUES = st.none() | st.booleans() | st.integers() | _TEXTS | st.lists(_TEXTS, max_size=2)
_RESPONSES = st.fixed_dictionaries(
    {},
    optional={
        "id": _VALUES,
        "rawId": _VALUES,
        "type": st.just("public-key") | _VALUES,
        "authenticatorAttachment": _VALUES,
        "response": _VALUES
        | st.fixed_dictionaries(
            {},
            optional=dict.fromkeys(
                ("clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"),
                _VALUES,
            ),
        ),
    },
)


@pytest.mark.parametrize(
    ("site", "rp_id", "origins"),
    [
        ("https://shop.example", "shop.example", ("https://shop.example",)),
        ("https://shop.example:8443/path", "shop.example", ("https://shop.example:8443",)),
        ("http://localhost:3000", "localhost", ("http://localhost:3000",)),
        ("http://127.0.0.1:3000", "localhost", ("http://127.0.0.1:3000", "http://localhost:3000")),
        ("http://[::1]:3000", "localhost", ("http://[::1]:3000", "http://localhost:3000")),
    ],
)
def test_relying_party_follows_from_the_site(site: str, rp_id: str, origins: tuple[str, ...]) -> None:
    party = relying_party_of(AuthSettings(site_url=site))
    assert (party.id, party.name, party.origins) == (rp_id, rp_id, origins)


def test_settings_win_over_the_site() -> None:
    settings = WebAuthnSettings("Shop", "example", ("https://a.example", "https://b.example"))
    party = relying_party_of(replace(AuthSettings(), webauthn=settings))
    assert (party.name, party.id, party.origins) == (
        "Shop",
        "example",
        ("https://a.example", "https://b.example"),
    )


@given(_RESPONSES)
def test_hostile_responses_only_fail_to_verify(response: dict[str, Any]) -> None:
    party = relying_party_of(AuthSettings())
    with pytest.raises(VerificationFailed):
        party.verify_creation(_SESSION, response)
    with pytest.raises(VerificationFailed):
        party.verify_request(_SESSION, response, b"key", 0)


@given(_RESPONSES)
def test_claims_of_a_response_are_read_or_malformed(response: dict[str, Any]) -> None:
    try:
        claimed = assertion_of(response)
    except VerificationFailed as error:
        assert error.malformed
    else:
        assert isinstance(claimed.credential_id, bytes)
