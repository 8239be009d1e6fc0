"""Codes that change with the time (RFC 6238): keys, their pictures for authenticator apps, and the check of a code.

SHA-1, six digits, 30 seconds, one step to either side for clocks that differ: what every app can do, and upstream does.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from uuid import UUID

import pyotp
from pyotp.exceptions import OTPVerificationError

from localbase.postgres.service_pool import Cursor

LONGEST_URI = 800
"""Characters that make a picture: more take a tenth of a second, and more than 1,273 have none."""

_SKEW = 1
# A step that no code of now can belong to any more.
_FORGOTTEN_AFTER = 2 * _SKEW + 1
# Of the picture's two colours, `#000` would end an address `data:image/svg+xml;utf-8,<svg …`, as clients build it.
_COLOUR_NAMES = {'"#000"': '"black"', '"#fff"': '"white"'}


class UnreadableSecret(Exception):
    """The stored key is not base32: it was encrypted by another service."""


@dataclass(frozen=True, slots=True)
class TotpKey:
    """A new key: `secret` in base32, `uri` for apps."""

    secret: str
    uri: str


def new_key(issuer: str, account: str) -> TotpKey:
    """A key for `account`, which an app shows under `issuer`."""
    secret = pyotp.random_base32()
    uri = pyotp.TOTP(secret).provisioning_uri(name=account, issuer_name=issuer)
    return TotpKey(secret, uri)


def picture(text: str) -> str:
    """The text as a QR code: an SVG document. Takes tens of milliseconds of processor time."""
    # Here: most projects' users have no such factor.
    import segno

    output = io.BytesIO()
    segno.make(text, error="h", micro=False).save(
        output, kind="svg", scale=3, xmldecl=False, nl=False, dark="black", light="white"
    )
    svg = output.getvalue().decode()
    for number, name in _COLOUR_NAMES.items():
        svg = svg.replace(number, name)
    return svg


def time_step_of(secret: str, code: str, now: float) -> int | None:
    """The time step that `code` belongs to, if it is a good one at `now`. Raises `UnreadableSecret`."""
    try:
        return pyotp.TOTP(secret).verify_and_get_timecode(code.strip(), for_time=now, valid_window=_SKEW)
    except OTPVerificationError:
        return None
    except ValueError as error:
        raise UnreadableSecret from error


async def use(cursor: Cursor, factor_id: UUID, time_step: int) -> bool:
    """Tell whether the factor has not had a code of this step, or a later one, before."""
    await cursor.execute(
        """
        insert into _localbase.totp_uses as use (factor_id, time_step) values (%s, %s)
        on conflict (factor_id) do update set time_step = excluded.time_step
        where use.time_step < excluded.time_step returning time_step
        """,
        [factor_id, time_step],
    )
    fresh = await cursor.fetchone() is not None
    await cursor.execute(
        "delete from _localbase.totp_uses where time_step < %s", [time_step - _FORGOTTEN_AFTER]
    )
    return fresh
