"""Message types: mails and SMS, made in a transaction and sent after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

TokenKind = Literal["confirmation", "invite", "recovery", "magic_link", "email_change", "reauthentication"]
"""Mails with a link or a code: `[auth.email.template.<kind>]`."""

LinkType = Literal["signup", "invite", "recovery", "magiclink", "email_change"]
LINK_TYPES: dict[str, LinkType] = {
    "confirmation": "signup",
    "invite": "invite",
    "recovery": "recovery",
    "magic_link": "magiclink",
    "email_change": "email_change",
}
"""The types of the links in mails, as addresses and hooks name them. A mail of another kind has no link."""

NotificationKind = Literal[
    "password_changed",
    "email_changed",
    "phone_changed",
    "identity_linked",
    "identity_unlinked",
    "mfa_factor_enrolled",
    "mfa_factor_unenrolled",
]
"""Mails about a change that was made: `[auth.email.notification.<kind>]`."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of a kind to an address. `values` are what its template may name."""

    kind: TokenKind | NotificationKind
    to: str
    values: Mapping[str, Any]
    user_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Sms:
    """A text message to a number, which is written without `+`. `purpose` is upstream's word for what it is for."""

    phone: str
    text: str
    code: str = ""
    purpose: str = ""
    user_id: UUID | None = None


Message = Mail | Sms
