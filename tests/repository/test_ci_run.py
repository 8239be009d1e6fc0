"""`.ci/run` says what it does, and begins nothing that it was not asked for."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.stacks import ROOT


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(ROOT / ".ci" / "run"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_says_what_runs(word: str) -> None:
    done = started(word)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: .ci/run\n\nRuns what must hold before a change lands")


@pytest.mark.parametrize("arguments", [["--fast"], ["--help", "now"], ["tests"]])
def test_unknown_arguments_are_refused(arguments: list[str]) -> None:
    done = started(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f'error: .ci/run takes no arguments, not "{" ".join(arguments)}".\n')
    assert "Usage: .ci/run" in done.stderr
