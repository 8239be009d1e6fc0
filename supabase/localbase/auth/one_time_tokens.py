"""One-time tokens: the links and codes in mails. Only a hash is stored, and only the newest of a kind counts."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from typing import Any
from urllib.parse import urlencode

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.rows import User, fetch
from localbase.postgres.service_pool import Cursor

# What a mail is for: template, type of token, column of its hash, column of its time.
KINDS = {
    "signup": ("confirmation", "confirmation_token", "confirmation_token", "confirmation_sent_at"),
    "recovery": ("recovery", "recovery_token", "recovery_token", "recovery_sent_at"),
    "magiclink": ("magic_link", "recovery_token", "recovery_token", "recovery_sent_at"),
}
_PKCE = "pkce_"


async def mail_token(
    context: Context, cursor: Cursor, user: User, kind: str, redirect_to: str, *, pkce: bool
) -> None:
    """Sends a link and a code for `kind` to the user's address. Raises 429 when the last was sent a moment ago."""
    template, token_type, column, sent_column = KINDS[kind]
    # The callers have found the user by this address.
    email = user.email
    assert email is not None
    _require_pause(context, getattr(user, sent_column))
    code = f"{secrets.randbelow(10**context.auth.email.otp_length):0{context.auth.email.otp_length}d}"
    stored = (_PKCE if pkce else "") + hash_token(email, code)
    await cursor.execute(
        f"update auth.users set {column} = %s, {sent_column} = now(), updated_at = now() where id = %s".encode(),  # noqa: S608
        [stored, user.id],
    )
    await cursor.execute(
        """
        insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
        values (%s, %s, %s, %s, %s)
        on conflict (user_id, token_type) do update
          set token_hash = excluded.token_hash, updated_at = now(), created_at = now()
        """,
        [uuid.uuid4(), user.id, token_type, stored, email],
    )
    query = urlencode({"token": stored, "type": kind, "redirect_to": redirect_to})
    values = {
        "ConfirmationURL": f"{context.address}/verify?{query}",
        "Token": code,
        "TokenHash": stored,
        "SiteURL": context.auth.site_url,
        "RedirectTo": redirect_to,
        "Email": email,
        **{f"Data.{name}": str(value) for name, value in (user.raw_user_meta_data or {}).items()},
    }
    await context.mailer.send(template, email, values)


async def redeem(context: Context, cursor: Cursor, kind: str, token_hash: str) -> User:
    """The token's user; the token is spent. Raises 403 for one that is false, spent or too old."""
    _, token_type, column, sent_column = KINDS[kind]
    await cursor.execute(
        """
        select users.* from auth.one_time_tokens as token join auth.users as users on users.id = token.user_id
        where token.token_hash = %s and token.token_type = %s for update
        """,
        [token_hash, token_type],
    )
    user = await fetch(cursor, User)
    if user is None or not hmac.compare_digest(getattr(user, column) or "", token_hash):
        raise errors.otp_expired()
    sent = getattr(user, sent_column)
    if sent is None or context.clock() - sent.timestamp() > context.auth.email.otp_expiry:
        raise errors.otp_expired()
    await cursor.execute(
        "delete from auth.one_time_tokens where user_id = %s and token_type = %s", [user.id, token_type]
    )
    await cursor.execute(f"update auth.users set {column} = '' where id = %s".encode(), [user.id])  # noqa: S608
    return user


def hash_token(email: str, code: str) -> str:
    """GoTrue's: SHA-224 of address and code."""
    return hashlib.sha224((email + code).encode()).hexdigest()


def is_pkce(token_hash: str) -> bool:
    """Whether the mail was requested by a client that will exchange a code."""
    return token_hash.startswith(_PKCE)


def _require_pause(context: Context, last: Any) -> None:
    if last is None:
        return
    left = context.auth.email.max_frequency - (context.clock() - last.timestamp())
    if left > 0:
        raise errors.over_email_rate(int(left) + 1)
