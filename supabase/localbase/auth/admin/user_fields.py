"""The fields of a user that an administrator may set (`POST` and `PUT /admin/users`), checked.

Upstream: supabase/auth, `AdminUserParams` in `internal/api/admin.go`.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from localbase.auth import errors
from localbase.auth.channels import parse_email, parse_phone
from localbase.auth.context import Context, flag_of, object_of, text_of
from localbase.auth.go_values import parse_duration
from localbase.auth.sessions.sessions import moment
from localbase.auth.users import passwords

_BCRYPT = re.compile(r"\$2[abxy]?\$(0[4-9]|[12][0-9]|3[01])\$[./A-Za-z0-9]{53}")
_OTHER_HASHES = {"$argon2": "Argon2", "$fbscrypt": "Firebase's scrypt"}


@dataclass(frozen=True, slots=True)
class Ban:
    """A user is shut out until a time, or let in again."""

    until: datetime | None


@dataclass(frozen=True, slots=True)
class UserFields:
    """The fields; empty and None are not given. `password_hash` is the new password's, however it was given."""

    id: uuid.UUID | None
    aud: str
    role: str
    email: str
    phone: str
    password_hash: str
    email_confirm: bool
    phone_confirm: bool
    user_metadata: dict[str, Any]
    app_metadata: dict[str, Any]
    ban: Ban | None


async def read_fields(context: Context, body: dict[str, Any], *, of_new_user: bool) -> UserFields:
    """Raises 400 for a malformed field, 422 for a weak password of a user who exists."""
    email, phone = text_of(body, "email"), text_of(body, "phone")
    if of_new_user and not email and not phone:
        raise errors.validation_failed("Cannot create a user without either an email or phone")
    return UserFields(
        id=_user_id(text_of(body, "id")),
        aud=text_of(body, "aud"),
        role=text_of(body, "role").strip(),
        email=parse_email(email) if email else "",
        phone=parse_phone(phone) if phone else "",
        password_hash=await _password_hash(context, body, of_new_user=of_new_user),
        email_confirm=flag_of(body, "email_confirm"),
        phone_confirm=flag_of(body, "phone_confirm"),
        user_metadata=object_of(body, "user_metadata"),
        app_metadata=object_of(body, "app_metadata"),
        ban=_ban(context, text_of(body, "ban_duration")),
    )


def _user_id(text: str) -> uuid.UUID | None:
    if not text:
        return None
    try:
        user_id = uuid.UUID(text)
    except ValueError as error:
        raise errors.validation_failed("ID must conform to the uuid v4 format") from error
    if not user_id.int:
        raise errors.validation_failed("ID cannot be a nil uuid")
    return user_id


async def _password_hash(context: Context, body: dict[str, Any], *, of_new_user: bool) -> str:
    password, password_hash = text_of(body, "password"), text_of(body, "password_hash")
    if body.get("password") is not None and password_hash:
        raise errors.validation_failed("Only a password or a password hash should be provided")
    if password_hash:
        return _checked_hash(password_hash)
    if of_new_user:
        passwords.require_length(password)
    elif body.get("password") is not None:
        passwords.require_strength(password, context.auth)
    return await passwords.hash_password(password) if password else ""


def _checked_hash(text: str) -> str:
    other = next((name for prefix, name in _OTHER_HASHES.items() if text.startswith(prefix)), None)
    if other:
        raise errors.validation_failed(f"Password hashes of {other} are not supported, only those of bcrypt")
    if not _BCRYPT.fullmatch(text):
        raise errors.validation_failed("The password hash is not one of bcrypt")
    return text


def _ban(context: Context, text: str) -> Ban | None:
    if not text:
        return None
    try:
        seconds = 0.0 if text == "none" else parse_duration(text)
    except ValueError as error:
        raise errors.validation_failed(f"invalid format for ban duration: {error}") from error
    return Ban(moment(context.clock()) + timedelta(seconds=seconds) if seconds else None)
