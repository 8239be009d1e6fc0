"""auth.mailer: mails from the project's templates, notices, and SMS, as a mail server sees them."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest
from localbase.auth.messages.default_texts import TEXTS
from localbase.auth.messages.mailer import Mailer
from localbase.auth.messages.message import Mail, Message, Sms
from localbase.core.auth_settings import EmailSettings, MailTemplate, Notification, SmtpSettings
from localbase.core.errors import UserError
from localbase.core.settings import MailSettings, Port

MAILBOX = MailSettings(smtp_port=Port(2525), admin_email="shop@example.com", sender_name="The Shop")
VALUES = {
    "ConfirmationURL": "https://shop.example/verify?token=x&type=signup",
    "Token": "123456",
    "TokenHash": "hash",
    "SiteURL": "https://shop.example",
    "RedirectTo": "https://shop.example/a?b=c&d=e",
    "Email": "ann@example.com",
    "NewEmail": "new@example.com",
    "OldEmail": "old@example.com",
    "Phone": "15550100",
    "OldPhone": "15550101",
    "Provider": "google",
    "FactorType": "totp",
    "Data": {"first": "Ann <3"},
}


class Sent:
    """The arguments for aiosmtplib."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.options: list[dict[str, Any]] = []

    async def send(self, message: EmailMessage, **options: Any) -> None:
        self.messages.append(message)
        self.options.append(options)


@pytest.fixture
def sent() -> Sent:
    return Sent()


def deliver(sent: Sent, message: Message, settings: EmailSettings, folder: Path = Path()) -> EmailMessage:
    asyncio.run(Mailer(folder, settings, MAILBOX, sent.send).deliver(message))
    return sent.messages[-1]


def markup_of(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content()).strip()


@pytest.mark.parametrize("kind", TEXTS)
def test_every_kind_has_a_mail_of_its_own(sent: Sent, kind: Any) -> None:
    message = deliver(sent, Mail(kind, "ann@example.com", VALUES), EmailSettings())
    assert (message["From"], message["To"]) == ("The Shop <shop@example.com>", "ann@example.com")
    text = f"{message['Subject']}\n{markup_of(message)}"
    assert message["Subject"]
    assert "{{" not in text
    named = {
        "email_change": "from ann@example.com to new@example.com",
        "email_changed": "from old@example.com to ann@example.com",
        "phone_changed": "from 15550101 to 15550100",
        "identity_linked": "google",
        "identity_unlinked": "google",
        "mfa_factor_enrolled": "totp",
        "mfa_factor_unenrolled": "totp",
        "password_changed": "ann@example.com",
    }
    assert named.get(kind, "123456") in text


def test_template_of_the_projects_own_is_used(sent: Sent, tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    (tmp_path / "supabase" / "invite.html").write_text(
        "<p>{{ if .Data.first }}Hello {{ .Data.first }}{{ else }}Hello{{ end }}</p>"
        '<a href="{{ .SiteURL }}/go?hash={{ .TokenHash }}&next={{ .RedirectTo }}">In</a>'
    )
    settings = EmailSettings(
        template={
            "invite": MailTemplate(subject="For {{ .Data.first }}", content_path="./supabase/invite.html")
        }
    )
    message = deliver(sent, Mail("invite", "ann@example.com", VALUES), settings, tmp_path / "supabase")
    assert message["Subject"] == "For Ann <3"
    assert markup_of(message) == (
        "<p>Hello Ann &lt;3</p>"
        '<a href="https://shop.example/go?hash=hash&next=https%3A%2F%2Fshop.example%2Fa%3Fb%3Dc%26d%3De">In</a>'
    )


def test_notice_has_its_text_in_the_settings(sent: Sent) -> None:
    notice = Notification(enabled=True, subject="Hm", content="<p>{{ .Email }}</p>")
    settings = EmailSettings(notification={"password_changed": notice})
    message = deliver(sent, Mail("password_changed", "ann@example.com", VALUES), settings)
    assert (message["Subject"], markup_of(message)) == ("Hm", "<p>ann@example.com</p>")


def test_path_below_the_supabase_folder_is_found(sent: Sent, tmp_path: Path) -> None:
    folder = tmp_path / "supabase" / "templates"
    folder.mkdir(parents=True)
    (folder / "changed.html").write_text("<p>own</p>")
    settings = EmailSettings(
        notification={"password_changed": Notification(content_path="./templates/changed.html")}
    )
    mail = Mail("password_changed", "ann@example.com", VALUES)
    assert markup_of(deliver(sent, mail, settings, tmp_path / "supabase")) == "<p>own</p>"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (
            EmailSettings(template={"welcome": MailTemplate(subject="x")}),
            "auth.email.template.welcome: there is no such mail.",
        ),
        (
            EmailSettings(template={"invite": MailTemplate(content="{{ if .Email }}")}),
            "auth.email.template.invite: {{ if .Email }} has no {{ end }}.",
        ),
        (
            EmailSettings(template={"invite": MailTemplate(content_path="./none.html")}),
            "auth.email.template.invite: there is no file none.html.",
        ),
    ],
)
def test_templates_that_are_no_good_stop_the_start(settings: EmailSettings, text: str) -> None:
    with pytest.raises(UserError) as caught:
        Mailer(Path("supabase"), settings, MAILBOX)
    assert text in str(caught.value)


