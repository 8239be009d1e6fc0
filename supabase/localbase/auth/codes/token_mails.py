"""Mails with their tokens, links and values. The caller puts them into the outbox."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlencode

from localbase.auth.codes import one_time_tokens
from localbase.auth.codes.one_time_tokens import TokenType
from localbase.auth.context import Context
from localbase.auth.messages.go_templates import Template
from localbase.auth.messages.message import LINK_TYPES, LinkType, Mail, NotificationKind, TokenKind
from localbase.auth.tables.rows import User
from localbase.postgres.service_pool import Cursor

_TOKEN_TYPES: dict[TokenKind, TokenType] = {
    "confirmation": "confirmation_token",
    "invite": "confirmation_token",
    "recovery": "recovery_token",
    "magic_link": "recovery_token",
    "email_change": "email_change_token_new",
    "reauthentication": "reauthentication_token",
}


def action_link(context: Context, link_type: LinkType, token_hash: str, redirect_to: str) -> str:
    """The address that verifies: what a mail's link leads to."""
    query = urlencode({"token": token_hash, "type": link_type, "redirect_to": redirect_to})
    return f"{context.address}/verify?{query}"


async def with_token(
    context: Context,
    cursor: Cursor,
    user: User,
    kind: TokenKind,
    to: str,
    redirect_to: str = "",
    *,
    new_email: str = "",
    pkce: bool = False,
    token_type: TokenType | None = None,
) -> Mail:
    """A mail with a new code, and with a link where its kind has one. `token_type` is the kind's own by default."""
    issued = await one_time_tokens.issue(
        context, cursor, user, token_type or _TOKEN_TYPES[kind], to, pkce=pkce
    )
    link_type = LINK_TYPES.get(kind)
    link = action_link(context, link_type, issued.token_hash, redirect_to) if link_type else ""
    values = {
        "ConfirmationURL": link,
        "Token": issued.code,
        "TokenHash": issued.token_hash,
        "SiteURL": context.auth.site_url,
        "RedirectTo": redirect_to,
        "Email": user.email or "",
        "NewEmail": new_email,
        "SendingTo": to,
        "Data": user.raw_user_meta_data or {},
    }
    return Mail(kind, to, values, user.id)


async def of_email_change(
    context: Context, cursor: Cursor, user: User, email: str, redirect_to: str, *, pkce: bool
) -> list[Mail]:
    """The mails of a change that begins, to the new address and, for certainty, to the old: both halves are open again.

    Upstream: supabase/auth, `sendEmailChange` in `internal/api/mail.go`.
    """
    await cursor.execute(
        "update auth.users set email_change = %s, email_change_confirm_status = 0 where id = %s",
        [email, user.id],
    )
    recipients: list[tuple[TokenType, str]] = [("email_change_token_new", email)]
    if context.auth.email.double_confirm_changes and user.email:
        recipients.append(("email_change_token_current", user.email))
    else:
        await one_time_tokens.spend(cursor, user, "email_change_token_current")
    return [
        await with_token(
            *(context, cursor, user, "email_change", address, redirect_to),
            new_email=email,
            pkce=pkce,
            token_type=token_type,
        )
        for token_type, address in recipients
    ]


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
