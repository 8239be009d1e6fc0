"""`python -m localbase.functions.worker --workdir DIR`: the functions' host as a process of the stack.

The supervisor hands it a listening socket (`LOCALBASE_FUNCTIONS_FD`) that outlives it, so that requests wait while it
restarts.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import logging
import os
import resource
import signal
import socket
import sys
from pathlib import Path

from localbase.core.logs import log_to_stdout
from localbase.core.project import open_project
from localbase.functions.catalog import Catalog
from localbase.functions.deno.program import find_deno, warning_about_missing
from localbase.functions.environment import platform_variables, reserved_names, warning_about
from localbase.functions.host import Host
from localbase.functions.limits import process_limits
from localbase.functions.preload import preload


def main() -> None:
    """Serves the functions of the project named by `--workdir`, on the socket inherited."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    project = open_project(parser.parse_args().workdir)
    log_to_stdout("functions")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    settings = project.settings.edge_runtime
    for name in reserved_names(settings.secrets):
        sys.stdout.write(f"warning: {warning_about(name)}\n")
    catalog = Catalog(project)
    needing = [source.slug for source in catalog.all() if source.runtime == "deno"]
    if needing and find_deno(project.root, project.environ) is None:
        sys.stdout.write(f"warning: {warning_about_missing(needing)}\n")
    sys.stdout.flush()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has a lower limit than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    listener = socket.socket(fileno=int(os.environ["LOCALBASE_FUNCTIONS_FD"]))
    host = Host(
        listener,
        catalog,
        {**os.environ, **platform_variables(project)},
        project.state,
        process_limits(settings),
        (reading, writing),
    )
    for word in (signal.SIGTERM, signal.SIGINT):
        signal.signal(word, lambda *_: host.stop())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)

    def prepare() -> None:
        preload(catalog.root)
        # Objects of here are never collected, so a forked process does not write to their pages.
        gc.collect()
        gc.freeze()

    host.serve(prepare)


if __name__ == "__main__":
    main()
