"""localbase's wheel as `pip wheel ./supabase` builds it, with the locked build system and without the network."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.support.stacks import run

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def build_wheel(source: Path, folder: Path) -> Path:
    """The wheel of the distribution in `source`, in `folder`, which holds nothing else."""
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--quiet"]
    run([*PIP, "wheel", *options, "--wheel-dir", str(folder), str(source)], os.environ)
    (built,) = folder.iterdir()
    return built
