"""The official JavaScript client's methods for accounts and sessions, and those that upstream refuses too."""

from __future__ import annotations

import json
import subprocess
import uuid
from typing import Any

import pytest

from tests.localbase.integration.auth.calls import PASSWORD
from tests.support.stacks import ROOT, Stack


@pytest.fixture(scope="module")
def seen(auth: Stack) -> dict[str, Any]:
    email = f"javascript-{uuid.uuid4().hex[:8]}@example.com"
    arguments = [auth.api_url, auth.publishable_key, auth.secret_key, email, PASSWORD]
    done = subprocess.run(
        ["node", "tests/compat/auth.mjs", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return {"email": email, **json.loads(done.stdout)}


def test_client_signs_up_reads_and_changes_the_user(seen: dict[str, Any]) -> None:
    assert seen["initialized"] is None
    assert seen["signedUp"] == {"email": seen["email"], "plan": "free"}
    assert (seen["claims"], seen["user"], seen["updated"]) == (True, True, "paid")
    assert seen["reauthenticated"] is None


def test_client_carries_a_session_over_and_ends_it(seen: dict[str, Any]) -> None:
    assert (seen["refreshed"], seen["set"]) == (True, seen["email"])
    assert seen["signedOut"] == [None, "AuthSessionMissingError"]
    assert seen["events"] == ["INITIAL_SESSION", "SIGNED_IN", "USER_UPDATED", "TOKEN_REFRESHED", "SIGNED_OUT"]


def test_client_requests_mails_and_verifies_their_codes(seen: dict[str, Any]) -> None:
    assert [seen[name] for name in ("otp", "recovery", "resent")] == [None, None, None]
    assert [seen[name] for name in ("byCode", "byHash")] == [seen["email"], seen["email"]]


def test_client_is_refused_single_sign_on_and_wallets(seen: dict[str, Any]) -> None:
    assert seen["sso"] == {"code": "saml_provider_disabled", "status": 404}
    assert seen["web3"] == {"code": "web3_provider_disabled", "status": 422}


def test_client_is_refused_custom_providers(seen: dict[str, Any]) -> None:
    assert seen["providers"] == 5 * [{"code": "feature_disabled", "status": 404}]


def test_client_is_refused_recovery_codes_that_upstream_does_not_have(seen: dict[str, Any]) -> None:
    # Where a path is of no route, the router's own response has no error in JSON, as upstream's.
    unknown, no_factor = ["AuthUnknownError", None], ["AuthApiError", 404]
    assert seen["recoveryCodes"] == [unknown, unknown, no_factor, unknown, no_factor]


def test_client_begins_with_keys_by_their_own_methods(seen: dict[str, Any]) -> None:
    assert seen["passkey"] == ["challenge_id", "expires_at", "options"]
    assert seen["webauthn"] == "webauthn"


def test_client_administers_factors(seen: dict[str, Any]) -> None:
    assert seen["factors"] == {"before": 1, "error": None, "after": 0}


def test_client_starts_and_stops_its_own_timers(seen: dict[str, Any]) -> None:
    assert (seen["ticking"], seen["throws"], seen["disposed"]) == (True, [False, True], True)