def test_mail_has_its_date_and_an_id_of_the_senders_domain(sent: Sent) -> None:
    message = deliver(sent, Mail("recovery", "ann@example.com", VALUES), EmailSettings())
    age = datetime.now(UTC) - parsedate_to_datetime(message["Date"])
    assert timedelta(seconds=-1) <= age < timedelta(minutes=1)
    assert re.fullmatch(r"<[^<>@\s]+@example\.com>", message["Message-ID"])
    again = deliver(sent, Mail("recovery", "ann@example.com", VALUES), EmailSettings())
    assert message["Message-ID"] != again["Message-ID"]


@pytest.mark.parametrize(
    ("sender", "domain"),
    [
        ("shop@b\u00fccher.example", "xn--bcher-kva.example"),
        ("shop@stra\u00dfe.example", "xn--strae-oqa.example"),
    ],
)
def test_senders_domain_goes_out_in_ascii(sent: Sent, sender: str, domain: str) -> None:
    smtp = SmtpSettings(
        enabled=True, host="mail.example", port=587, admin_email=sender, sender_name="B\u00fccher"
    )
    message = deliver(sent, Mail("recovery", "ann@example.com", VALUES), EmailSettings(smtp=smtp))
    assert message["From"] == f"B\u00fccher <shop@{domain}>"
    assert str(message["Message-ID"]).endswith(f"@{domain}>")


def test_line_break_in_a_name_begins_no_header(sent: Sent) -> None:
    settings = EmailSettings(template={"invite": MailTemplate(subject="For {{ .Data.first }}")})
    values = VALUES | {"Data": {"first": "Ann\r\nBcc: all@example.com"}}
    message = deliver(sent, Mail("invite", "ann@example.com", values), settings)
    assert message["Subject"] == "For Ann Bcc: all@example.com"
    assert message["Bcc"] is None


def test_sms_go_to_the_mailbox_beside_any_mail_server(sent: Sent) -> None:
    smtp = SmtpSettings(enabled=True, host="mail.example", port=587, user="ann", password="secret")
    settings = EmailSettings(smtp=smtp)
    deliver(sent, Mail("recovery", "ann@example.com", VALUES), settings)
    message = deliver(sent, Sms("15550100", "Your code is 123456"), settings)
    assert (message["To"], message["Subject"]) == ("15550100@sms.localbase.local", "SMS to +15550100")
    assert message.get_content() == "Your code is 123456\n"
    assert [
        (each["hostname"], each["port"], each["username"], each["start_tls"]) for each in sent.options
    ] == [
        ("mail.example", 587, "ann", None),
        ("127.0.0.1", 2525, None, False),
    ]
