"""Setup's steps show their progress, name what failed, are done once, and end with what interrupts them."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.localbase.integration.small_project import is_alive, until
from tests.support.stacks import ROOT, clean_environ
from tools.setup import SetupError, Step, candidates, clock, files_of, install, make_environment, run


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder that steps work in."""
    (tmp_path / "source").touch()
    with contextlib.chdir(tmp_path):
        yield tmp_path


def step(command: str = "echo hidden", name: str = "done") -> Step:
    return Step(
        f"{name}.stamp", name, lambda log: run(("sh", "-c", command), log), "Mend it; see {log}.", ("source",)
    )


def installed(*steps: Step) -> str:
    out = io.StringIO()
    install(steps, out)
    return out.getvalue()


def test_pipe_gets_lines_during_a_step() -> None:
    out = io.StringIO()
    with clock("working hard", out, 0.2):
        time.sleep(0.7)
    lines = out.getvalue().splitlines()
    assert lines[0] == "  working hard …"
    assert len(lines) >= 3
    assert all(re.fullmatch(r"    \d s so far …( \d s)?", line) for line in lines[1:])
    assert re.search(r"… \d s$", lines[-1])


def test_terminal_line_counts_the_seconds() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal, clock("working hard", terminal, 0.2):
        time.sleep(0.7)
    shown = b""
    try:
        while part := os.read(ours, 1000):
            shown += part
    except OSError:  # the terminal's other side is closed
        pass
    os.close(ours)
    text = shown.decode().replace("\r\n", "\n")
    assert text.count("\n") == 1
    assert text.count("\r  working hard … ") >= 3
    assert re.search(r"\r  working hard … \d s\n$", text)


def test_short_step_is_one_line_and_its_output_is_in_the_log(folder: Path) -> None:
    assert installed(step()) == "  done … 0 s\n"
    assert (folder / ".localbase" / "setup.log").read_text() == "hidden\n"


def test_step_is_done_once_until_its_source_is_newer(folder: Path) -> None:
    assert installed(step()) != ""
    assert installed(step()) == ""
    os.utime(folder / "source", (time.time() + 5, time.time() + 5))
    assert installed(step()) != ""


def test_failed_step_is_named_with_its_output_and_advice_and_is_done_again(folder: Path) -> None:
    broken = step("echo the reason; exit 3", "working hard")
    for _ in range(2):
        with pytest.raises(SetupError) as caught:
            installed(broken)
        assert caught.value.problem == "this step failed: working hard"
        assert caught.value.remedy == "Mend it; see .localbase/setup.log."
        assert caught.value.output == "the reason"


def test_missing_program_is_a_failed_step(folder: Path) -> None:
    missing = replace(step(), work=lambda log: run(("no-such-program",), log))
    with pytest.raises(SetupError) as caught:
        installed(missing)
    assert "no-such-program" in caught.value.output


def python_without_pip(folder: Path) -> str:
    """A Python that makes an environment in a tenth of the time, in the folder."""
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@" --without-pip\n')
    program.chmod(0o755)
    return str(program)


