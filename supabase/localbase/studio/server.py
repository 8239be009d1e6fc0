"""`python -m localbase.studio.server --workdir DIR`: Studio as a process of the stack, on the socket inherited."""

from __future__ import annotations

import argparse
import logging
import os
import socket
from pathlib import Path

import uvicorn

from localbase.core.logs import log_to_stdout
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of
from localbase.studio.app import studio_app
from localbase.studio.session import Sessions


def main() -> None:
    """Serves until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    project = open_project(parser.parse_args().workdir)
    log_to_stdout("studio")
    # Each look at the mailbox is a request of ours, and the logs are among the pages.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    cluster = cluster_of(project)
    sessions = Sessions(cluster.url("postgres"), cluster.url("supabase_admin"))
    listener = socket.socket(fileno=int(os.environ["LOCALBASE_STUDIO_FD"]))
    app = studio_app(project, sessions, listener.getsockname()[1])
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", server_header=False)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
