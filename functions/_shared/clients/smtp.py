"""Mail over SMTP (stdlib smtplib)."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr

from _shared.core.email_addresses import ascii_email
from _shared.core.errors import unavailable
from _shared.core.outgoing import observed

_TIMEOUT = 15.0
_IMPLICIT_TLS = 465


@dataclass(frozen=True)
class Email:
    """One message, as text and as HTML. `reply_to` is who answers, if it is not the sender."""

    to: str
    subject: str
    text: str
    html: str
    reply_to: str = ""


class Smtp:
    """A user name means a real server, and that means TLS before the password is sent."""

    def __init__(self, host: str, port: int, user: str, password: str, sender: str) -> None:
        self._host = host
        self._port = port
        self._user = user
        self._password = password
        address = parseaddr(sender)[1]
        self._sender = sender.replace(address, ascii_email(address))

    def send(self, email: Email, key: str = "") -> None:
        """An e-mail that is sent again under its `key` has the same Message-ID, so that mail servers recognize it."""
        domain = parseaddr(self._sender)[1].rpartition("@")[2] or None
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = ascii_email(email.to)
        if email.reply_to:
            message["Reply-To"] = ascii_email(email.reply_to)
        message["Subject"] = email.subject
        message["Date"] = formatdate()
        message["Message-ID"] = f"<{key}@{domain}>" if key else make_msgid(domain=domain)
        message.set_content(email.text)
        message.add_alternative(email.html, subtype="html")
        try:
            with observed("mail", "send"), self._connect() as server:
                if self._user:
                    if self._port != _IMPLICIT_TLS:
                        server.starttls(context=ssl.create_default_context())
                    server.login(self._user, self._password)
                server.send_message(message)
        except (smtplib.SMTPException, OSError) as error:
            raise unavailable("mail_unavailable", "The e-mail could not be sent.", error) from error

    def _connect(self) -> smtplib.SMTP:
        if self._port == _IMPLICIT_TLS:
            return smtplib.SMTP_SSL(
                self._host, self._port, timeout=_TIMEOUT, context=ssl.create_default_context()
            )
        return smtplib.SMTP(self._host, self._port, timeout=_TIMEOUT)
