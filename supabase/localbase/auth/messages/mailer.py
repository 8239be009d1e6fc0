"""Mails and SMS, written from their templates and handed to a mail server.

A project may give templates of its own (`[auth.email.template.<kind>]`, `[auth.email.notification.<kind>]`). SMS go to
the mailbox, also if the project has a mail server, as plain mails to `<number>@sms.localbase.local`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from pathlib import Path
from typing import Any

import aiosmtplib
import idna

from localbase.auth.messages.default_texts import TEXTS
from localbase.auth.messages.go_templates import Template, TemplateError
from localbase.auth.messages.message import Mail, Message, Sms
from localbase.core.auth_settings import EmailSettings, MailTemplate, Notification, SmtpSettings
from localbase.core.errors import UserError
from localbase.core.settings import MailSettings
from localbase.core.text_files import read_text

SMS_DOMAIN = "sms.localbase.local"

_UNSHOWN = re.compile(r"<(head|style|script|title)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"</(?:p|h\d|div|li|td|tr)\s*>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_LINK = re.compile(r'<a\s[^>]*href="([^"]+)"[^>]*>(.*?)</a>', re.DOTALL)
_SECONDS = 10
Send = Callable[..., Awaitable[Any]]


class Mailer:
    """Knows every kind of mail. Raises `UserError` for a template that cannot be read or understood."""

    def __init__(
        self, supabase: Path, settings: EmailSettings, mailbox: MailSettings, send: Send = aiosmtplib.send
    ) -> None:
        self._send = send
        self._mailbox = _into(mailbox)
        self._smtp = settings.smtp if settings.smtp.enabled else self._mailbox
        self._templates = {
            kind: (Template(subject, markup=False), Template(body)) for kind, (subject, body) in TEXTS.items()
        }
        for section, templates in (("template", settings.template), ("notification", settings.notification)):
            for kind, template in templates.items():
                self._replace(supabase, f"auth.email.{section}.{kind}", kind, template)

    def _replace(
        self, supabase: Path, setting: str, kind: str, template: MailTemplate | Notification
    ) -> None:
        mail_kind = next((each for each in TEXTS if each == kind), None)
        if mail_kind is None:
            raise UserError(f"{setting}: there is no such mail.", f"Mails are: {', '.join(TEXTS)}.")
        subject, body = self._templates[mail_kind]
        try:
            if template.subject:
                subject = Template(template.subject, markup=False)
            if text := _own_text(supabase, setting, template):
                body = Template(text)
        except TemplateError as error:
            raise UserError(f"{setting}: {error}.", "Mend the template.") from error
        self._templates[mail_kind] = subject, body

    async def deliver(self, message: Message) -> None:
        """Hands the message to its mail server. Raises `aiosmtplib.SMTPException` and `OSError`."""
        smtp = self._mailbox if isinstance(message, Sms) else self._smtp
        written = _sms(message, smtp) if isinstance(message, Sms) else self._mail(message, smtp)
        await self._send(
            written,
            hostname=smtp.host,
            port=smtp.port,
            username=smtp.user or None,
            password=smtp.password or None,
            start_tls=False if smtp.host in ("127.0.0.1", "localhost") else None,
            timeout=_SECONDS,
        )

    def _mail(self, mail: Mail, smtp: SmtpSettings) -> EmailMessage:
        subject, body = self._templates[mail.kind]
        markup = body.fill(mail.values)
        sender = f"{smtp.sender_name} <{smtp.admin_email}>" if smtp.sender_name else smtp.admin_email
        message = _addressed(sender, mail.to, subject.fill(mail.values))
        message.set_content(plain_text(markup))
        message.add_alternative(markup, subtype="html")
        return message


def _own_text(supabase: Path, setting: str, template: MailTemplate | Notification) -> str:
    if not template.content_path:
        return template.content
    # The official CLI's template has paths from the project's root, and one from its `supabase` folder.
    paths = [folder / template.content_path for folder in (supabase.parent, supabase)]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise UserError(f"{setting}: there is no file {paths[0]}.", "Mend content_path.")
    return read_text(path)


def _into(mailbox: MailSettings) -> SmtpSettings:
    return SmtpSettings(
        host="127.0.0.1",
        port=mailbox.smtp_port,
        admin_email=mailbox.admin_email,
        sender_name=mailbox.sender_name,
    )


def _sms(sms: Sms, smtp: SmtpSettings) -> EmailMessage:
    message = _addressed(f"SMS <{smtp.admin_email}>", f"{sms.phone}@{SMS_DOMAIN}", f"SMS to +{sms.phone}")
    message.set_content(sms.text)
    return message


def _addressed(sender: str, to: str, subject: str) -> EmailMessage:
    written = parseaddr(sender)[1].rpartition("@")[2]
    domain = _ascii_domain(written)
    message = EmailMessage()
    message["From"] = sender.replace(f"@{written}", f"@{domain}")
    message["To"] = to
    # What users have written may stand in it: a line break would begin another header.
    message["Subject"] = " ".join(subject.split())
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = make_msgid(domain=domain or None)
    return message


def _ascii_domain(domain: str) -> str:
    """As every mail server takes an internationalised domain; one that is none stays as it is."""
    with suppress(idna.IDNAError):
        return domain if domain.isascii() else idna.encode(domain, uts46=True).decode()
    return domain


def plain_text(markup: str) -> str:
    """The mail for readers without HTML: a paragraph for each block, an address after each link's text."""
    spelled = _LINK.sub(lambda match: f"{match[2]}: {match[1]}", _UNSHOWN.sub("", markup))
    # As in a browser, line breaks in the source are spaces.
    blocks = _BREAK.split(re.sub(r"\s+", " ", spelled))
    texts = (html.unescape(_TAG.sub("", block)).strip() for block in blocks)
    return "\n\n".join(text for text in texts if text) + "\n"
