"""The mailbox's mail server for one exchange, in this process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

from localbase.mail.smtp import serve_smtp
from localbase.mail.store import Mail, MailStore


def mails_after(folder: Path, exchange: Callable[[int], object]) -> list[Mail]:
    """Return what the mailbox holds, newest first, after `exchange(port)`, which runs in a thread."""

    async def run() -> list[Mail]:
        store = MailStore(folder / "mails.db")
        listening = socket.create_server(("127.0.0.1", 0))
        try:
            async with await serve_smtp(store, listening):
                await asyncio.to_thread(exchange, listening.getsockname()[1])
            return store.page(0, 100)[0]
        finally:
            store.close()

    return asyncio.run(run())
