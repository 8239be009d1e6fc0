"""Second factors by SMS: a number that receives a code for each challenge.

Upstream: supabase/auth, `internal/api/mfa.go`, `internal/api/phone.go`.
"""

from __future__ import annotations

import hmac
import math
import secrets
from typing import Any

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.channels import parse_phone
from localbase.auth.codes import sms_codes
from localbase.auth.codes.token_mails import sms_text
from localbase.auth.context import Context, text_of
from localbase.auth.messages.message import Sms
from localbase.auth.mfa import challenges, factors
from localbase.auth.mfa.factors import Owner
from localbase.auth.tables.rows import Factor, FactorChallenge
from localbase.postgres.service_pool import Cursor

_CODE_LENGTHS = range(6, 11)


async def enroll(
    context: Context, cursor: Cursor, owner: Owner, body: dict[str, Any]
) -> tuple[Factor, dict[str, Any]]:
    """A factor for the number, in place of one that was never verified."""
    phone, name = text_of(body, "phone"), text_of(body, "friendly_name")
    if not phone:
        raise errors.validation_failed("Phone number required to enroll Phone factor")
    number = parse_phone(phone)
    for factor in await factors.of_user(cursor, owner.user):
        if factor.factor_type != "phone" or factor.phone != number:
            continue
        if factor.status == "verified":
            text = "A verified phone factor already exists, unenroll the existing factor to continue"
            raise errors.AuthError(422, "mfa_verified_factor_exists", text)
        await factors.delete(cursor, factor)
    await factors.require_room(context, cursor, owner, name)
    return await factors.insert(context, cursor, owner.user, "phone", name, phone=number), {"phone": phone}


async def challenge(
    context: Context, cursor: Cursor, request: Request, owner: Owner, factor: Factor, body: dict[str, Any]
) -> tuple[FactorChallenge, Sms]:
    """A challenge, and the SMS with its code, which is to be sent once this is committed."""
    sms_codes.require_channel(body)
    settings = context.auth.mfa.phone
    if factor.last_challenged_at is not None:
        left = factor.last_challenged_at.timestamp() + settings.max_frequency - context.clock()
        if left >= 0:
            raise errors.over_send_rate("sms", math.floor(left))
    length = settings.otp_length if settings.otp_length in _CODE_LENGTHS else _CODE_LENGTHS.start
    code = str(secrets.randbelow(10**length)).zfill(length)
    row = await challenges.insert(context, cursor, request, owner, factor, otp_code=code)
    text = sms_text(settings.template, code)
    return row, Sms(factor.phone or "", text, code, "mfa", owner.user.id)


def is_right(challenge: FactorChallenge, code: str) -> bool:
    """Tell whether the code is the one that went out."""
    return challenge.otp_code is not None and hmac.compare_digest(challenge.otp_code.encode(), code.encode())
