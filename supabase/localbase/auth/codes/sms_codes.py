"""Codes by SMS, and what a request by phone needs.

Upstream: supabase/auth, `internal/api/phone.go`. Numbers in `[auth.sms.test_otp]` get no SMS: their code is the one
given there.
"""

from __future__ import annotations

from typing import Any, Literal

from localbase.auth.codes import one_time_tokens
from localbase.auth.codes.one_time_tokens import TokenType
from localbase.auth.codes.token_mails import sms_text
from localbase.auth.context import Context, text_of
from localbase.auth.errors import AuthError, validation_failed
from localbase.auth.messages.message import Sms
from localbase.auth.tables.rows import User
from localbase.postgres.service_pool import Cursor

_WHAT: dict[TokenType, Literal["confirmation", "phone_change", "reauthentication"]] = {
    "confirmation_token": "confirmation",
    "phone_change_token": "phone_change",
    "reauthentication_token": "reauthentication",
}
TEST_MESSAGE = "test-otp"


async def send_code(
    context: Context, cursor: Cursor, user: User, phone: str, token_type: TokenType
) -> list[Sms]:
    """A code to `phone`: the SMS to put into the outbox. Raises 422 when none can leave."""
    test_code = context.auth.sms.test_otp.get(phone)
    if test_code is None and not context.outbox.has_room():
        raise AuthError(
            422, "sms_send_failed", f"Error sending {_WHAT[token_type]} OTP to provider: too many SMS wait"
        )
    issued = await one_time_tokens.issue(context, cursor, user, token_type, phone, code=test_code)
    if test_code is not None:
        return []
    text = sms_text(context.auth.sms.template, issued.code)
    return [Sms(phone, text, issued.code, _WHAT[token_type], user.id)]


def require_channel(body: dict[str, Any]) -> None:
    """Raises 400 for another channel than SMS."""
    if text_of(body, "channel") not in ("", "sms"):
        raise validation_failed(
            "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or "
            "Twilio Verify is used as the provider."
        )


def message_id(context: Context, phone: str) -> dict[str, str]:
    """The response to a request for a code."""
    return {"message_id": TEST_MESSAGE} if phone in context.auth.sms.test_otp else {}
