"""The SMTP sink: accepts mail for every address, stores it, relays nothing."""

from __future__ import annotations

import asyncio
import socket

from aiosmtpd.smtp import SMTP, Envelope, Session

from localbase.mail.store import MailStore

_MAX_MAIL = 25 * 1024 * 1024


class _Sink:
    def __init__(self, store: MailStore) -> None:
        self._store = store

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: ARG002, N802
        content = envelope.content or b""
        raw = content if isinstance(content, bytes) else content.encode()
        self._store.add(envelope.mail_from or "", list(envelope.rcpt_tos), raw)
        return "250 OK: kept"


async def serve_smtp(store: MailStore, listening: socket.socket) -> asyncio.Server:
    """Takes mails on a listening socket."""
    loop = asyncio.get_running_loop()

    def session() -> SMTP:
        return SMTP(_Sink(store), data_size_limit=_MAX_MAIL, enable_SMTPUTF8=True, loop=loop)

    return await loop.create_server(session, sock=listening)
