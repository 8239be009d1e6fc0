"""Soft deletion: the row stays for what refers to it, with nothing in it that names a person.

Upstream: supabase/auth, `SoftDeleteUser` in `internal/models/user.go`.
"""

from __future__ import annotations

import base64
import hashlib
from uuid import UUID

from localbase.auth import identity_store
from localbase.auth.rows import User
from localbase.postgres.service_pool import Cursor

_PHONE_LENGTH = 15
# What goes with the user's sign-ins.
_OWNED = ("one_time_tokens", "mfa_factors", "webauthn_credentials", "sessions")


async def soft_delete(cursor: Cursor, user: User) -> None:
    """Hashes what is unique, empties the rest, and ends every way in."""
    await cursor.execute(
        """
        update auth.users set email = %s, phone = %s, email_change = %s, phone_change = %s,
          encrypted_password = null, confirmation_token = '', recovery_token = '', email_change_token_current = '',
          email_change_token_new = '', phone_change_token = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}',
          deleted_at = now(), updated_at = now()
        where id = %s
        """,
        [
            _hashed(user.id, user.email or ""),
            _hashed(user.id, user.phone or "")[:_PHONE_LENGTH],
            _hashed(user.id, user.email_change or ""),
            _hashed(user.id, user.phone_change or "")[:_PHONE_LENGTH],
            user.id,
        ],
    )
    for identity in await identity_store.of_user(cursor, user.id):
        await cursor.execute(
            "update auth.identities set identity_data = '{}', provider_id = %s, updated_at = now() where id = %s",
            [_hashed(user.id, f"{identity.provider}:{identity.provider_id}"), identity.id],
        )
    for table in _OWNED:
        await cursor.execute(f"delete from auth.{table} where user_id = %s".encode(), [user.id])  # noqa: S608


def _hashed(user_id: UUID, value: str) -> str:
    digest = hashlib.sha256(f"{user_id}{value}".encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
