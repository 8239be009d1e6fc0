"""How gunicorn serves `server.py`: one process with threads, so that functions share its memory and its connections."""

import os
from pathlib import Path

from gunicorn.workers.gthread import ThreadWorker


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
