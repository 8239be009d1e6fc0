"""Rows as a hosted project's dump has them: restored, and their users sign in with password and second factor."""

from __future__ import annotations

import json
import uuid
from typing import Any

import bcrypt
import psycopg
import pyotp
import pytest

from tests.localbase.integration.auth.calls import PASSWORD, call, claims_of, failure, refresh, sign_in
from tests.localbase.integration.auth.own_service import MovableClock, own_service
from tests.localbase.integration.auth.webauthn.authenticator import App, challenge, verify
from tests.support.stacks import Stack

SECRET = pyotp.random_base32()
NULL = "\\N"
BORN = "2023-04-05 06:07:08.123456+00"


def row(**columns: object) -> dict[str, str]:
    """A row in COPY's text format. None is NULL, as the token columns of users from before 2023 have it."""
    return {name: NULL if value is None else str(value) for name, value in columns.items()}


def dumped(user_id: str, email: str) -> dict[str, dict[str, str]]:
    """Return what pg_dump writes of one user with a verified TOTP factor, and a session that a browser still holds."""
    hashed = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(10, prefix=b"2a")).decode()
    app, own = {"provider": "email", "providers": ["email"]}, {"sub": user_id, "email": email}
    session_id, factor_id = str(uuid.uuid4()), str(uuid.uuid4())
    return {
        "users": row(
            instance_id=uuid.UUID(int=0),
            id=user_id,
            aud="authenticated",
            role="authenticated",
            email=email,
            encrypted_password=hashed,
            email_confirmed_at=BORN,
            invited_at=None,
            confirmation_token=None,
            confirmation_sent_at=None,
            recovery_token=None,
            recovery_sent_at=None,
            email_change_token_new=None,
            email_change=None,
            email_change_sent_at=None,
            last_sign_in_at=BORN,
            raw_app_meta_data=json.dumps(app),
            raw_user_meta_data="{}",
            is_super_admin=None,
            created_at=BORN,
            updated_at=BORN,
            phone=None,
            phone_confirmed_at=None,
            phone_change=None,
            phone_change_token=None,
            phone_change_sent_at=None,
            email_change_token_current=None,
            email_change_confirm_status=0,
            banned_until=None,
            reauthentication_token=None,
            reauthentication_sent_at=None,
            is_sso_user="f",
            deleted_at=None,
            is_anonymous="f",
        ),
        "identities": row(
            provider_id=user_id,
            user_id=user_id,
            identity_data=json.dumps(own),
            provider="email",
            last_sign_in_at=BORN,
            created_at=BORN,
            updated_at=BORN,
            id=uuid.uuid4(),
        ),
        "mfa_factors": row(
            id=factor_id,
            user_id=user_id,
            friendly_name=None,
            factor_type="totp",
            status="verified",
            created_at=BORN,
            updated_at=BORN,
            secret=SECRET,
            phone=None,
            last_challenged_at=None,
            web_authn_credential=None,
            web_authn_aaguid=None,
        ),
        "sessions": row(
            id=session_id,
            user_id=user_id,
            created_at=BORN,
            updated_at=BORN,
            factor_id=factor_id,
            aal="aal2",
            not_after=None,
            refreshed_at="2024-01-02 03:04:05.678901",
            user_agent="Mozilla/5.0",
            ip="192.0.2.7",
            tag=None,
        ),
        "mfa_amr_claims": row(
            session_id=session_id,
            created_at=BORN,
            updated_at=BORN,
            authentication_method="totp",
            id=uuid.uuid4(),
        ),
        "refresh_tokens": row(
            instance_id=uuid.UUID(int=0),
            id=900_000 + uuid.uuid4().int % 100_000,
            token=uuid.uuid4().hex[:12],
            user_id=user_id,
            revoked="f",
            created_at=BORN,
            updated_at=BORN,
            parent=None,
            session_id=session_id,
        ),
    }


def restore(stack: Stack, tables: dict[str, dict[str, str]]) -> None:
    """As psql runs a data-only dump: triggers and foreign keys off, one COPY for each table."""
    url = stack.db_url.replace("postgresql://postgres:", "postgresql://supabase_admin:")
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute("set session_replication_role = replica")
        for table, columns in tables.items():
            statement = f'copy auth."{table}" ({", ".join(columns)}) from stdin'
            with cursor.copy(statement.encode()) as copy:
                copy.write("\t".join(columns.values()) + "\n")


@pytest.fixture
def tables(auth: Stack, email: str) -> dict[str, dict[str, str]]:
    """Restored."""
    made = dumped(str(uuid.uuid4()), email)
    restore(auth, made)
    return made


def test_restored_user_signs_in_with_password_and_totp(
    auth: Stack, clock: MovableClock, tables: dict[str, dict[str, str]], email: str
) -> None:
    with own_service(auth, clock) as stack:
        session: dict[str, Any] = sign_in(stack, email)
        assert claims_of(stack, session)["aal"] == "aal1"
        (factor,) = session["user"]["factors"]
        assert (factor["id"], factor["status"]) == (tables["mfa_factors"]["id"], "verified")
        app = App(SECRET, clock)
        wrong = verify(stack, session, factor["id"], code=app.wrong())
        assert failure(wrong) == (422, "mfa_verification_failed", "Invalid TOTP code entered")
        raised = verify(stack, session, factor["id"], code=app.code())
        assert raised.status_code == 200
        claims = claims_of(stack, raised.json())
        assert (claims["aal"], claims["sub"]) == ("aal2", tables["users"]["id"])
        user = call(stack, "GET", "/user", raised.json()["access_token"])
        assert (user.status_code, user.json()["email"]) == (200, email)
        # The session that the browser held before the move lives on: it was of aal2.
        renewed = refresh(stack, tables["refresh_tokens"]["token"])
        assert claims_of(stack, renewed.json())["aal"] == "aal2"


def test_restored_user_is_challenged_by_the_stack_itself(
    auth: Stack, tables: dict[str, dict[str, str]], email: str
) -> None:
    session = sign_in(auth, email)
    factor_id = tables["mfa_factors"]["id"]
    challenge_id = challenge(auth, session, factor_id).json()["id"]
    code = pyotp.TOTP(SECRET).now()
    raised = verify(auth, session, factor_id, challenge_id=challenge_id, code=code)
    assert claims_of(auth, raised.json())["aal"] == "aal2"


def test_admin_sees_and_changes_restored_users(
    auth: Stack, tables: dict[str, dict[str, str]], email: str
) -> None:
    path = f"/admin/users/{tables['users']['id']}"
    shown = call(auth, "GET", path, auth.service_role_key).json()
    assert (shown["email"], shown["phone"], len(shown["factors"])) == (email, "", 1)
    changed = call(auth, "PUT", path, auth.service_role_key, json={"user_metadata": {"plan": "pro"}})
    assert (changed.status_code, changed.json()["user_metadata"]) == (200, {"plan": "pro"})
