"""Make's steps show that they go on, name what failed, and leave nothing running."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.stacks import ROOT, clean_environ

_RULES = """
slow:
\t$(call step,working hard,sleep 1; echo hidden,Have patience.)
broken:
\t$(call step,working hard,echo the reason; exit 3,Mend it.)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Makefile").write_text(
        (ROOT / "Makefile").read_text(encoding="utf-8") + _RULES, encoding="utf-8"
    )
    return tmp_path


def environ(seconds: str) -> dict[str, str]:
    return clean_environ({"STEP_SECONDS": seconds})


def test_a_pipe_gets_lines_while_a_step_goes_on(folder: Path) -> None:
    done = subprocess.run(
        ["make", "slow"], cwd=folder, env=environ("0.2"), capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "  working hard …"
    assert len(lines) >= 3
    assert all(re.fullmatch(r"    \d s so far …( \d s)?", line) for line in lines[1:])
    assert re.search(r"… \d s$", lines[-1])
    assert (folder / ".localbase" / "setup.log").read_text() == "hidden\n"


def test_a_short_step_is_one_line(folder: Path) -> None:
    done = subprocess.run(
        ["make", "slow"], cwd=folder, env=environ("9"), capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"  working hard … [12] s\n", done.stdout)


def test_a_terminals_line_counts_the_seconds(folder: Path) -> None:
    ours, theirs = pty.openpty()
    child = subprocess.Popen(["make", "slow"], cwd=folder, env=environ("0.2"), stdout=theirs)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 1000):
            shown += part
    except OSError:  # the terminal's other side is closed
        pass
    os.close(ours)
    assert child.wait() == 0
    text = shown.decode().replace("\r\n", "\n")
    assert text.count("\n") == 1
    assert text.count("\r  working hard … ") >= 3
    assert re.search(r"\r  working hard … \d s\n$", text)


def test_a_step_that_fails_ends_with_its_output_and_advice(folder: Path) -> None:
    done = subprocess.run(
        ["make", "broken"], cwd=folder, env=environ("9"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == (
        "  working hard … failed\n\nthe reason\n\nerror: this step failed: working hard\n  → Mend it.\n"
    )
