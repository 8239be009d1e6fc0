"""The project's own files, without what is installed, built or made by a run."""

from __future__ import annotations

import subprocess

from tests.support.stacks import ROOT


def tracked(*patterns: str) -> list[str]:
    """Those that match a pattern of `git ls-files`, from the root; new files that are not ignored too."""
    shown = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in shown.stdout.splitlines() if (ROOT / name).is_file()]
