"""Administration, anonymous users and identities through the official JavaScript client."""

from __future__ import annotations

import hashlib
import json
import subprocess
from typing import Any

import pytest

from tests.localbase.integration.auth.calls import PASSWORD
from tests.localbase.integration.auth.external.outside_providers import OutsideProviders
from tests.localbase.integration.auth.own_service import own_service
from tests.support.stacks import ROOT, Stack

EMAIL = "javascript@example.com"


@pytest.fixture(scope="module")
def seen(auth: Stack, outside: OutsideProviders) -> dict[str, Any]:
    outside.forged.clear()
    nonce = hashlib.sha256(b"secret").hexdigest()
    id_token = outside.id_token(sub="javascript", email=f"token-{EMAIL}", email_verified=True, nonce=nonce)
    with own_service(auth, external=outside.settings()) as stack:
        arguments = [stack.api_url, stack.publishable_key, stack.secret_key, stack.site_url, EMAIL, PASSWORD]
        done = subprocess.run(
            ["node", "tests/compat/identities.mjs", *arguments, id_token, "secret"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_javascript_client_administers_users(seen: dict[str, Any]) -> None:
    assert seen["created"] == {"email": EMAIL, "metadata": {"plan": "free", "email_verified": True}}
    assert seen["listed"] == {"users": 1, "last": True, "total": True}
    assert seen["read"] is True
    assert seen["updated"] == {"provider": "email", "providers": ["email"], "team": 7}
    assert seen["refused"] == "email_exists"
    assert seen["deleted"] is None


def test_javascript_client_invites_and_generates_links(seen: dict[str, Any]) -> None:
    assert seen["invited"] == f"invited-{EMAIL}"
    assert seen["link"] == ["action_link", "email_otp", "hashed_token", "redirect_to", "verification_type"]


def test_javascript_client_signs_a_user_out_by_the_users_token(seen: dict[str, Any]) -> None:
    assert seen["signOut"] is None
    assert seen["afterSignOut"] == "AuthSessionMissingError"


def test_javascript_client_makes_an_anonymous_user_permanent_by_an_identity(seen: dict[str, Any]) -> None:
    assert seen["anonymous"] == {"is": True, "metadata": {"theme": "dark"}}
    assert seen["linked"] == {"same": True, "is": False, "email": f"linked-{EMAIL}"}
    assert seen["identities"] == ["google"]


def test_javascript_client_unlinks_all_but_the_last_identity(seen: dict[str, Any]) -> None:
    assert seen["single"] == "single_identity_not_deletable"
    assert seen["unlinked"] is None


def test_javascript_client_signs_in_at_a_provider_and_with_its_id_token(seen: dict[str, Any]) -> None:
    assert seen["oauth"] == {"email": f"oauth-{EMAIL}", "provider": True}
    assert seen["idToken"] == f"token-{EMAIL}"
