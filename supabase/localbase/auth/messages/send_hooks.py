"""Mails and SMS that the project sends itself: `[auth.hook.send_email]` and `[auth.hook.send_sms]`.

Upstream calls such a hook before it answers; here, as every message, the call comes after the response.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from localbase.auth.hooks.hooks import Hooks, Name
from localbase.auth.messages.mailer import Mailer
from localbase.auth.messages.message import LINK_TYPES, Mail, Message, Sms
from localbase.auth.tables import users
from localbase.postgres.service_pool import ServicePool

# The kinds of mails with a link or a code, as the payload has them; notices are named after their kind.
_ACTIONS: dict[str, str] = {**LINK_TYPES, "reauthentication": "reauthentication"}
_FIELDS = {
    "token": "Token",
    "token_hash": "TokenHash",
    "redirect_to": "RedirectTo",
    "site_url": "SiteURL",
    "token_new": "TokenNew",
    "token_hash_new": "TokenHashNew",
    "old_email": "OldEmail",
    "old_phone": "OldPhone",
    "provider": "Provider",
    "factor_type": "FactorType",
}


class Delivery:
    """Hands messages to the project's hooks, and to the mail server those that it has no hook for."""

    def __init__(self, mailer: Mailer, hooks: Hooks, db: ServicePool) -> None:
        self._mailer = mailer
        self._hooks = hooks
        self._db = db

    def prepare(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Return what is delivered of messages that belong together.

        A hook takes both halves of an email change at once.
        """
        if not self._hooks.is_on("send_email"):
            return messages
        halves = [each for each in messages if isinstance(each, Mail) and each.kind == "email_change"]
        if len(halves) != 2:
            return messages
        new, current = halves
        # Upstream's names: the hash goes with the other half's token.
        both = {
            "TokenNew": new.values["Token"],
            "TokenHash": new.values["TokenHash"],
            "TokenHashNew": current.values["TokenHash"],
        }
        merged = replace(current, values={**current.values, **both})
        return [merged if each is current else each for each in messages if each is not new]

    async def deliver(self, message: Message) -> None:
        """Sends one. Raises `aiosmtplib.SMTPException` and `OSError`, and `AuthError` for a hook that failed."""
        name: Name = "send_sms" if isinstance(message, Sms) else "send_email"
        if not self._hooks.is_on(name) or message.user_id is None:
            await self._mailer.deliver(message)
            return
        async with self._db.begin() as cursor:
            user = await users.by_id(cursor, str(message.user_id))
            if user is None:
                # Deleted meanwhile.
                return
            shown = await users.to_json(cursor, user)
            await self._hooks.call(cursor, None, name, {"user": shown, **_payload(message)})


def _payload(message: Message) -> dict[str, Any]:
    if isinstance(message, Sms):
        return {"sms": {"otp": message.code, "sms_type": message.purpose, "phone": message.phone}}
    data = {field: message.values.get(value, "") for field, value in _FIELDS.items()}
    return {
        "email_data": {
            **data,
            "email_action_type": _ACTIONS.get(message.kind, f"{message.kind}_notification"),
        }
    }
