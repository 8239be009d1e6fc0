"""A mail server that keeps what it has accepted: `python -m tests.many.mail_server PORT FOLDER`."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

from localbase.mail.smtp import serve_smtp
from localbase.mail.store import MailStore


async def serve(port: int, folder: Path) -> None:
    store = MailStore(folder / "mails.db")
    listening = socket.create_server(("0.0.0.0", port), backlog=128)
    async with await serve_smtp(store, listening) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), Path(sys.argv[2])))
