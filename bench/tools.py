"""Programs of the npm registry that only the benchmarks need: pinned, and installed below `.localbase` on first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from localbase.cli.terminal import Progress

_ROOT = Path(__file__).resolve().parent.parent / ".localbase"


def npm_tool(name: str, *packages: str) -> Path | None:
    """The folder `.localbase/<name>` with `packages` (`name@version`) installed; None where npm cannot get them."""
    home = _ROOT / name
    stamp = home / "installed"
    package_list = " ".join(packages)
    if stamp.is_file() and stamp.read_text() == package_list:
        return home
    home.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), *packages]
    with Progress().step(f"installing {package_list}"):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(f"  npm could not install it, so its figures are left out:\n{done.stderr[-500:]}\n")
        return None
    stamp.write_text(package_list)
    return home
