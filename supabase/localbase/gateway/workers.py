"""Several gateway processes on one port: `LOCALBASE_WORKERS`, 1 by default.

The supervisor holds the listening socket and starts them all on it; the one that is free takes the next connection.
Each has its own connections to Postgres and hears schema changes itself. One that dies is started again by itself,
while the others go on serving.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping

from localbase.core.errors import UserError

_MOST = 64


def worker_count(environ: Mapping[str, str]) -> int:
    """The number of processes that serve. Raises `UserError` for what is no number of them."""
    text = environ.get("LOCALBASE_WORKERS", "").strip() or "1"
    if not text.isdecimal() or not 1 <= int(text) <= _MOST:
        raise UserError(
            f"LOCALBASE_WORKERS is {text!r}.", f"Give a number of processes from 1 to {_MOST}, or unset it."
        )
    return int(text)


def inherited_socket(environ: Mapping[str, str], variable: str) -> socket.socket:
    """The listening socket that the supervisor holds; `variable` names its descriptor.

    It outlives this process: while a gateway restarts, its clients wait in the socket's queue.
    """
    descriptor = environ.get(variable, "")
    if not descriptor.isdecimal():
        raise UserError(f"{variable} names no socket.", "The gateway is started by `supabase start`.")
    return socket.socket(fileno=int(descriptor))
