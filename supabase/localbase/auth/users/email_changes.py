"""A change of the e-mail address that has begun: its mails, to the new address and, for certainty, to the old.

Upstream: supabase/auth, `sendEmailChange` in `internal/api/mail.go`.
"""

from __future__ import annotations

from localbase.auth.codes import one_time_tokens, token_mails
from localbase.auth.codes.one_time_tokens import TokenType
from localbase.auth.context import Context
from localbase.auth.messages.message import Mail
from localbase.auth.tables.rows import User
from localbase.postgres.service_pool import Cursor


async def send_email_change(
    context: Context, cursor: Cursor, user: User, email: str, redirect_to: str, *, pkce: bool
) -> list[Mail]:
    """The mails to put into the outbox; both halves are open again."""
    await cursor.execute(
        "update auth.users set email_change = %s, email_change_confirm_status = 0 where id = %s",
        [email, user.id],
    )
    recipients: list[tuple[TokenType, str]] = [("email_change_token_new", email)]
    if context.auth.email.double_confirm_changes and user.email:
        recipients.append(("email_change_token_current", user.email))
    else:
        await one_time_tokens.spend(cursor, user, "email_change_token_current")
    mails: list[Mail] = []
    for token_type, address in recipients:
        issued = await one_time_tokens.issue(context, cursor, user, token_type, address, pkce=pkce)
        mails.append(
            token_mails.with_token(
                context,
                user,
                "email_change",
                to=address,
                code=issued.code,
                token_hash=issued.token_hash,
                redirect_to=redirect_to,
                new_email=email,
            )
        )
    return mails
