"""Mails with their links and values. The caller puts them into the outbox."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal
from urllib.parse import urlencode

from localbase.auth.context import Context
from localbase.auth.messages.go_templates import Template
from localbase.auth.messages.message import LINK_TYPES, LinkType, Mail, NotificationKind, TokenKind
from localbase.auth.tables.rows import User

RecoveryKind = Literal["recovery", "magic_link"]


def action_link(context: Context, link_type: LinkType, token_hash: str, redirect_to: str) -> str:
    """The address that verifies: what a mail's link leads to."""
    query = urlencode({"token": token_hash, "type": link_type, "redirect_to": redirect_to})
    return f"{context.address}/verify?{query}"


def with_token(
    context: Context,
    user: User,
    kind: TokenKind,
    *,
    to: str,
    code: str,
    token_hash: str,
    redirect_to: str = "",
    new_email: str = "",
) -> Mail:
    """A mail with a code, and with a link where its kind has one."""
    link_type = LINK_TYPES.get(kind)
    link = action_link(context, link_type, token_hash, redirect_to) if link_type else ""
    values = {
        "ConfirmationURL": link,
        "Token": code,
        "TokenHash": token_hash,
        "SiteURL": context.auth.site_url,
        "RedirectTo": redirect_to,
        "Email": user.email or "",
        "NewEmail": new_email,
        "SendingTo": to,
        "Data": user.raw_user_meta_data or {},
    }
    return Mail(kind, to, values, user.id)


def notification(
    context: Context, user: User, kind: NotificationKind, *, to: str | None = None, **values: str
) -> list[Mail]:
    """The notice of a change in the account, if the project sends that kind and the user has an address.

    `values` are the kind's own: `OldEmail`; `Phone` and `OldPhone`; `Provider`; `FactorType`.
    """
    setting = context.auth.email.notification.get(kind)
    address = to or user.email
    if setting is None or not setting.enabled or not address:
        return []
    common = {
        "SiteURL": context.auth.site_url,
        "Email": address if kind == "identity_unlinked" else user.email or "",
        "Data": user.raw_user_meta_data or {},
    }
    return [Mail(kind, address, {**common, **values}, user.id)]


def sms_text(template: str, code: str) -> str:
    """An SMS with a code, after `[auth.sms] template` or `[auth.mfa.phone] template`."""
    return _compiled(template).fill({"Code": code})


@lru_cache(maxsize=8)
def _compiled(template: str) -> Template:
    return Template(template, markup=False)
