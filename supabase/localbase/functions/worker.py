"""`python -m localbase.functions.worker FOLDER`: the process that runs a project's functions.

The supervisor hands it a listening socket (`LOCALBASE_FUNCTIONS_FD`) that outlives it, so that requests wait while it
restarts.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from localbase.core.logs import log_to_stdout
from localbase.functions.host import Host


class _Quiet(WSGIRequestHandler):
    """Connections stay alive; the functions log one line a request themselves."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        pass


def main() -> None:
    """Serves the functions below the folder given, on the socket inherited."""
    log_to_stdout()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    host = Host(Path(sys.argv[1]).resolve())
    descriptor = int(os.environ["LOCALBASE_FUNCTIONS_FD"])
    server = ThreadedWSGIServer("127.0.0.1", 0, host, handler=_Quiet, fd=descriptor)
    for word in (signal.SIGTERM, signal.SIGINT):
        # `shutdown` waits for the loop that this signal has interrupted, so it is called from beside.
        signal.signal(word, lambda *_: threading.Thread(target=server.shutdown).start())
    threading.Thread(target=host.warm, daemon=True).start()
    server.serve_forever(poll_interval=0.2)
    server.server_close()


if __name__ == "__main__":
    main()
