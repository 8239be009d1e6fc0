"""Rows of `auth.refresh_tokens`: a session's tokens, each of which replaces its parent.

The callers hold the session's lock, so that a session never has two active tokens.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from uuid import UUID

from localbase.auth.tables.rows import RefreshToken, Session, fetch
from localbase.postgres.service_pool import Cursor

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_LENGTH = 24
# Ours, and the 12 characters of upstream's, which a restored database has.
_FORM = re.compile(rf"[a-z0-9]{{12}}|[{_ALPHABET}]{{{_LENGTH}}}")
_NO_INSTANCE = UUID(int=0)


def is_well_formed(token: str) -> bool:
    """Tell whether a service can have issued this token."""
    return _FORM.fullmatch(token) is not None


async def insert(cursor: Cursor, session: Session, parent: str | None, now: datetime) -> str:
    """A new active token of the session."""
    token = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
    await cursor.execute(
        """
        insert into auth.refresh_tokens
          (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
        values (%s, %s, %s, false, %s, %s, %s, %s)
        """,
        [_NO_INSTANCE, token, str(session.user_id), now, now, parent, session.id],
    )
    return token


async def revoke(cursor: Cursor, token: RefreshToken, now: datetime) -> None:
    """Ends one token."""
    await cursor.execute(
        "update auth.refresh_tokens set revoked = true, updated_at = %s where id = %s", [now, token.id]
    )


async def revoke_all(cursor: Cursor, session: Session, now: datetime) -> None:
    """Ends all tokens of the session: the family of a stolen one."""
    await cursor.execute(
        "update auth.refresh_tokens set revoked = true, updated_at = %s where session_id = %s and not revoked",
        [now, session.id],
    )


async def active_token(cursor: Cursor, session: Session) -> RefreshToken | None:
    """The token that the session's client should have now."""
    await cursor.execute(
        "select * from auth.refresh_tokens where session_id = %s and not revoked order by id desc limit 1",
        [session.id],
    )
    return await fetch(cursor, RefreshToken)


async def is_from_before_a_second_factor(cursor: Cursor, token: RefreshToken) -> bool:
    """Tell whether the session has begun a new line of tokens since `token`: see `sessions.raise_to_aal2`."""
    await cursor.execute(
        """
        select from auth.refresh_tokens
        where session_id = %s and id > %s and coalesce(parent, '') = '' limit 1
        """,
        [token.session_id, token.id],
    )
    return await cursor.fetchone() is not None
