"""Calls of the auth service that its tests share."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import psycopg
from localbase.core.tokens import jwt

from tests.support.stacks import Stack

PASSWORD = "correct horse"
# Of PASSWORD, at bcrypt's lowest cost: each sign-in compares in a fiftieth of the time.
PASSWORD_HASH = "$2b$04$MRqNv4N7nJP83MixeOw/1.bAU1ks5ym3ZI3LdDRet6ju5bV3HYayS"


def call(stack: Stack, method: str, path: str, token: str = "", **options: Any) -> httpx.Response:
    """A request with the publishable key and, with `token`, as that user."""
    headers = {"apikey": stack.publishable_key} | ({"authorization": f"Bearer {token}"} if token else {})
    headers |= options.pop("headers", {})
    return httpx.request(method, f"{stack.api_url}/auth/v1{path}", headers=headers, timeout=30, **options)


def as_admin(stack: Stack, method: str, path: str, **options: Any) -> httpx.Response:
    """A request as the service role."""
    return call(stack, method, path, stack.service_role_key, **options)


def failure(response: httpx.Response) -> tuple[int, str, str]:
    """Status, code and message of an error response, whose body holds nothing else."""
    body = response.json()
    assert set(body) == {"code", "error_code", "msg"}, body
    assert body["code"] == response.status_code
    return response.status_code, body["error_code"], body["msg"]


def new_session(stack: Stack, email: str) -> dict[str, Any]:
    """The first session of a new user, whose address is confirmed."""
    user = {"email": email, "password_hash": PASSWORD_HASH, "email_confirm": True}
    response = as_admin(stack, "POST", "/admin/users", json=user)
    assert response.status_code == 200, response.text
    return sign_in(stack, email)


def sign_in(stack: Stack, email: str) -> dict[str, Any]:
    """One more session of a user."""
    response = call(stack, "POST", "/token?grant_type=password", json={"email": email, "password": PASSWORD})
    assert response.status_code == 200, response.text
    return dict(response.json())


def refresh(stack: Stack, token: str) -> httpx.Response:
    """The grant for a refresh token."""
    return call(stack, "POST", "/token?grant_type=refresh_token", json={"refresh_token": token})


def claims_of(stack: Stack, session: dict[str, Any]) -> dict[str, Any]:
    """The access token's claims, verified at the end of its life: a test may have moved the service's clock."""
    return jwt.verify(session["access_token"], stack.jwt_secret, session["expires_at"])


def execute(stack: Stack, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Runs a statement as the database's administrator; its rows."""
    url = stack.db_url.replace("postgresql://postgres:", "postgresql://supabase_admin:")
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement.encode(), values)
        return cursor.fetchall() if cursor.description else []


def audited(stack: Stack, user_id: str) -> list[tuple[str, dict[str, Any] | None]]:
    """The actions of the audit log in which the user is the actor, oldest first, with their traits."""
    rows = execute(
        stack,
        """
        select payload ->> 'action', payload -> 'traits' from auth.audit_log_entries
        where payload ->> 'actor_id' = %s order by created_at
        """,
        str(uuid.UUID(user_id)),
    )
    return [(action, traits) for action, traits in rows]


def sign_up(stack: Stack, email: str) -> None:
    """A user whose address is not confirmed yet, in a project that wants that."""
    response = call(stack, "POST", "/signup", json={"email": email, "password": PASSWORD})
    assert response.status_code == 200, response.text


def verify(stack: Stack, **body: str) -> httpx.Response:
    """POST /verify."""
    return call(stack, "POST", "/verify", json=body)


EXPIRED_CODE = (403, "otp_expired", "Token has expired or is invalid")
EXPIRED_LINK = (403, "otp_expired", "Email link is invalid or has expired")
