"""gunicorn's settings for `server.py`.

One process with threads, so that functions share its memory and its connections.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from gunicorn.workers.gthread import ThreadWorker

# beside this file; gunicorn looks there itself only when it loads the application
sys.path.insert(0, str(Path(__file__).resolve().parent))

from _shared.core.logs import formatter_of


class Worker(ThreadWorker):
    """Refuses connections once it has to end: left open, its socket would take calls that no thread answers."""

    def set_accept_enabled(self, enabled: bool) -> None:
        super().set_accept_enabled(enabled)
        if not self.alive:
            for listener in self.sockets:
                listener.close()


bind = f"0.0.0.0:{os.environ.get('PORT', '9000')}"
workers = int(os.environ.get("WORKERS", "1"))
worker_class = Worker
threads = int(os.environ.get("THREADS", "32"))
# a missing package or a broken function ends the start, not the first call
preload_app = True
# SIGTERM: requests that run have as long as the longest function takes (deploy/function_limits.py). The platform's own
# limit counts as well: `stop_grace_period` in compose, ten seconds on Cloud Run, which drains an instance before.
graceful_timeout = int(os.environ.get("GRACE_SECONDS", "420"))
# a thread at work does not count as a process that hangs
timeout = 60
# longer than a gateway in front holds a connection open, so that it never uses one that has just been closed
keepalive = 620
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - memory in place of a slow disk
control_socket_disable = True
accesslog = None
loglevel = "info"
# as the functions log: a line of the server is one of theirs
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": formatter_of}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"level": "INFO", "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False}},
}
if workers > 1:
    # read when prometheus-client is imported, with the application
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="metrics-", dir=worker_tmp_dir)


def on_exit(_server: object) -> None:
    """The container ends: what its processes have counted lies in memory."""
    if workers > 1:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)


def child_exit(_server: object, worker: ThreadWorker) -> None:
    """A process has ended: what it was at work on counts no longer."""
    if workers > 1:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
