"""The SMTP sink: accepts mail for every ASCII address, stores it, relays nothing.

Without SMTPUTF8 (RFC 6531), which many servers lack: a sender that relies on it is to see so in development.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

from localbase.mail.store import MailStore, parse

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session

_MAX_MAIL = 25 * 1024 * 1024
# Lines that may begin a part: a client would have everybody wait for thousands.
_MOST_PARTS = 1000


class _Sink:
    def __init__(self, store: MailStore) -> None:
        self._store = store

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: ARG002, N802
        content = envelope.content or b""
        raw = content if isinstance(content, bytes) else content.encode()
        if raw.count(b"\n--") > _MOST_PARTS:
            return f"554 5.6.0 A mail has at most {_MOST_PARTS} parts"
        message = await asyncio.to_thread(parse, raw)
        self._store.add(envelope.mail_from or "", list(envelope.rcpt_tos), raw, message)
        return "250 OK: kept"


async def serve_smtp(store: MailStore, listening: socket.socket) -> asyncio.Server:
    """Takes mails on a listening socket."""
    loop = asyncio.get_running_loop()

    def session() -> SMTP:
        # At the first connection: a start waits for no library of a protocol that few speak.
        from aiosmtpd.smtp import SMTP

        return SMTP(_Sink(store), data_size_limit=_MAX_MAIL, loop=loop)

    return await loop.create_server(session, sock=listening)
