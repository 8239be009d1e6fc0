"""Second factors by SMS: a number that receives a code for each challenge.

Upstream: supabase/auth, `internal/api/mfa.go`, `internal/api/phone.go`.
"""

from __future__ import annotations

import hmac
import math
import re
import secrets
from typing import Any

from starlette.requests import Request

from localbase.auth import errors, factor_challenges, factors
from localbase.auth.context import Context, text_of
from localbase.auth.factors import Owner
from localbase.auth.rows import Factor, FactorChallenge
from localbase.auth.sms import Sms
from localbase.postgres.service_pool import Cursor

# E.164, by upstream's rule: a telephone library refuses numbers that upstream takes.
_NUMBER = re.compile(r"[1-9][0-9]{1,14}")
_CODE_LENGTHS = range(6, 11)
_VARIABLE = re.compile(r"\{\{-?\s*\.Code\s*-?\}\}")


async def enroll(
    context: Context, cursor: Cursor, owner: Owner, body: dict[str, Any]
) -> tuple[Factor, dict[str, Any]]:
    """A factor for the number, in place of one that was never verified."""
    given, name = text_of(body, "phone"), text_of(body, "friendly_name")
    if not given:
        raise errors.validation_failed("Phone number required to enroll Phone factor")
    number = parse_number(given)
    for factor in await factors.of_user(cursor, owner.user):
        if factor.factor_type != "phone" or factor.phone != number:
            continue
        if factor.status == "verified":
            text = "A verified phone factor already exists, unenroll the existing factor to continue"
            raise errors.AuthError(422, "mfa_verified_factor_exists", text)
        await factors.delete(cursor, factor)
    await factors.require_room(context, cursor, owner, name)
    return await factors.insert(context, cursor, owner.user, "phone", name, phone=number), {"phone": given}


async def challenge(
    context: Context, cursor: Cursor, request: Request, owner: Owner, factor: Factor, body: dict[str, Any]
) -> tuple[FactorChallenge, Sms]:
    """A challenge, and the SMS with its code, which is to be sent once this is committed."""
    if text_of(body, "channel") not in ("", "sms"):
        raise errors.validation_failed(
            "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or "
            "Twilio Verify is used as the provider."
        )
    settings = context.auth.mfa.phone
    if factor.last_challenged_at is not None:
        left = factor.last_challenged_at.timestamp() + settings.max_frequency - context.clock()
        if left >= 0:
            raise errors.over_sms_rate(math.floor(left))
    length = settings.otp_length if settings.otp_length in _CODE_LENGTHS else _CODE_LENGTHS.start
    code = str(secrets.randbelow(10**length)).zfill(length)
    row = await factor_challenges.insert(context, cursor, request, owner, factor, otp_code=code)
    return row, Sms(factor.phone or "", _VARIABLE.sub(code, settings.template))


def is_right(challenge: FactorChallenge, code: str) -> bool:
    """Whether the code is the one that went out."""
    return challenge.otp_code is not None and hmac.compare_digest(challenge.otp_code.encode(), code.encode())


def parse_number(given: str) -> str:
    """The number without `+` and spaces. Raises 400."""
    number = given.removeprefix("+").replace(" ", "")
    if _NUMBER.fullmatch(number) is None:
        raise errors.validation_failed("Invalid phone number format (E.164 required)")
    return number
