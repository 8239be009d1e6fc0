"""`secrets list`: the names of the functions' variables, with digests of their values."""

from __future__ import annotations

import argparse
import hashlib

from localbase.cli.call import Call
from localbase.cli.secrets_file import read_secrets


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Shows no value: only its SHA-256, which says whether two are the same."""
    rows = [
        {"name": name, "value": hashlib.sha256(value.encode()).hexdigest()}
        for name, value in sorted(read_secrets(call.project).items())
    ]
    width = max([4, *(len(row["name"]) for row in rows)])
    lines = [
        f"{'NAME'.ljust(width)}  DIGEST",
        *(f"{row['name'].ljust(width)}  {row['value']}" for row in rows),
    ]
    call.output.show(rows, "\n".join(lines))
    return 0
