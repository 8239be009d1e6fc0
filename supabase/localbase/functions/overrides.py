"""The changes by `supabase functions serve` while it runs: the file of variables, and whether tokens are checked.

It writes `functions-serve.json` into the stack's state and holds a lock on it. Without a holder of the lock, after a
`kill -9` say, the file counts for nothing.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_NAME = "functions-serve.json"


@dataclass(frozen=True, slots=True)
class Overrides:
    """`env_file` in place of `supabase/functions/.env`; `verify_jwt` False lets every caller in."""

    env_file: Path | None = None
    verify_jwt: bool = True


def read_overrides(state: Path) -> Overrides:
    """Those that a running `functions serve` has set."""
    try:
        with (state / _NAME).open("r", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                values = json.load(file)
                env_file = values["env_file"]
                return Overrides(Path(env_file) if env_file else None, bool(values["verify_jwt"]))
    except FileNotFoundError:
        return Overrides()
    return Overrides()


@contextmanager
def overriding(state: Path, overrides: Overrides) -> Iterator[None]:
    """Sets them until the block ends."""
    path = state / _NAME
    partial = path.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        env_file = str(overrides.env_file) if overrides.env_file else None
        json.dump({"env_file": env_file, "verify_jwt": overrides.verify_jwt}, file)
        file.flush()
        # Only a whole and locked file has the name that is read.
        partial.replace(path)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