def begin(folder: Path, program: str, python: str = sys.executable) -> subprocess.Popen[str]:
    """A process that has tools.setup's names, in the folder."""
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys\nfrom pathlib import Path\nfrom tools.setup import *\n{program}"],
        cwd=folder,
        env=clean_environ({"PYTHONPATH": str(ROOT), "PYTHON": python}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_concurrent_runs_install_once_and_a_moved_environment_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "a checkout"
    folder.mkdir()
    (folder / "requirements.txt").touch()
    environment = 'install(PARTS["project"][:2], sys.stdout)'
    begun = [begin(folder, environment) for _ in range(3)]
    shown = "".join(process.communicate(timeout=120)[0] for process in begun)
    assert [process.returncode for process in begun] == [0, 0, 0], shown
    assert shown.count("making the virtual environment …") == 1
    assert shown.count("installing the Python packages …") == 1
    assert shown.count("  another make is installing, waiting …\n") == 2
    assert begin(folder, environment).communicate()[0] == ""
    moved = folder.rename(tmp_path / "elsewhere")
    made = begin(moved, 'install(PARTS["project"][:1], sys.stdout)', python_without_pip(tmp_path))
    assert "making the virtual environment …" in made.communicate()[0]
    assert (moved / ".venv" / "root").read_text() == f"{moved}\n"


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_setup_ends_its_step_and_is_resumed(folder: Path, word: signal.Signals) -> None:
    slow = """
PARTS["slow"] = (
    Step("one.stamp", "one", lambda log: run(("touch", "one"), log), ""),
    Step("two.stamp", "two", lambda log: run(("sh", "-c", "echo $$ > pid; exec sleep 60"), log), ""),
)
sys.exit(main(["slow"]))
"""
    process = begin(folder, slow)
    assert until(lambda: (folder / "pid").read_text().endswith("\n") if (folder / "pid").exists() else False)
    process.send_signal(word)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 128 + word
    assert out.endswith("  two … failed\n")
    assert not is_alive(int((folder / "pid").read_text()))
    assert [name for name in ("one.stamp", "two.stamp") if (folder / name).exists()] == ["one.stamp"]
    os.utime(folder / "source", (0, 0))
    assert installed(step(name="one"), step(name="two")) == "  two … 0 s\n"


def test_waiting_run_continues_when_the_holder_is_killed(tmp_path: Path) -> None:
    holding = "with locked(Path('state/setup.lock'), sys.stdout):\n  print('begun', flush=True)\n  input()"
    first = begin(tmp_path, holding)
    assert first.stdout is not None
    assert first.stdout.readline() == "begun\n"
    second = begin(tmp_path, holding)
    assert second.stdout is not None
    assert second.stdout.readline() == "  another make is installing, waiting …\n"
    first.kill()
    assert second.stdout.readline() == "begun\n"
    second.communicate("\n", timeout=10)
    first.communicate()
    assert second.returncode == 0


def test_environment_is_made_with_the_named_python_or_a_fast_one(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert candidates({"PYTHON": "python3.11"}) == ["python3.11"]
    assert candidates({})[-1] == "python3"
    outside = tmp_path_factory.mktemp("outside")
    with (outside / "setup.log").open("wb") as log:
        make_environment(("/bin/false", python_without_pip(outside)), log)
    assert (folder / ".venv" / "bin" / "python").exists()


@pytest.mark.parametrize(
    ("target", "arguments"), [("setup", []), ("setup-dev", ["dev"]), ("stop", ["project"])]
)
def test_make_names_the_part(tmp_path: Path, target: str, arguments: list[str]) -> None:
    checkout = tmp_path / "a checkout"
    (checkout / "tools").mkdir(parents=True)
    (checkout / "tools" / "__init__.py").touch()
    (checkout / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    (checkout / "tools" / "setup.py").write_text(
        "import sys\nprint(sys.argv[1:])\nsys.exit(sys.argv[1:] == ['project'])"
    )
    done = subprocess.run(
        ["make", "--silent", target, f"PYTHON={sys.executable}"],
        cwd=checkout, env=clean_environ({}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == f"{arguments}\n", done.stderr


def test_missing_python_is_named(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_bytes((ROOT / "Makefile").read_bytes())
    done = subprocess.run(
        ["make", "setup", "PYTHON=python-that-is-not-there"],
        cwd=tmp_path, env=clean_environ({}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert 'error: Python 3.11 or later is needed; "python-that-is-not-there" is' in done.stdout


def test_web_client_is_not_built_anew_for_pythons_files(tmp_path: Path) -> None:
    """A build empties web/dist, which a running shop serves; Python writes its own files when it imports."""
    for name in ("src/main.tsx", "serve.py", "__pycache__/serve.cpython-311.pyc", "dist/app.html"):
        path = tmp_path / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert list(files_of(tmp_path / "web")) == [tmp_path / "web" / "src" / "main.tsx"]
