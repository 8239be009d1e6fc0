"""Deno, for tests of functions in TypeScript; `python -m tests.support.deno` installs it.

It is no dependency of the project: 96 MB that running the shop does not need.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from localbase.cli.terminal import Progress
from localbase.functions.deno.program import find_deno

# npm takes the program for this system with it, a package of the same version
PACKAGE = "deno@2.9.6"
HOME = Path(__file__).resolve().parents[2] / ".localbase" / "deno"
_STAMP = HOME / "installed"


def installed_deno() -> Path | None:
    """The program, if this version is installed."""
    is_current = _STAMP.is_file() and _STAMP.read_text(encoding="utf-8") == PACKAGE
    program = find_deno(HOME, {"PATH": ""}) if is_current else None
    return Path(program) if program else None


def install_deno() -> None:
    """Ends the program with npm's message where it cannot be had."""
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True)
    options = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--prefix", str(HOME)]
    with Progress().step("installing Deno"):
        done = subprocess.run(
            ["npm", "install", *options, PACKAGE], capture_output=True, text=True, check=False
        )
    if done.returncode:
        sys.exit(f"error: npm could not install Deno.\n{done.stderr[-800:]}")
    _STAMP.write_text(PACKAGE, encoding="utf-8")


if __name__ == "__main__":
    if installed_deno() is None:
        install_deno()
