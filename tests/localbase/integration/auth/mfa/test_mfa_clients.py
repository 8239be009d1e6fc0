"""Second factors through the official clients, in Python and JavaScript."""

from __future__ import annotations

import json
import subprocess
import time

import pyotp
import pytest
from supabase_auth.errors import AuthApiError

from supabase import Client, create_client
from tests.localbase.integration.auth.calls import PASSWORD, new_session
from tests.support.stacks import ROOT, Stack


@pytest.fixture
def client(auth: Stack, email: str) -> Client:
    """Signed in."""
    new_session(auth, email)
    made = create_client(auth.api_url, auth.publishable_key)
    made.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    return made


def test_python_client_enrols_challenges_and_verifies(client: Client) -> None:
    mfa = client.auth.mfa
    levels = mfa.get_authenticator_assurance_level()
    assert (levels.current_level, levels.next_level) == ("aal1", "aal1")
    factor = mfa.enroll({"factor_type": "totp", "friendly_name": "app"})
    assert factor.totp is not None
    assert factor.totp.qr_code.startswith("data:image/svg+xml;utf-8,<svg")
    challenge = mfa.challenge({"factor_id": factor.id})
    code = pyotp.TOTP(factor.totp.secret).now()
    raised = mfa.verify({"factor_id": factor.id, "challenge_id": challenge.id, "code": code})
    assert raised.user.factors is not None
    levels = mfa.get_authenticator_assurance_level()
    assert (levels.current_level, levels.next_level) == ("aal2", "aal2")
    assert [entry.method for entry in levels.current_authentication_methods] == ["totp", "password"]
    listed = mfa.list_factors()
    assert [one.id for one in listed.totp] == [factor.id]
    assert mfa.unenroll({"factor_id": factor.id}).id == factor.id
    assert mfa.list_factors().all == []


def test_python_client_challenges_and_verifies_in_one_call(client: Client, auth: Stack, email: str) -> None:
    factor = client.auth.mfa.enroll({"factor_type": "totp"})
    assert factor.totp is not None
    totp = pyotp.TOTP(factor.totp.secret)
    client.auth.mfa.challenge_and_verify({"factor_id": factor.id, "code": totp.now()})
    other = create_client(auth.api_url, auth.publishable_key)
    other.auth.sign_in_with_password({"email": email, "password": PASSWORD})
    levels = other.auth.mfa.get_authenticator_assurance_level()
    assert (levels.current_level, levels.next_level) == ("aal1", "aal2")
    with pytest.raises(AuthApiError) as refused:
        other.auth.mfa.enroll({"factor_type": "totp", "friendly_name": "second"})
    assert refused.value.code == "insufficient_aal"
    other.auth.mfa.challenge_and_verify({"factor_id": factor.id, "code": totp.at(time.time() + 30)})
    assert other.auth.mfa.get_authenticator_assurance_level().current_level == "aal2"


def test_javascript_client_enrols_and_proves_a_factor(auth: Stack, email: str) -> None:
    new_session(auth, email)
    done = subprocess.run(
        ["node", "tests/compat/mfa.mjs", auth.api_url, auth.publishable_key, email, PASSWORD],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "before": {"currentLevel": "aal1", "nextLevel": "aal1"},
        "picture": True,
        "unproven": {"all": 1, "totp": 0},
        "wrong": {"code": "mfa_verification_failed", "status": 422},
        "after": {"currentLevel": "aal2", "nextLevel": "aal2", "methods": ["totp", "password"]},
        "listed": {"all": 1, "totp": 1},
        "again": {"currentLevel": "aal1", "nextLevel": "aal2"},
        "refused": {"code": "insufficient_aal", "status": 422},
        "proven": {"currentLevel": "aal2", "nextLevel": "aal2"},
        "gone": {"all": 0, "totp": 0},
    }
