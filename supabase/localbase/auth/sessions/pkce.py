"""Proof Key for Code Exchange (RFC 7636): a code in the address instead of tokens, worthless without its verifier."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import uuid
from typing import Any

from localbase.auth import errors
from localbase.auth.context import Context, text_of
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import FlowState, User, fetch
from localbase.postgres.service_pool import Cursor

_METHODS = {"s256", "plain"}
_CHALLENGE = re.compile(r"[A-Za-z0-9._~-]+")
# From the code's issue to its exchange. How long a mail's link is good is the token's affair.
_EXPIRY_SECONDS = 5 * 60


def read_challenge(body: dict[str, Any]) -> tuple[str, str] | None:
    """The challenge and its method in a body; none when the client does not use PKCE. Raises 400 for half a pair."""
    challenge, method = text_of(body, "code_challenge"), text_of(body, "code_challenge_method").lower()
    if not challenge and not method:
        return None
    if not challenge or not method:
        raise errors.validation_failed("PKCE flow requires code_challenge_method and code_challenge")
    if not 43 <= len(challenge) <= 128:
        raise errors.validation_failed("code challenge has to be between 43 and 128 characters")
    if not _CHALLENGE.fullmatch(challenge):
        raise errors.validation_failed(
            "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes"
        )
    if method not in _METHODS:
        raise errors.validation_failed(f"unsupported code_challenge method {method!r}")
    return challenge, method


async def start_flow(cursor: Cursor, user: User, challenge: tuple[str, str] | None, method: str) -> bool:
    """Remembers the challenge until its code is exchanged. Without one this is no PKCE flow: False."""
    if challenge is None:
        return False
    await cursor.execute(
        """
        insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method, provider_type,
          authentication_method, created_at, updated_at)
        values (%s, %s, %s, %s, %s, 'email', %s, now(), now())
        """,
        [uuid.uuid4(), user.id, str(uuid.uuid4()), challenge[0], challenge[1], method],
    )
    return True


async def issue_code(context: Context, cursor: Cursor, user: User, method: str) -> str:
    """The code of the user's newest flow of this kind."""
    now = moment(context.clock())
    await cursor.execute(
        """
        update auth.flow_state set auth_code_issued_at = %s, updated_at = %s where id = (
          select id from auth.flow_state
          where user_id = %s and authentication_method = %s and auth_code is not null
          order by created_at desc limit 1
        ) returning auth_code
        """,
        [now, now, user.id, method],
    )
    row = await cursor.fetchone()
    if row is None:
        raise errors.AuthError(
            400,
            "flow_state_not_found",
            "No associated flow state found. 422: No valid flow state found for user.",
        )
    return str(row["auth_code"])


async def exchange(context: Context, cursor: Cursor, code: str, verifier: str) -> FlowState:
    """The flow behind a code (`user_id`, `authentication_method`, the provider's tokens); the code is spent."""
    await cursor.execute("select * from auth.flow_state where auth_code = %s for update", [code])
    flow = await fetch(cursor, FlowState)
    issued = flow.auth_code_issued_at if flow else None
    if flow is None or flow.code_challenge is None or flow.user_id is None or issued is None:
        raise errors.AuthError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    if context.clock() - issued.timestamp() > _EXPIRY_SECONDS:
        raise errors.AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired")
    challenge = verifier
    if flow.code_challenge_method == "s256":
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    if not hmac.compare_digest(challenge.encode(), flow.code_challenge.encode()):
        raise errors.AuthError(
            400, "bad_code_verifier", "code challenge does not match previously saved code verifier"
        )
    await cursor.execute("delete from auth.flow_state where id = %s", [flow.id])
    return flow
