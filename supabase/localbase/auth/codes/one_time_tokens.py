"""One-time tokens: the links and codes in mails and SMS. Only a hash is stored, and only the newest of a type counts.

A token is redeemed under its user's lock. A code dies after ten wrong tries, and an address takes a hundred wrong
tries an hour, over all codes and callers. A link does not die with its code: its hash cannot be guessed, being keyed.

Upstream: supabase/auth, `internal/models/one_time_token.go`. Otherwise than there, and why:
supabase/STRICTER.md.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from localbase.auth import errors
from localbase.auth.context import Context
from localbase.auth.sessions.sessions import moment
from localbase.auth.tables.rows import User, fetch, fetch_one
from localbase.postgres.service_pool import Cursor

TokenType = Literal[
    "confirmation_token",
    "recovery_token",
    "email_change_token_new",
    "email_change_token_current",
    "phone_change_token",
    "reauthentication_token",
]

# The user's column with the time of the newest. Each type is a column of the user's too, with the same hash.
_SENT_AT: dict[TokenType, str] = {
    "confirmation_token": "confirmation_sent_at",
    "recovery_token": "recovery_sent_at",
    "email_change_token_new": "email_change_sent_at",
    "email_change_token_current": "email_change_sent_at",
    "phone_change_token": "phone_change_sent_at",
    "reauthentication_token": "reauthentication_sent_at",
}
_PKCE = "pkce_"
_SMS_DIGITS = 6
_TRIES_OF_A_CODE = 10
_TRIES_OF_AN_ADDRESS, _HOUR = 100, 3600


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token: the code to type in, and what a link carries."""

    code: str
    token_hash: str


@dataclass(frozen=True, slots=True)
class Redeemed:
    """A token that was right, with its user, who is locked. It is not spent yet."""

    user: User
    type: TokenType


@dataclass(frozen=True, slots=True)
class _Stored:
    user_id: uuid.UUID
    token_type: TokenType
    token_hash: str


async def issue(
    context: Context,
    cursor: Cursor,
    user: User,
    token_type: TokenType,
    address: str,
    *,
    pkce: bool = False,
    code: str | None = None,
) -> Issued:
    """A new token of the user, for a mail or an SMS to `address`; the one before it is void."""
    digits = context.auth.email.otp_length if "@" in address else _SMS_DIGITS
    code = code or f"{secrets.randbelow(10**digits):0{digits}d}"
    stored = (_PKCE if pkce else "") + _hash(context, address, code)
    now = moment(context.clock())
    await cursor.execute(
        f"update auth.users set {token_type} = %s, {_SENT_AT[token_type]} = %s, updated_at = %s where id = %s".encode(),  # noqa: S608
        [stored, now, now, user.id],
    )
    await cursor.execute(
        """
        insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
        values (%s, %s, %s, %s, %s)
        on conflict (user_id, token_type) do update set token_hash = excluded.token_hash,
          relates_to = excluded.relates_to, updated_at = now(), created_at = now()
        """,
        [uuid.uuid4(), user.id, token_type, stored, address],
    )
    return Issued(code, stored)


async def redeem_link(
    context: Context, cursor: Cursor, token_hash: str, types: Sequence[TokenType]
) -> Redeemed:
    """The token of a link. Raises 403 for one that is false, spent or too old."""
    await cursor.execute(
        """
        select user_id, token_type, token_hash from auth.one_time_tokens
        where token_hash = %s and token_type = any(%s::auth.one_time_token_type[])
        """,
        [token_hash, list(types)],
    )
    stored_token = await fetch(cursor, _Stored)
    user = await _locked(cursor, stored_token.user_id) if stored_token else None
    # Read again under the lock: another request may have spent it, or replaced it.
    if stored_token is None or user is None or stored_token not in await _tokens(cursor, user, types):
        raise errors.otp_expired()
    if user.is_banned(context.clock()):
        raise errors.user_banned(403)
    if not _is_fresh(context, user, stored_token.token_type):
        raise errors.otp_expired()
    return Redeemed(user, stored_token.token_type)


async def redeem_code(
    context: Context, cursor: Cursor, address: str, code: str, types: Sequence[TokenType]
) -> Redeemed | errors.AuthError:
    """The token of a code that was sent to `address`. An error is returned: its count is to be committed."""
    candidates = await _sent_to(cursor, address, types)
    right = _hash(context, address, code)
    chosen = next(
        (each for each in candidates if _matches(each, right)), candidates[0] if candidates else None
    )
    user = await _locked(cursor, chosen.user_id) if chosen else None
    if await _wrong_tries(context, cursor, _address_key(address)) >= _TRIES_OF_AN_ADDRESS:
        return errors.over_request_rate()
    if user is not None and user.is_banned(context.clock()):
        return errors.user_banned(403)
    candidates = await _sent_to(cursor, address, types)
    for each in candidates:
        if user is None or each.user_id != user.id or not _matches(each, right):
            continue
        tries = await _wrong_tries(context, cursor, _token_key(each))
        if tries < _TRIES_OF_A_CODE and _is_fresh(context, user, each.token_type):
            return Redeemed(user, each.token_type)
    await _count(context, cursor, _address_key(address), _HOUR)
    for each in candidates:
        await _count(context, cursor, _token_key(each), context.auth.email.otp_expiry)
    return errors.code_expired()


