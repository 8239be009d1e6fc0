"""The official Supabase command line, for tests; `python -m tests.support.official_cli` installs it.

It is no dependency of the project: 140 MB that running the shop does not need.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from localbase.cli.terminal import Progress

# itself, and the two packages of its that it has ranges for
PACKAGES = ("supabase@3.1.0", "eciesjs@0.5.0", "jose@6.2.17")
_HOME = Path(__file__).resolve().parents[2] / ".localbase" / "official-cli"
_STAMP = _HOME / "installed"
# No report of its use leaves the machine. It is a program of Bun: to compile what runs once, and to collect garbage
# before the end, takes half of the time of a short command.
OFFICIAL_ENVIRON = {
    "SUPABASE_TELEMETRY_DISABLED": "1",
    "DO_NOT_TRACK": "1",
    "BUN_JSC_useBaselineJIT": "0",
    "BUN_JSC_useGC": "0",
}


def find_official_cli() -> Path | None:
    """The program, if these versions are installed: the one of this machine, which npm's starts by a Node first."""
    if not _STAMP.is_file() or _STAMP.read_text(encoding="utf-8") != " ".join(PACKAGES):
        return None
    # npm installs the package of this machine's system alone.
    return next(_HOME.glob("node_modules/@supabase/cli-*/bin/supabase"), None)


def run_official_cli(
    arguments: list[str], home: Path, cwd: Path, environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Runs it in the folder `cwd`. It writes settings of its own in `home`."""
    program = find_official_cli()
    assert program is not None, "install it: python -m tests.support.official_cli"
    return subprocess.run(
        [str(program), *arguments],
        env={"PATH": os.environ["PATH"], **OFFICIAL_ENVIRON, "HOME": str(home), **environ},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def install_official_cli() -> None:
    """Ends the program with npm's message where it cannot be had."""
    shutil.rmtree(_HOME, ignore_errors=True)
    _HOME.mkdir(parents=True)
    options = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--prefix", str(_HOME)]
    with Progress().step("installing the official Supabase command line"):
        done = subprocess.run(
            ["npm", "install", *options, *PACKAGES], capture_output=True, text=True, check=False
        )
    if done.returncode:
        sys.exit(f"error: npm could not install the official Supabase command line.\n{done.stderr[-800:]}")
    _STAMP.write_text(" ".join(PACKAGES), encoding="utf-8")


if __name__ == "__main__":
    if find_official_cli() is None:
        install_official_cli()
