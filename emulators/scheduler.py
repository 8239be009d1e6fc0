"""Calls the shop's sweep every SWEEP_SECONDS, as pg_cron or a cloud scheduler does.

It is a thread of the emulators, and needs nothing but Python's own library. A process of its own would take 9 MB for
a call now and then.
"""

from __future__ import annotations

import http.client
import logging
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping

from emulators.core.settings import SettingsError

logger = logging.getLogger("emulators.scheduler")

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
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE) as response:  # noqa: S310
                return str(response.read().decode("utf-8", "replace").strip())
        except urllib.error.HTTPError as error:
            return f"answered {error.code}: {error.read(400).decode('utf-8', 'replace')}"
    except OSError as error:
        return f"not there: {error}"
    except (http.client.HTTPException, ValueError) as error:
        # Cut off, or no HTTP at all.
        return f"not understood: {error!r}"


def start(environ: Mapping[str, str]) -> None:
    """For as long as the process lives. Raises `SettingsError` where the stack's variables are missing."""
    text = environ.get("SWEEP_SECONDS") or "15"
    try:
        pause = float(text)
    except ValueError:
        pause = 0
    if not 0 < pause <= threading.TIMEOUT_MAX:
        raise SettingsError(f"SWEEP_SECONDS is not a number of seconds: {text!r}")
    missing = [name for name in ("SUPABASE_URL", "SUPABASE_SECRET_KEY") if not environ.get(name)]
    if missing:
        raise SettingsError(f"set {' and '.join(missing)}")
    # A sweep that runs is its function's affair: the end of this process waits for none.
    threading.Thread(target=run, args=(environ, pause), name="sweep", daemon=True).start()


def run(environ: Mapping[str, str], pause: float) -> None:
    """For ever. A line is written only when it differs from the last, so that quiet hours stay quiet."""
    last = ""
    while True:
        time.sleep(pause)
        line = sweep_once(environ["SUPABASE_URL"], environ["SUPABASE_SECRET_KEY"])
        if line != last:
            logger.info("sweep: %s", line)
        last = line
