"""`POST /passkeys/authentication/options` and `/verify`: a session for a passkey, which names its user itself."""

from __future__ import annotations

import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.channels import EMAIL, PHONE
from localbase.auth.context import Context, read_body
from localbase.auth.passkeys import passkeys
from localbase.auth.sessions import sessions
from localbase.auth.tables import audit
from localbase.auth.tables.rows import Passkey, PasskeyChallenge, User, fetch
from localbase.auth.webauthn import VerificationFailed, assertion_of, relying_party_of
from localbase.postgres.service_pool import Cursor


async def authentication_options(context: Context, request: Request) -> Response:  # noqa: ARG001
    """A challenge for the browser to sign. It names no user, and so discloses none."""
    features.PASSKEYS.require(context.auth)
    options, session = relying_party_of(context.auth).request_options(None, [])
    async with context.db.begin() as cursor:
        return JSONResponse(
            await passkeys.new_challenge(context, cursor, "authentication", None, options, session)
        )


async def verify_authentication(context: Context, request: Request) -> Response | errors.AuthError:
    """The token response. Any response uses up the challenge, which is why rejections are returned."""
    features.PASSKEYS.require(context.auth)
    body = await read_body(request)
    async with context.db.begin() as cursor:
        used = await passkeys.use_challenge(context, cursor, body, "authentication", None)
        if isinstance(used, errors.AuthError):
            return used
        try:
            user, passkey, count = await _signed(context, cursor, *used)
        except VerificationFailed as error:
            return errors.webauthn_failed(malformed=error.malformed)
        for channel in (EMAIL, PHONE):
            if channel.address_of(user) and not channel.is_confirmed(user):
                return channel.not_confirmed(403)
        if user.is_banned(context.clock()):
            return errors.user_banned(403)
        now = sessions.moment(context.clock())
        await cursor.execute(
            """
            update auth.webauthn_credentials set sign_count = %s, last_used_at = %s, updated_at = %s where id = %s
            """,
            [count, now, now, passkey.id],
        )
        await audit.record(cursor, request, user, "login", {"passkey_id": str(passkey.id)})
        return JSONResponse(await sessions.open_session(context, cursor, request, user, "passkey"))


async def _signed(
    context: Context, cursor: Cursor, challenge: PasskeyChallenge, response: dict[str, Any]
) -> tuple[User, Passkey, int]:
    """Return who has signed with which passkey, and its new count. Raises `VerificationFailed`."""
    signed = assertion_of(response)
    try:
        user_id = uuid.UUID((signed.user_handle or b"").decode())
    except ValueError as error:
        raise VerificationFailed(malformed=False) from error
    user = await sessions.lock_user(cursor, user_id)
    await cursor.execute(
        "select * from auth.webauthn_credentials where credential_id = %s and user_id = %s for update",
        [signed.credential_id, user_id],
    )
    passkey = await fetch(cursor, Passkey)
    if user is None or passkey is None:
        raise VerificationFailed(malformed=False)
    count = relying_party_of(context.auth).verify_request(
        challenge.session_data, response, passkey.public_key, passkey.sign_count
    )
    return user, passkey, count
