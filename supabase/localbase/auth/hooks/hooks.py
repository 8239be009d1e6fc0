"""Hooks: functions of the project's database, or addresses, that decide about tokens, users, attempts and messages.

`[auth.hook.<name>]` names one as `pg-functions://postgres/<schema>/<function>`: it takes and returns a
`jsonb`, as the role `supabase_auth_admin`, in the transaction of what it decides about, for at most two seconds. An
`error` in its value becomes the response. An address is called instead (`http_hooks.py`).
Upstream: supabase/auth, `internal/hooks`.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Literal

import psycopg
from psycopg import sql
from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.hooks.http import HttpHook
from localbase.core.auth_settings import HookSettings, HooksSettings
from localbase.core.container_addresses import local_address
from localbase.postgres.service_pool import Cursor

Name = Literal[
    "before_user_created",
    "after_user_created",
    "custom_access_token",
    "mfa_verification_attempt",
    "password_verification_attempt",
    "send_email",
    "send_sms",
]
# As the payload's metadata has them.
_SHOWN_NAMES: dict[Name, str] = {
    "before_user_created": "before-user-created",
    "after_user_created": "after-user-created",
    "custom_access_token": "customize-access-token",
    "mfa_verification_attempt": "mfa-verification",
    "password_verification_attempt": "password-verification",
    "send_email": "send-email",
    "send_sms": "send-sms",
}
_MILLISECONDS = 2000
_REJECTIONS: dict[Name, str] = {
    "mfa_verification_attempt": "Further MFA verification attempts will be rejected.",
    "password_verification_attempt": "Further password verification attempts will be rejected.",
}
# What the claims of a hook must be, as upstream's schema has it.
_TEXT_CLAIMS = {"jti", "iss", "sub", "email", "phone", "role", "aal", "session_id", "client_id"}
_NUMBER_CLAIMS = {"exp", "iat", "nbf"}
_REQUIRED_CLAIMS = (
    *("aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decision:
    """A hook's answer about an attempt. `message` is for the user."""

    rejects: bool
    message: str
    signs_out: bool


class Hooks:
    """The hooks that are switched on. `api_port` is the gateway's, which containers' addresses lead to."""

    def __init__(self, settings: HooksSettings, api_port: int) -> None:
        hooks: dict[str, HookSettings] = {
            field.name: getattr(settings, field.name) for field in fields(settings)
        }
        self._uris = {name: hook.uri for name, hook in hooks.items() if hook.enabled}
        self._functions = {
            name: sql.Identifier(*hook.function)
            for name, hook in hooks.items()
            if hook.enabled and hook.function
        }
        self._addresses = {
            name: HttpHook(local_address(hook.uri, api_port), hook.secrets)
            for name, hook in hooks.items()
            if hook.enabled and hook.is_http
        }

    def is_on(self, name: Name) -> bool:
        """Tell whether the project has this hook."""
        return name in self._functions or name in self._addresses

    async def close(self) -> None:
        """Closes the connections to addresses."""
        for hook in self._addresses.values():
            await hook.close()

    async def call(
        self, cursor: Cursor, request: Request | None, name: Name, payload: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The hook's value for the payload; no `request` for what happens after its response.

        Raises `AuthError` with the hook's own error, or 500 if it failed.
        """
        metadata = {
            "uuid": str(uuid.uuid4()),
            "time": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
            "name": _SHOWN_NAMES[name],
            "ip_address": request.client.host if request and request.client else "",
        }
        event = {"metadata": metadata, **payload}
        if name in self._addresses:
            value = await self._addresses[name].call(event)
        else:
            value = await self._selected(cursor, name, event)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise errors.hook_failed(self._uris[name], "its value is no JSON object")
        _raise_error_of(value)
        return value

    async def _selected(self, cursor: Cursor, name: Name, event: dict[str, Any]) -> object:
        query = sql.SQL("select {}(%s::jsonb) as value").format(self._functions[name])
        try:
            await cursor.execute(f"set local statement_timeout = {_MILLISECONDS}".encode())
            await cursor.execute(query, [json.dumps(event)])
            row = await cursor.fetchone()
            await cursor.execute("set local statement_timeout = default")
        except psycopg.Error as error:
            raise errors.hook_failed(self._uris[name], str(error).split("\n")[0]) from error
        return row["value"] if row else None

    async def decide(
        self, cursor: Cursor, request: Request, name: Name, payload: Mapping[str, Any]
    ) -> Decision:
        """Return what the hook says about an attempt to verify a password or a second factor."""
        value = await self.call(cursor, request, name, payload)
        message = value.get("message")
        return Decision(
            value.get("decision") == "reject",
            message if isinstance(message, str) and message else _REJECTIONS[name],
            value.get("should_logout_user") is True,
        )

    async def custom_claims(
        self, cursor: Cursor, request: Request, claims: dict[str, Any], method: str
    ) -> dict[str, Any]:
        """The access token's claims: those that the hook gives, or `claims` where there is none."""
        if not self.is_on("custom_access_token"):
            return claims
        payload = {"user_id": claims["sub"], "claims": claims, "authentication_method": method}
        value = await self.call(cursor, request, "custom_access_token", payload)
        if "claims" not in value:
            raise errors.hook_rejected(500, "output claims field is missing")
        returned_claims = value["claims"]
        faults = (
            _faults_of(returned_claims)
            if isinstance(returned_claims, dict)
            else ["(root): Invalid type. Expected: object"]
        )
        if faults:
            text = "".join(f"- {fault}\n" for fault in faults)
            raise errors.hook_rejected(500, f"output claims do not conform to the expected schema: \n{text}")
        return dict(returned_claims)


def _raise_error_of(value: Mapping[str, Any]) -> None:
    """Raises the error that a hook has returned: `{"error": {"http_code": 403, "message": "…"}}`."""
    error = value.get("error")
    if not isinstance(error, dict) or not isinstance(error.get("message"), str) or not error["message"]:
        return
    status = error.get("http_code")
    if not isinstance(status, int) or not 400 <= status <= 599:
        status = 500
    raise errors.hook_rejected(status, error["message"])


def _faults_of(claims: Mapping[str, Any]) -> list[str]:
    faults = [f"(root): {name} is required" for name in _REQUIRED_CLAIMS if name not in claims]
    for name, value in claims.items():
        expected = _expected(name, value)
        if expected:
            faults.append(f"{name}: Invalid type. Expected: {expected}")
    return faults


def _expected(name: str, value: object) -> str:
    """The type that a claim must have; empty if it has it, or may have any."""
    if name in _TEXT_CLAIMS:
        return "" if isinstance(value, str) else "string"
    if name in _NUMBER_CLAIMS:
        return "" if isinstance(value, int) and not isinstance(value, bool) else "integer"
    if name in ("app_metadata", "user_metadata"):
        return "" if isinstance(value, dict) else "object"
    if name == "aud":
        return "" if isinstance(value, str | list) else "string, array"
    if name == "amr":
        good = isinstance(value, list) and all(isinstance(each, str | dict) for each in value)
        return "" if good else "array"
    return ""
