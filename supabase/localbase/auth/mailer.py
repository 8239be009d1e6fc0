"""The mails of the auth service: templates in GoTrue's format, sent over SMTP.

A project may give its own (`[auth.email.template.<kind>]`): `{{ .ConfirmationURL }}`, `.Token`, `.TokenHash`,
`.SiteURL`, `.RedirectTo`, `.Email` and `.Data.<name>` are filled in.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

import aiosmtplib

from localbase.core.auth_settings import EmailSettings, SmtpSettings
from localbase.core.errors import UserError
from localbase.core.settings import MailSettings

_VARIABLE = re.compile(r"\{\{-?\s*\.([\w.]+)\s*-?\}\}")
_UNSHOWN = re.compile(r"<(head|style|script|title)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"</(?:p|h\d|div|li|td|tr)\s*>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")
_LINK = re.compile(r'<a\s[^>]*href="([^"]+)"[^>]*>(.*?)</a>', re.DOTALL)
_DEFAULTS = {
    "confirmation": (
        "Confirm your email address",
        "Welcome!",
        "Follow this link to confirm your email address and finish signing up:",
        "Confirm email address",
    ),
    "recovery": (
        "Reset your password",
        "Reset your password",
        "Follow this link to choose a new password:",
        "Reset password",
    ),
    "magic_link": ("Your sign-in link", "Sign in", "Follow this link to sign in:", "Sign in"),
}


class Mailer:
    """Sends mails of the kinds `confirmation`, `recovery`, `magic_link`."""

    def __init__(self, supabase: Path, settings: EmailSettings, mailbox: MailSettings) -> None:
        self._smtp = settings.smtp if settings.smtp.enabled else _into(mailbox)
        self._templates = {kind: _default(*texts) for kind, texts in _DEFAULTS.items()}
        for kind, template in settings.template.items():
            subject, body = self._templates.get(kind, ("", ""))
            if template.content_path:
                path = supabase.parent / template.content_path
                if not path.is_file():
                    raise UserError(
                        f"auth.email.template.{kind}: there is no file {path}.", "Mend content_path."
                    )
                body = path.read_text(encoding="utf-8")
            self._templates[kind] = (template.subject or subject, body)

    async def send(self, kind: str, to: str, values: Mapping[str, str]) -> None:
        """Sends the mail of this kind, with `values` filled in."""
        subject, body = self._templates[kind]
        markup = _fill(body, {name: html.escape(value) for name, value in values.items()})
        message = EmailMessage()
        sender = self._smtp.sender_name
        message["From"] = f"{sender} <{self._smtp.admin_email}>" if sender else self._smtp.admin_email
        message["To"] = to
        message["Subject"] = _fill(subject, values)
        message["Message-ID"] = make_msgid(domain="localbase.local")
        message.set_content(plain_text(markup))
        message.add_alternative(markup, subtype="html")
        local = self._smtp.host in ("127.0.0.1", "localhost")
        await aiosmtplib.send(
            message,
            hostname=self._smtp.host,
            port=self._smtp.port,
            username=self._smtp.user or None,
            password=self._smtp.password or None,
            start_tls=False if local else None,
            timeout=10,
        )


def _into(mailbox: MailSettings) -> SmtpSettings:
    return SmtpSettings(
        host="127.0.0.1",
        port=mailbox.smtp_port,
        admin_email=mailbox.admin_email,
        sender_name=mailbox.sender_name,
    )


def _default(subject: str, title: str, text: str, label: str) -> tuple[str, str]:
    link = f'<p><a href="{{{{ .ConfirmationURL }}}}">{label}</a></p>'
    code = "<p>Or enter this code: <b>{{ .Token }}</b></p>"
    return subject, f"<h2>{title}</h2><p>{text}</p>{link}{code}"


def _fill(template: str, values: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: values.get(match[1], ""), template)


def plain_text(markup: str) -> str:
    """The mail for readers without HTML: a paragraph for each block, an address after each link's text."""
    spelled = _LINK.sub(lambda match: f"{match[2]}: {match[1]}", _UNSHOWN.sub("", markup))
    # As in a browser, line breaks in the source are spaces.
    blocks = _BREAK.split(re.sub(r"\s+", " ", spelled))
    texts = (html.unescape(_TAG.sub("", block)).strip() for block in blocks)
    return "\n\n".join(text for text in texts if text) + "\n"