async def is_reauthenticated(context: Context, cursor: Cursor, user: User, nonce: str) -> bool:
    """Tell whether `nonce` is the user's code for that, which is spent then. A wrong one counts: commit it."""
    address = user.email or user.phone
    if not address:
        return False
    redeemed = await redeem_code(context, cursor, address, nonce, ("reauthentication_token",))
    if isinstance(redeemed, errors.AuthError) or redeemed.user.id != user.id:
        return False
    await spend_all(cursor, user)
    return True


async def spend(cursor: Cursor, user: User, token_type: TokenType) -> None:
    """Makes the user's token of one type void."""
    await cursor.execute(
        "delete from auth.one_time_tokens where user_id = %s and token_type = %s", [user.id, token_type]
    )
    await cursor.execute(f"update auth.users set {token_type} = '' where id = %s".encode(), [user.id])  # noqa: S608


async def spend_all(cursor: Cursor, user: User) -> User:
    """Makes all tokens of the user void: as soon as one has shown who it is, and with a new password."""
    await cursor.execute("delete from auth.one_time_tokens where user_id = %s", [user.id])
    columns = ", ".join(f"{column} = ''" for column in _SENT_AT)
    await cursor.execute(f"update auth.users set {columns} where id = %s returning *".encode(), [user.id])  # noqa: S608
    return await fetch_one(cursor, User)


def is_pkce(token_hash: str) -> bool:
    """Tell whether the mail was requested by a client that will exchange a code."""
    return token_hash.startswith(_PKCE)


def _hash(context: Context, address: str, code: str) -> str:
    """As long as upstream's, but keyed: a reader of a million hashes of codes cannot try them as links."""
    key = hashlib.sha256(f"one-time tokens:{context.auth.jwt_secret}".encode()).digest()
    return hmac.new(key, (address + code).encode(), hashlib.sha224).hexdigest()


def _matches(stored: _Stored, token_hash: str) -> bool:
    # The mail may have been requested by a client that uses PKCE; its code is good all the same.
    return hmac.compare_digest(stored.token_hash.removeprefix(_PKCE), token_hash)


def _is_fresh(context: Context, user: User, token_type: TokenType) -> bool:
    sent = getattr(user, _SENT_AT[token_type])
    return sent is not None and context.clock() - sent.timestamp() <= context.auth.email.otp_expiry


async def _locked(cursor: Cursor, user_id: uuid.UUID) -> User | None:
    await cursor.execute(
        "select * from auth.users where id = %s and deleted_at is null for update", [user_id]
    )
    return await fetch(cursor, User)


async def _tokens(cursor: Cursor, user: User, types: Sequence[TokenType]) -> list[_Stored]:
    await cursor.execute(
        """
        select user_id, token_type, token_hash from auth.one_time_tokens
        where user_id = %s and token_type = any(%s::auth.one_time_token_type[])
        """,
        [user.id, list(types)],
    )
    return [_Stored(**row) for row in await cursor.fetchall()]


async def _sent_to(cursor: Cursor, address: str, types: Sequence[TokenType]) -> list[_Stored]:
    """More than one user may want to change to an address; and a mail's code may be for one of two types."""
    await cursor.execute(
        """
        select user_id, token_type, token_hash from auth.one_time_tokens
        where relates_to = %s and token_type = any(%s::auth.one_time_token_type[]) order by user_id, token_type
        """,
        [address, list(types)],
    )
    return [_Stored(**row) for row in await cursor.fetchall()]


def _address_key(address: str) -> str:
    return hashlib.sha256(f"address:{address}".encode()).hexdigest()


def _token_key(stored: _Stored) -> str:
    return hashlib.sha256(f"token:{stored.token_hash}".encode()).hexdigest()


async def _wrong_tries(context: Context, cursor: Cursor, key: str) -> int:
    await cursor.execute(
        "select tries from _localbase.auth_wrong_codes where key = %s and until > %s",
        [key, moment(context.clock())],
    )
    row = await cursor.fetchone()
    return int(row["tries"]) if row else 0


async def _count(context: Context, cursor: Cursor, key: str, seconds: float) -> None:
    now = context.clock()
    await cursor.execute(
        """
        insert into _localbase.auth_wrong_codes as wrong (key, tries, until) values (%(key)s, 1, %(until)s)
        on conflict (key) do update set
          tries = case when wrong.until > %(now)s then wrong.tries + 1 else 1 end,
          until = case when wrong.until > %(now)s then wrong.until else excluded.until end
        """,
        {"key": key, "now": moment(now), "until": moment(now + seconds)},
    )
    await cursor.execute(
        """
        delete from _localbase.auth_wrong_codes where key in (
          select key from _localbase.auth_wrong_codes where until < %s limit 10 for update skip locked
        )
        """,
        [moment(now - 60)],
    )
