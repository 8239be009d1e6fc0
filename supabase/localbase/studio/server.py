"""`python -m localbase.studio.server --workdir DIR`: Studio as a process of the stack, on the socket inherited."""

from __future__ import annotations

import argparse
import logging
import os
import socket
from pathlib import Path

import uvicorn
import uvloop

from localbase.core.logs import log_to_stdout
from localbase.core.project import Project, open_project
from localbase.core.web.http_server import HttpServer, end_on_signals
from localbase.core.web.lingering import LingeringProtocol
from localbase.postgres.cluster import cluster_of
from localbase.studio.app import studio_app
from localbase.studio.session import Sessions

# For the requests that have begun, when the process is to end.
_GRACE_SECONDS = 3


def main() -> None:
    """Serves until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    project = open_project(parser.parse_args().workdir)
    log_to_stdout("studio")
    # Each look at the mailbox is a request of ours, and the logs are among the pages.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    uvloop.run(_serve(project))


async def _serve(project: Project) -> None:
    cluster = cluster_of(project)
    sessions = Sessions(cluster.near_url("postgres"), cluster.near_url())
    listener = socket.socket(fileno=int(os.environ["LOCALBASE_STUDIO_FD"]))
    server = HttpServer(
        uvicorn.Config(
            studio_app(project, sessions),
            http=LingeringProtocol,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
    )
    end_on_signals([server])
    await server.serve([listener])


if __name__ == "__main__":
    main()
