"""A prepared command does as the installed one: arguments, environment, streams, exit codes and signals."""

from __future__ import annotations

import fcntl
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.stacks import SUPABASE, clean_environ, supabase

COMMANDS: dict[str, Callable[[], list[str]]] = {"installed": lambda: [str(SUPABASE)], "prepared": supabase}


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A project on which another command works."""
    (tmp_path / "supabase" / ".localbase").mkdir(parents=True)
    (tmp_path / "supabase" / "config.toml").write_text('project_id = "waited-for"\n')
    with (tmp_path / "supabase" / ".localbase" / "waited-for.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield tmp_path


def begin(command: list[str], *arguments: str, cwd: Path, **environ: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command, *arguments],
        cwd=cwd,
        env=clean_environ(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("--help",),
        ("frobnicate",),
        ("status", "a b", "\u00fc"),
        ("completion", "bash"),
        ("status",),
    ],
    ids=" ".join,
)
def test_prepared_command_says_what_the_installed_one_says(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    said = []
    for command in COMMANDS.values():
        child = begin(command(), *arguments, cwd=tmp_path, SUPABASE_PROJECT_ID="named")
        said.append((*child.communicate(), child.returncode))
    assert said[0] == said[1]
    assert any(said[0][:2])


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", COMMANDS)
def test_signal_reaches_the_command(locked: Path, name: str, word: signal.Signals) -> None:
    child = begin(COMMANDS[name](), "start", cwd=locked)
    assert child.stderr is not None
    assert "waiting" in child.stderr.readline()
    child.send_signal(word)
    child.communicate(timeout=30)
    assert child.returncode == (130 if word == signal.SIGINT else -word)


def test_killed_launcher_ends_its_command(locked: Path) -> None:
    child = begin(supabase(), "start", cwd=locked)
    assert child.stderr is not None
    assert "waiting" in child.stderr.readline()
    child.kill()
    # The streams end with the last process that has them.
    child.communicate(timeout=30)
    assert child.returncode == -signal.SIGKILL
