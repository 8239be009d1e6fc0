"""`POST /passkeys/registration/options` and `/verify`: a signed-in user adds a passkey."""

from __future__ import annotations

from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from localbase.auth import errors, features
from localbase.auth.context import Context, read_body
from localbase.auth.passkeys import passkeys
from localbase.auth.sessions import sessions
from localbase.auth.tables import audit
from localbase.auth.webauthn import VerificationFailed, relying_party_of

# Authenticators by the AAGUIDs that they publish: those that browsers and systems bring along, and common managers.
_AUTHENTICATORS = {
    "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
    "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
    "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
    "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
    "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
    "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
    "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on Mac",
    "b5397666-4885-aa6b-cebf-e52262a439a2": "Chromium Browser",
    "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
    "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
    "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
    "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud Keychain (Managed)",
    "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
    "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
    "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "Apple Passwords",
    "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
}


async def registration_options(context: Context, request: Request) -> Response:
    """Options for the browser to make a key with."""
    features.PASSKEYS.require(context.auth)
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
    features.PASSKEYS.require(context.auth)
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
        passkey = await passkeys.insert(cursor, user, made, _name_of(made.aaguid), now)
        await audit.record(cursor, request, user, "passkey_created", {"passkey_id": str(passkey.id)})
    return JSONResponse(passkeys.passkey_json(passkey))


def _name_of(aaguid: UUID) -> str:
    """The authenticator's name, or `Passkey`."""
    return _AUTHENTICATORS.get(str(aaguid), "Passkey")
