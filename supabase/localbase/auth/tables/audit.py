"""The audit log: what users and administrators did, in upstream's payload (`internal/models/audit_log_entry.go`)."""

from __future__ import annotations

import json
import uuid
from typing import Any, Literal

from starlette.requests import Request

from localbase.auth.tables.rows import User
from localbase.postgres.service_pool import Cursor

Action = Literal[
    "login",
    "logout",
    "invite_accepted",
    "user_signedup",
    "user_invited",
    "user_deleted",
    "user_modified",
    "user_recovery_requested",
    "user_reauthenticate_requested",
    "user_confirmation_requested",
    "user_repeated_signup",
    "user_updated_password",
    "token_revoked",
    "token_refreshed",
    "factor_in_progress",
    "factor_unenrolled",
    "challenge_created",
    "verification_attempted",
    "factor_deleted",
    "factor_updated",
    "identity_linked",
    "identity_unlinked",
    "passkey_created",
    "passkey_updated",
    "passkey_deleted",
]
_LOG_TYPES: dict[str, tuple[Action, ...]] = {
    "account": ("login", "logout", "invite_accepted"),
    "team": ("user_signedup", "user_invited", "user_deleted"),
    "token": ("token_revoked", "token_refreshed"),
    "factor": (
        "factor_in_progress",
        "factor_unenrolled",
        "challenge_created",
        "verification_attempted",
        "factor_deleted",
        "factor_updated",
    ),
}
_LOG_TYPE: dict[Action, str] = {action: kind for kind, actions in _LOG_TYPES.items() for action in actions}
_NO_INSTANCE = uuid.UUID(int=0)


async def record(
    cursor: Cursor, request: Request, actor: User | None, action: Action, traits: dict[str, Any] | None = None
) -> None:
    """One entry, in the transaction of what it records. `actor` is None for the service role."""
    metadata = (actor.raw_user_meta_data or {}) if actor else {}
    payload = {
        "action": action,
        "actor_id": str(actor.id if actor else _NO_INSTANCE),
        "actor_username": (actor.phone or actor.email or "") if actor else "service_role",
        "actor_via_sso": actor.is_sso_user if actor else False,
        "log_type": _LOG_TYPE.get(action, "user"),
    }
    if "full_name" in metadata:
        payload["actor_name"] = metadata["full_name"]
    if traits is not None:
        payload["traits"] = traits
    await cursor.execute(
        """
        insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
        values (%s, %s, %s, now(), %s)
        """,
        [_NO_INSTANCE, uuid.uuid4(), json.dumps(payload), request.client.host if request.client else ""],
    )
