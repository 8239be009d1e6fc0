"""`python -m emulators.scheduler`: calls the shop's sweep every SWEEP_SECONDS, as pg_cron or a cloud scheduler does.

It has no state and needs nothing but Python's own library, so that it costs next to no memory.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping

_PATIENCE = 120.0


def sweep_once(url: str, key: str) -> str:
    """The sweep's figures, or what went wrong, as one line."""
    request = urllib.request.Request(  # noqa: S310 - the stack's own address
        f"{url}/functions/v1/sweep",
        data=b"{}",
        headers={"Authorization": f"Bearer {key}", "apikey": key, "Content-Type": "application/json"},
        method="POST",
    )
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as response:  # noqa: S310
            return str(response.read().decode("utf-8", "replace").strip())
    except urllib.error.HTTPError as error:
        return f"answered {error.code}: {error.read(400).decode('utf-8', 'replace')}"
    except OSError as error:
        return f"not there: {error}"


def run(environ: Mapping[str, str], stop: threading.Event) -> None:
    """Until `stop` is set. A line is written only when it differs from the last, so that quiet hours stay quiet."""
    pause = float(environ.get("SWEEP_SECONDS") or 15)
    last = ""
    while not stop.wait(pause):
        line = sweep_once(environ["SUPABASE_URL"], environ["SUPABASE_SECRET_KEY"])
        if line != last:
            sys.stdout.write(f"sweep: {line}\n")
            sys.stdout.flush()
        last = line


def main() -> int:
    missing = [name for name in ("SUPABASE_URL", "SUPABASE_SECRET_KEY") if not os.environ.get(name)]
    if missing:
        sys.stderr.write(f"scheduler: set {' and '.join(missing)}\n")
        return 2
    stop = threading.Event()
    for word in (signal.SIGTERM, signal.SIGINT):
        signal.signal(word, lambda *_: stop.set())
    run(os.environ, stop)
    return 0


if __name__ == "__main__":
    sys.exit(main())
