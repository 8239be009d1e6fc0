"""The mailbox's mail server takes what a server without SMTPUTF8 takes."""

from __future__ import annotations

import smtplib
import socket
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support.mail_exchange import mails_after

BODY = "From: a@example.com\r\nSubject: Hello\r\n\r\nText"


def test_smtputf8_is_not_offered(tmp_path: Path) -> None:
    def exchange(port: int) -> None:
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.ehlo()
            assert "8bitmime" in server.esmtp_features
            assert "smtputf8" not in server.esmtp_features
            server.sendmail("a@example.com", ["b@example.com"], BODY)

    (mail,) = mails_after(tmp_path, exchange)
    assert (mail.recipients, mail.subject) == (["b@example.com"], "Hello")


@pytest.mark.parametrize(
    "line",
    [
        "MAIL FROM:<ann@b\u00fccher.example>",
        "MAIL FROM:<j\u00f6rg@example.com>",
        "MAIL FROM:<ann@example.com> SMTPUTF8",
        "RCPT TO:<ada@b\u00fccher.example>",
        "RCPT TO:<j\u00f6rg@example.com>",
    ],
)
def test_address_that_needs_smtputf8_is_refused_and_the_next_mail_is_taken(tmp_path: Path, line: str) -> None:
    def exchange(port: int) -> None:
        with (
            socket.create_connection(("127.0.0.1", port)) as connection,
            connection.makefile("rb") as replies,
        ):

            def say(text: str) -> bytes:
                connection.sendall(f"{text}\r\n".encode())
                while (reply := replies.readline())[3:4] == b"-":
                    pass
                return reply

            assert replies.readline().startswith(b"220 ")
            assert say("EHLO me").startswith(b"250 ")
            if line.startswith("RCPT"):
                assert say("MAIL FROM:<a@example.com>").startswith(b"250 ")
            assert say(line).startswith(b"5")
            assert say("RSET").startswith(b"250 ")
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.sendmail("a@example.com", ["b@example.com"], BODY)

    assert [mail.recipients for mail in mails_after(tmp_path, exchange)] == [["b@example.com"]]


@pytest.mark.parametrize("longest", [66, 67, 68, 69, 70, 75, 76, 78, 120, 900])
def test_subject_of_any_length_begins_with_its_first_letter(tmp_path: Path, longest: int) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "a@example.com", "b@example.com"
    message["Subject"] = subject = ("An order needs a person: " + "the printer has it " * 50)[
        :longest
    ].strip()
    message.set_content("Text")

    def exchange(port: int) -> None:
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.send_message(message)

    (mail,) = mails_after(tmp_path, exchange)
    assert mail.subject == subject
