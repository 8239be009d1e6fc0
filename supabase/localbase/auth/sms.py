"""SMS of the auth service: they go to the mailbox, as plain mails to `<number>@sms.localbase.local`."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage

import aiosmtplib

from localbase.auth.context import Context

DOMAIN = "sms.localbase.local"


@dataclass(frozen=True, slots=True)
class Sms:
    """A text message to a number, which is written without `+`."""

    phone: str
    text: str


async def send(context: Context, sms: Sms) -> None:
    """Hands it to the mailbox, after the transaction that made it."""
    mailbox = context.settings.local_smtp
    message = EmailMessage()
    message["From"] = mailbox.admin_email
    message["To"] = f"{sms.phone}@{DOMAIN}"
    message["Subject"] = "SMS"
    message.set_content(sms.text)
    await aiosmtplib.send(message, hostname="127.0.0.1", port=mailbox.smtp_port, start_tls=False, timeout=10)
