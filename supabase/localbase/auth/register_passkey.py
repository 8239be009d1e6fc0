"""`POST /passkeys/registration/options` and `/verify`: a signed-in user adds a passkey."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import audit, errors, passkeys, sessions
from localbase.auth.context import Context, read_body
from localbase.auth.credentials import VerificationFailed
from localbase.auth.passkey_names import name_of
from localbase.auth.relying_party import relying_party_of


async def registration_options(context: Context, request: Request) -> Response:
    """What the browser is to make a key with."""
    passkeys.require_enabled(context)
    async with context.db.begin() as cursor:
        user = await passkeys.require_registrant(context, cursor, request)
        present = await passkeys.of_user(cursor, user)
        passkeys.require_room(present)
        display_name = (user.raw_user_meta_data or {}).get("name")
        options, session = relying_party_of(context.auth).creation_options(
            user,
            display_name if isinstance(display_name, str) else "",
            [passkey.credential_id for passkey in present],
            discoverable=True,
        )
        return JSONResponse(
            await passkeys.new_challenge(context, cursor, "registration", user, options, session)
        )


async def verify_registration(context: Context, request: Request) -> Response | errors.AuthError:
    """The new passkey. Any response uses up the challenge, which is why rejections are returned."""
    passkeys.require_enabled(context)
    body = await read_body(request)
    async with context.db.begin() as cursor:
        user = await passkeys.require_registrant(context, cursor, request)
        used = await passkeys.use_challenge(context, cursor, body, "registration", user)
        if isinstance(used, errors.AuthError):
            return used
        challenge, response = used
        try:
            made = relying_party_of(context.auth).verify_creation(challenge.session_data, response)
        except VerificationFailed as error:
            return errors.webauthn_failed(malformed=error.malformed)
        passkeys.require_room(await passkeys.of_user(cursor, user))
        now = sessions.moment(context.clock())
        passkey = await passkeys.insert(cursor, user, made, name_of(made.aaguid), now)
        await audit.record(cursor, request, user, "passkey_created", {"passkey_id": str(passkey.id)})
    return JSONResponse(passkeys.passkey_json(passkey))
