"""Mails in SQLite: the raw message as it came, and what listing and searching need beside it."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.core.state_file import open_state_file

if TYPE_CHECKING:
    from email.message import EmailMessage

_SCHEMA = """
create table if not exists mails (
  id text primary key, received_at real not null, sender text not null, recipients text not null,
  subject text not null, snippet text not null, read integer not null default 0, raw blob not null
);
create index if not exists mails_received_at on mails (received_at desc);
"""


@dataclass(frozen=True, slots=True)
class Mail:
    """One stored mail. `received_at` is in seconds since the epoch."""

    id: str
    received_at: float
    sender: str
    recipients: list[str]
    subject: str
    snippet: str
    read: bool
    raw: bytes

    def message(self) -> EmailMessage:
        """The parsed message."""
        return parse(self.raw)

    def text(self) -> str:
        """The plain-text part, or nothing."""
        return _part(self.message(), "plain")

    def html(self) -> str:
        """The HTML part, or nothing."""
        return _part(self.message(), "html")


class MailStore:
    """The mails of one project, newest first.

    `warning` says that a damaged file was put aside; it is empty otherwise. Raises `StateFileError`.
    """

    def __init__(self, path: Path) -> None:
        self._database, self.warning = open_state_file(path, _SCHEMA)

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def add(self, sender: str, recipients: list[str], raw: bytes, message: EmailMessage | None = None) -> str:
        """Stores a mail and returns its id. `message` is what has been read of `raw`."""
        message = message or parse(raw)
        # a long one begins on a line of its own, with a blank that does not belong to it (RFC 5322, 2.2.3)
        subject = str(message["subject"] or "").strip()
        identity = secrets.token_urlsafe(16)
        snippet = " ".join((_part(message, "plain") or subject).split())[:250]
        with self._database:
            self._database.execute(
                "insert into mails (id, received_at, sender, recipients, subject, snippet, raw) "
                "values (?, ?, ?, ?, ?, ?, ?)",
                (
                    identity,
                    time.time(),
                    str(message["from"] or sender),
                    "\n".join(recipients),
                    subject,
                    snippet,
                    raw,
                ),
            )
        return identity

    def page(self, start: int, limit: int, words: str = "") -> tuple[list[Mail], int]:
        """Mails that hold every word of `words` (`to:` and `subject:` narrow), and how many there are in all."""
        conditions, values = _conditions(words)
        where = f"where {' and '.join(conditions)}" if conditions else ""
        total = self._database.execute(f"select count(*) from mails {where}", values).fetchone()[0]  # noqa: S608
        rows = self._database.execute(
            "select id, received_at, sender, recipients, subject, snippet, read, raw from mails "  # noqa: S608
            f"{where} order by received_at desc limit ? offset ?",
            (*values, limit, start),
        )
        return [_mail(row) for row in rows], total

    def get(self, identity: str) -> Mail | None:
        """One mail (`latest` is the newest), marked as read."""
        if identity == "latest":
            newest, _ = self.page(0, 1)
            return newest[0] if newest else None
        with self._database:
            self._database.execute("update mails set read = 1 where id = ?", (identity,))
        row = self._database.execute(
            "select id, received_at, sender, recipients, subject, snippet, read, raw from mails where id = ?",
            (identity,),
        ).fetchone()
        return _mail(row) if row else None

    def delete(self, identities: list[str] | None) -> None:
        """Deletes these mails, or all."""
        with self._database:
            if identities is None:
                self._database.execute("delete from mails")
            else:
                self._database.executemany("delete from mails where id = ?", [(one,) for one in identities])

    def unread(self) -> int:
        """The number of mails that have not been opened."""
        return int(self._database.execute("select count(*) from mails where read = 0").fetchone()[0])


def parse(raw: bytes) -> EmailMessage:
    """A message from its bytes."""
    # Here: a start waits for no parser of mails.
    import email
    import email.policy

    return email.message_from_bytes(raw, policy=email.policy.default)


def _conditions(words: str) -> tuple[list[str], tuple[str, ...]]:
    conditions, values = [], []
    for word in words.split():
        field, sign, rest = word.partition(":")
        column = {"to": "recipients", "from": "sender", "subject": "subject"}.get(field) if sign else None
        text = (rest if column else word).strip('"')
        conditions.append(f"instr(lower({column or 'recipients || sender || subject || snippet'}), ?) > 0")
        values.append(text.lower())
    return conditions, tuple(values)


def _mail(row: tuple[str, float, str, str, str, str, int, bytes]) -> Mail:
    identity, received_at, sender, recipients, subject, snippet, read, raw = row
    return Mail(
        identity, received_at, sender, recipients.split("\n"), subject, snippet, bool(read), bytes(raw)
    )


def _part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    return str(body.get_content()) if body is not None else ""
