"""Make's steps show their progress, name what failed, and leave nothing running."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.stacks import ROOT, clean_environ

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


def test_pipe_gets_lines_during_a_step(folder: Path) -> None:
    done = subprocess.run(
        ["make", "slow"], cwd=folder, env=environ("0.2"), capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "  working hard …"
    assert len(lines) >= 3
    assert all(re.fullmatch(r"    \d s so far …( \d s)?", line) for line in lines[1:])
    assert re.search(r"… \d s$", lines[-1])
    assert (folder / ".localbase" / "setup.log").read_text() == "hidden\n"


def test_short_step_is_one_line(folder: Path) -> None:
    done = subprocess.run(
        ["make", "slow"], cwd=folder, env=environ("9"), capture_output=True, text=True, check=True
    )
    assert re.fullmatch(r"  working hard … [12] s\n", done.stdout)


def test_terminal_line_counts_the_seconds(folder: Path) -> None:
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


def test_failed_step_ends_with_its_output_and_advice(folder: Path) -> None:
    done = subprocess.run(
        ["make", "broken"], cwd=folder, env=environ("9"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == (
        "  working hard … failed\n\nthe reason\n\nerror: this step failed: working hard\n  → Mend it.\n"
    )


def test_concurrent_makes_install_once(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "hold_lock.py").write_bytes((ROOT / "tools" / "hold_lock.py").read_bytes())
    (tmp_path / "requirements.txt").touch()
    (tmp_path / "supabase").mkdir()
    begun = [
        subprocess.Popen(
            ["make", ".venv/runtime.stamp", f"PYTHON={sys.executable}"],
            cwd=tmp_path, env=environ("60"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    outputs = [process.communicate(timeout=120) for process in begun]
    assert [process.returncode for process in begun] == [0, 0, 0], outputs
    shown = "".join(out for out, _ in outputs)
    assert shown.count("making the virtual environment …") == 1
    assert shown.count("installing the Python packages …") == 1
    assert shown.count("  another make is installing, waiting …\n") >= 2
    assert [error for _, error in outputs] == ["", "", ""]
    again = subprocess.run(
        ["make", ".venv/runtime.stamp"],
        cwd=tmp_path,
        env=environ("60"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "waiting" not in again.stdout


def test_waiting_make_continues_when_the_holder_is_killed(tmp_path: Path) -> None:
    script = str(ROOT / "tools" / "hold_lock.py")
    lock = str(tmp_path / "state" / "setup.lock")
    first = subprocess.Popen(
        [sys.executable, script, lock, "sh", "-c", "echo begun; exec sleep 3 > /dev/null"],
        stdout=subprocess.PIPE,
    )
    assert first.stdout is not None
    assert first.stdout.readline() == b"begun\n"
    second = subprocess.Popen([sys.executable, script, lock, "echo", "done"], stdout=subprocess.PIPE)
    assert second.stdout is not None
    assert second.stdout.readline().decode() == "  another make is installing, waiting …\n"
    first.kill()
    assert second.stdout.read() == b"done\n"
    assert second.wait(10) == 0
    first.wait(10)


@pytest.mark.parametrize(
    ("program", "arguments", "expected"),
    [
        ("print('/the/fastest')", [], "/the/fastest"),
        ("print('/the/fastest')", ["PYTHON=python3.11"], "python3.11"),
        ("raise SystemExit(1)", [], "python3"),
    ],
)
def test_environment_is_made_with_the_fastest_python_unless_one_is_named(
    tmp_path: Path, program: str, arguments: list[str], expected: str
) -> None:
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "interpreter.py").write_text(program)
    done = subprocess.run(
        ["make", "--dry-run", "SETUP_LOCKED=1", ".venv/made.stamp", *arguments],
        cwd=tmp_path, env=environ("60"), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"python='{expected}'" in done.stdout


def test_environment_is_made_with_python3_where_the_fastest_cannot(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    for name, text in (
        ("tools/interpreter.py", "print('/bin/false')"),
        ("bin/python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n'),
    ):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(text)
        path.chmod(0o755)
    variables = environ("60")
    variables["PATH"] = f"{tmp_path / 'bin'}:{variables['PATH']}"
    make = ["make", "SETUP_LOCKED=1", ".venv/made.stamp"]
    done = subprocess.run(make, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / ".venv" / "bin" / "python").exists()


def test_missing_python_is_named(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    (tmp_path / "requirements.txt").touch()
    done = subprocess.run(
        ["make", ".venv/runtime.stamp", "PYTHON=python-that-is-not-there"],
        cwd=tmp_path, env=environ("60"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert 'error: Python 3.11 or later is needed; "python-that-is-not-there" is' in done.stdout


def test_web_client_is_not_built_anew_for_pythons_files(folder: Path) -> None:
    """A build empties web/dist, which a running shop serves; Python writes its own files when it imports."""
    for name in ("src/main.tsx", "serve.py", "__pycache__/serve.cpython-311.pyc", "dist/app.html"):
        path = folder / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    shown = ["make", "--silent", "--eval=sources: ; @echo $(WEB_SOURCES)", "sources"]
    done = subprocess.run(shown, cwd=folder, env=environ("1"), capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["web/src/main.tsx"]
