"""Data folders that Postgres cannot serve: found before a server is started, or read from what the server says.

The message says what is wrong and what helps. It quotes Postgres's own text, which names the file.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from localbase.core.errors import UserError
from localbase.postgres.cluster import Cluster

_RESET = "`supabase db reset` begins anew (the local data goes); or put a sound copy in that folder's place."
_CONTROL_FILE_BYTES = 8192
_STOP_SECONDS, _POLL_SECONDS = 60.0, 0.02
_ROUTINE = re.compile(
    r"LOG:  (starting PostgreSQL|listening on|database system|checkpoint|shutting down|redo|invalid)"
)
# Whose end, where it is long, would be all that is shown.
_STATEMENT = re.compile(r"^.*STATEMENT:  .*(?:\n\t.*)*", re.MULTILINE)
# What Postgres says, in part, and what helps. The first that fits counts.
_REMEDIES = (
    (("no space left", "disk quota", "check free disk space"), "Free some space on that disk and try again."),
    (
        ("wrong ownership", "must be owned"),
        "Give {data} and all in it back to {owner} (chown -R) and try again.",
    ),
    (
        ("permission denied", "invalid permissions"),
        "{owner} must own {data}, with mode 0700 (chown -R, chmod).",
    ),
    (
        (
            "syntax error in file",
            "configuration file",
            "unrecognized configuration",
            "hba",
            "invalid value for parameter",
        ),
        "Mend the line that is named, or: " + _RESET,
    ),
    (
        ("address already in use", "could not create any tcp/ip"),
        "Another program has the database's port: stop it, or set db.port in supabase/config.toml.",
    ),
    (
        (
            "shutdown request",
            "due to administrator command",
            "due to unexpected postmaster exit",
            "was ended by sig",
        ),
        "Another program, or the system, has ended the server: try again.",
    ),
    (("lock file", "shared memory"), "Another server runs on {data}: stop it and try again."),
)


def check_data(cluster: Cluster) -> None:
    """Raises `UserError` for a data folder that is no database of this Postgres. A missing or empty one is none yet."""
    data = cluster.data
    try:
        if not has_data(cluster):
            return
        _check_owner(cluster)
        _check_version(cluster)
        control = data / "global" / "pg_control"
        if not control.is_file() or control.stat().st_size < _CONTROL_FILE_BYTES:
            raise _damaged(data, "global/pg_control is missing or cut short")
    except OSError as error:
        raise UserError(
            f"Cannot read the database: {error.strerror}: {error.filename}.", _remedy("", cluster)
        ) from error


def has_data(cluster: Cluster) -> bool:
    """Tell whether there is a data folder with anything in it."""
    if cluster.data.exists() and not cluster.data.is_dir():
        raise _damaged(cluster.data, "it is no folder")
    return cluster.data.is_dir() and any(cluster.data.iterdir())


def server_failed(log: str, cluster: Cluster) -> UserError:
    """The error for a server that ended at its start, having said `log`."""
    lines = [line for line in _STATEMENT.sub("", log).strip().splitlines() if not _ROUTINE.search(line)]
    text = "\n".join(lines[-10:]) or "it said nothing"
    return UserError(f"Postgres does not start on {cluster.data}:\n{text}", _remedy(text, cluster))


def remove_stale_lock(cluster: Cluster) -> None:
    """Takes away a process file that would keep the next server from starting, though its own server is gone.

    One without a number was being written when its server was killed; a number may belong to another program by now.
    The others are left to Postgres, which looks whether a session of their server lives on.
    """
    path = cluster.data / "postmaster.pid"
    if not path.exists():
        return
    number = _number(path)
    is_of_another = number is not None and _arguments_of(number) is not None and server_id(cluster) is None
    if number is None or is_of_another:
        path.unlink(missing_ok=True)


def server_id(cluster: Cluster) -> int | None:
    """The process id of the server that runs on this data folder; None if there is none."""
    number = _number(cluster.data / "postmaster.pid")
    if number is None or f"-D {cluster.data}" not in (_arguments_of(number) or ""):
        return None
    return number


def _number(path: Path) -> int | None:
    """The process id in a server's process file; a server for one user has one below zero."""
    try:
        line = path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0].strip()
    except OSError:
        return None
    digits = line.removeprefix("-")
    return int(digits) or None if digits.isascii() and digits.isdecimal() else None


def _arguments_of(number: int) -> str | None:
    """The command line of a process; None where there is none with this id."""
    if sys.platform == "linux":
        try:
            words = Path(f"/proc/{number}/cmdline").read_bytes()
        except OSError:
            return None
        return words.replace(b"\0", b" ").decode(errors="replace")
    shown = subprocess.run(
        ["ps", "-ww", "-o", "args=", "-p", str(number)], capture_output=True, text=True, check=False
    )
    return shown.stdout or None


def stop_server(cluster: Cluster) -> None:
    """Stops a server that an abruptly ended command or stack left on this data folder."""
    number = server_id(cluster)
    if number is None:
        return
    # SIGINT is Postgres's fast shutdown.
    os.kill(number, signal.SIGINT)
    deadline = time.monotonic() + _STOP_SECONDS
    while server_id(cluster) == number:
        if time.monotonic() > deadline:
            raise UserError(
                f"Postgres (process {number}) on {cluster.data} does not stop.",
                f"End it with `kill -9 {number}`.",
            )
        time.sleep(_POLL_SECONDS)  # not our child: there is nothing to wait on


def _check_owner(cluster: Cluster) -> None:
    expected_uid = cluster.account.uid if cluster.account else os.geteuid()
    uid = cluster.data.stat().st_uid
    if uid != expected_uid:
        raise UserError(
            f"The database in {cluster.data} belongs to the user with the number {uid}, not to {_owner(cluster)}.",
            _remedy("wrong ownership", cluster),
        )


def _check_version(cluster: Cluster) -> None:
    data, binaries = cluster.data, cluster.binaries
    path = data / "PG_VERSION"
    if not path.is_file():
        raise _damaged(data, "its file PG_VERSION is missing")
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not text.split(".")[0].isdecimal():
        raise _damaged(data, f"its file PG_VERSION holds {text[:40]!r}")
    if (major := int(text.split(".")[0])) != binaries.major:
        raise UserError(
            f"The database in {data} was made by Postgres {major}, but {binaries.folder} is Postgres {binaries.major}.",
            f"Set PG_BIN to a Postgres {major}, or throw the local data away with `supabase db reset`.",
        )


def _damaged(data: Path, what: str) -> UserError:
    return UserError(f"The database in {data} is damaged: {what}.", _RESET)


def _remedy(text: str, cluster: Cluster) -> str:
    lowered = text.lower()
    for parts, remedy in _REMEDIES:
        if any(part in lowered for part in parts):
            return remedy.format(data=cluster.data, owner=_owner(cluster))
    return _RESET


def _owner(cluster: Cluster) -> str:
    return "nobody" if cluster.account else "you"
