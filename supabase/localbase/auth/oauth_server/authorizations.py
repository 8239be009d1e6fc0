"""Rows of `auth.oauth_authorizations`: a client's request, until its code is exchanged.

Upstream: `internal/models/oauth_authorization.go`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from localbase.auth import errors, redirects
from localbase.auth.context import Context
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import fetch, fetch_one
from localbase.postgres.service_pool import Cursor

Status = Literal["pending", "approved", "denied", "expired"]
Method = Literal["s256", "plain"]
# From the client's request to the exchange of its code, as upstream has it.
_LIFETIME = timedelta(minutes=10)
# Requests that no user has answered are looked at no more after a day.
_REMOVED = timedelta(days=1)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A client's request for authorization."""

    client_id: UUID
    redirect_uri: str
    scope: str
    state: str
    resource: str
    nonce: str
    code_challenge: str
    code_challenge_method: Method


@dataclass(frozen=True, slots=True)
class Authorization:
    """`auth.oauth_authorizations`. `user_id` is the first user who has opened it."""

    id: UUID
    authorization_id: str
    client_id: UUID
    user_id: UUID | None
    redirect_uri: str
    scope: str
    state: str | None
    resource: str | None
    nonce: str | None
    code_challenge: str | None
    code_challenge_method: Method | None
    status: Status
    authorization_code: str | None
    expires_at: datetime

    def is_expired(self, now: datetime) -> bool:
        """Tell whether it is too old, for consent and for the exchange alike."""
        return now > self.expires_at

    def is_proven_by(self, verifier: str) -> bool:
        """Tell whether the verifier belongs to the challenge (RFC 7636)."""
        challenge = verifier
        if self.code_challenge_method == "s256":
            digest = hashlib.sha256(verifier.encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        return hmac.compare_digest(challenge.encode(), (self.code_challenge or "").encode())

    def success_url(self) -> str:
        """The client's address with the code."""
        values = {"code": self.authorization_code or ""}
        return redirects.with_query(self.redirect_uri, values | ({"state": self.state} if self.state else {}))


def error_url(redirect_uri: str, state: str | None, error: str, description: str) -> str:
    """The client's address with an error (RFC 6749, section 4.1.2.1)."""
    values = {"error": error, "error_description": description}
    return redirects.with_query(redirect_uri, values | ({"state": state} if state else {}))


def session_of(code: str) -> UUID:
    """The session that a code's exchange opens. A code that comes again ends it: so its id follows from the code."""
    return UUID(bytes=hashlib.sha256(b"oauth code " + code.encode()).digest()[:16], version=4)


async def insert(context: Context, cursor: Cursor, request: AuthorizationRequest) -> str:
    """A new authorization; its id, for the consent page."""
    now = moment(context.clock())
    await cursor.execute(
        "delete from auth.oauth_authorizations where status = 'pending' and expires_at < %s", [now - _REMOVED]
    )
    authorization_id = "".join(secrets.choice(_ALPHABET) for _ in range(32))
    await cursor.execute(
        """
        insert into auth.oauth_authorizations (id, authorization_id, client_id, redirect_uri, scope, state, resource,
          nonce, code_challenge, code_challenge_method, created_at, expires_at)
        values (%s, %s, %s, %s, %s, nullif(%s, ''), nullif(%s, ''), nullif(%s, ''), %s, %s, %s, %s)
        """,
        [
            *(uuid.uuid4(), authorization_id, request.client_id, request.redirect_uri, request.scope),
            *(request.state, request.resource, request.nonce),
            *(request.code_challenge, request.code_challenge_method, now, now + _LIFETIME),
        ],
    )
    return authorization_id


async def lock_pending(
    context: Context, cursor: Cursor, authorization_id: str, otherwise: str
) -> Authorization | errors.AuthError:
    """The authorization, locked. Raises 404 for none, 400 `otherwise` for one that is decided.

    One that has expired is marked, and the error returned, so that the mark is committed.
    """
    await cursor.execute(
        "select * from auth.oauth_authorizations where authorization_id = %s for update", [authorization_id]
    )
    authorization = await fetch(cursor, Authorization)
    if authorization is None:
        raise not_found()
    if authorization.status != "pending":
        raise not_found() if authorization.status == "expired" else errors.validation_failed(otherwise)
    if authorization.is_expired(moment(context.clock())):
        await _set(cursor, authorization, "status = 'expired'", [])
        return not_found()
    return authorization


async def bind(cursor: Cursor, authorization: Authorization, user_id: UUID) -> Authorization:
    """Makes it the affair of one user."""
    return await _set(cursor, authorization, "user_id = %s", [user_id])


async def approve(context: Context, cursor: Cursor, authorization: Authorization) -> Authorization:
    """With a code for the client."""
    assignments = "status = 'approved', approved_at = %s, authorization_code = %s"
    return await _set(cursor, authorization, assignments, [moment(context.clock()), str(uuid.uuid4())])


async def deny(cursor: Cursor, authorization: Authorization) -> None:
    """For good."""
    await _set(cursor, authorization, "status = 'denied'", [])


async def user_of_code(cursor: Cursor, code: str) -> UUID | None:
    """The user of a code: to be locked before the authorization."""
    await cursor.execute(
        "select user_id from auth.oauth_authorizations where authorization_code = %s", [code]
    )
    row = await cursor.fetchone()
    return row["user_id"] if row else None


async def lock_by_code(cursor: Cursor, code: str) -> Authorization | None:
    """The authorization of a code, locked; None if there is none (any more)."""
    await cursor.execute(
        """
        select * from auth.oauth_authorizations
        where authorization_code = %s and status = 'approved' for update
        """,
        [code],
    )
    return await fetch(cursor, Authorization)


async def delete(cursor: Cursor, authorization: Authorization) -> None:
    """Its code is spent."""
    await cursor.execute("delete from auth.oauth_authorizations where id = %s", [authorization.id])


def not_found() -> errors.AuthError:
    """None, too old, or another user's: a stranger learns nothing."""
    return errors.AuthError(404, "oauth_authorization_not_found", "authorization not found")


async def _set(
    cursor: Cursor, authorization: Authorization, assignments: str, values: list[object]
) -> Authorization:
    await cursor.execute(
        f"update auth.oauth_authorizations set {assignments} where id = %s returning *".encode(),  # noqa: S608
        [*values, authorization.id],
    )
    return await fetch_one(cursor, Authorization)
