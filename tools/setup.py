"""`python3 -m tools.setup PART…`: installs and builds what a checkout needs. `make setup` runs it.

A step is done once, until its sources are newer than its stamp. Two runs never install into one folder: the one that
waited looks again, and finds the step done. Nothing but the standard library: it runs before there is an environment.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, TextIO

from tools.interpreter import fastest

if sys.platform != "win32":
    import fcntl

PY = ".venv/bin/python"
_STATE = Path(".localbase")
_ROOT = Path(".venv/root")
_PIP = (PY, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps")
_LOCKED = (*_PIP, "--require-hashes")
_NETWORK = "Check the network connection and try again; the whole output is in {log}."
# Below web/: what a build writes, and what Python writes beside its own files there.
_NO_SOURCES = (".tsbuildinfo", ".py", ".pyc")
_PIPE_SECONDS = 10.0
_SHOWN_LINES = 25

Work = Callable[[IO[bytes]], None]


class SetupError(Exception):
    """A missing thing or failed step, with its remedy."""

    def __init__(self, problem: str, remedy: str, output: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.output = output


@dataclass(frozen=True)
class Step:
    """`stamp` is touched when it is done; `sources` are files and folders. Steps of one `lock` exclude each other."""

    stamp: str
    title: str
    work: Work
    remedy: str
    sources: tuple[str, ...] = ()
    lock: str = "setup"
    require: Callable[[], None] = lambda: None
    is_undone: Callable[[], bool] = lambda: False

    def is_due(self) -> bool:
        """Tell whether it was never done, or is undone, or its sources have changed since."""
        stamp = Path(self.stamp)
        if not stamp.exists() or self.is_undone():
            return True
        done_at = stamp.stat().st_mtime
        return any(
            path.stat().st_mtime > done_at for source in self.sources for path in files_of(Path(source))
        )


def files_of(source: Path) -> Iterator[Path]:
    """The file itself, or what a build reads below the folder."""
    if not source.is_dir():
        yield source
        return
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name not in ("dist", "node_modules")]
        yield from (Path(folder, name) for name in names if not name.endswith(_NO_SOURCES))


def _command(*command: str, **environ: str) -> Work:
    def work(log: IO[bytes]) -> None:
        run(command, log, environ)

    return work


def run(command: Sequence[str], log: IO[bytes], environ: dict[str, str] | None = None) -> None:
    """Runs it to its end, also where this program is interrupted: the lock is held for as long."""
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | (environ or {})
    )
    try:
        code = child.wait()
    except BaseException:
        child.terminate()
        child.wait()
        raise
    if code:
        raise subprocess.CalledProcessError(code, command)


def candidates(environ: Mapping[str, str]) -> list[str]:
    """The Pythons to make the environment with, one after the other: the one that is named, or the fastest."""
    named = environ.get("PYTHON")
    return [named] if named else [fastest(("python3", "/usr/bin/python3")), "python3"]


def make_environment(programs: Sequence[str], log: IO[bytes]) -> None:
    """Makes it with the first that can; where none can, with the last once it has the module venv."""
    if not any(_makes_environment(program, log) for program in programs):
        _install_venv(log)
        if not _makes_environment(programs[-1], log):
            raise OSError(f"{programs[-1]} makes no environment")
    _ROOT.write_text(f"{Path.cwd()}\n")


def _makes_environment(program: str, log: IO[bytes]) -> bool:
    shutil.rmtree(".venv", ignore_errors=True)
    try:
        run((program, "-m", "venv", ".venv"), log)
    except (OSError, subprocess.CalledProcessError) as error:
        log.write(f"{error}\n".encode())
        return False
    return True


def _install_venv(log: IO[bytes]) -> None:
    """Debian has the module venv in a package of its own."""
    if os.geteuid() == 0:
        run(("apt-get", "update"), log)
        run(("apt-get", "install", "-y", "python3-venv"), log)
    else:
        run(("sudo", "-n", "apt-get", "install", "-y", "python3-venv"), log)


def _was_moved() -> bool:
    """A virtual environment holds absolute paths: one that was moved with its folder is made anew."""
    return not _ROOT.exists() or _ROOT.read_text().strip() != str(Path.cwd())


def _has_changed() -> bool:
    """Tell whether a module of localbase is newer than the last compilation."""
    done_at = Path(".venv/compiled.stamp").stat().st_mtime
    return any(path.stat().st_mtime > done_at for path in Path("supabase/localbase").rglob("*.py"))


def _make_audit(log: IO[bytes]) -> None:
    run((PY, "-m", "venv", "--clear", ".localbase/audit"), log)
    run((".localbase/audit/bin/python", *_LOCKED[1:], "-r", "tools/audit/requirements.txt"), log)


def _require_node() -> None:
    try:
        version = subprocess.run(
            ("node", "--version"), capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        version = "none"
    number = version.removeprefix("v").partition(".")[0]
    if not number.isdecimal() or int(number) < 20:
        raise SetupError(
            f"Node 20 or later is needed; found {version}.",
            "Install it from your package manager or nodejs.org and try again.",
        )


_MADE = Step(
    ".venv/made.stamp", "making the virtual environment",
    lambda log: make_environment(candidates(os.environ), log),
    "Install the venv module of your Python (Debian: sudo apt-get install python3-venv) and try again.",
    is_undone=_was_moved,
)  # fmt: skip
_RUNTIME = Step(
    ".venv/runtime.stamp", "installing the Python packages", _command(*_LOCKED, "-r", "requirements.txt"), _NETWORK,
    (_MADE.stamp, "requirements.txt"),
)  # fmt: skip
# Our own two distributions, from this folder: their commands, and their packages where they lie.
_PROJECT = Step(
    ".venv/project.stamp", "installing localbase and the shop",
    _command(*_PIP, "--no-build-isolation", "--editable", "./supabase", "--editable", "."),
    "The whole output is in {log}.", (_RUNTIME.stamp, "pyproject.toml", "supabase/pyproject.toml"),
)  # fmt: skip
# Also where Python is to write no bytecode (PYTHONDONTWRITEBYTECODE): each start would compile all that it imports.
_COMPILED = Step(
    ".venv/compiled.stamp", "compiling localbase", _command(PY, "-m", "compileall", "-q", "supabase/localbase"),
    "The whole output is in {log}.", (_PROJECT.stamp,), is_undone=_has_changed,
)  # fmt: skip
# Python compiles of these what is imported, when it is: a small part.
_DEV = Step(
    ".venv/dev.stamp", "installing the Python packages for tests",
    _command(*_LOCKED, "--no-compile", "-r", "requirements-dev.txt"), _NETWORK,
    (_RUNTIME.stamp, "requirements-dev.txt"),
)  # fmt: skip
_AUDIT = Step(
    ".localbase/audit/made.stamp", "installing the tools of the audit", _make_audit, _NETWORK,
    ("tools/audit/requirements.txt",),
)  # fmt: skip
# The web's packages need nothing of Python's: both may be installed at once.
_PACKAGES = Step(
    "node_modules/installed.stamp", "installing the web packages", _command("npm", "ci", "--no-audit", "--no-fund"),
    _NETWORK, ("package-lock.json",), "setup-web", _require_node,
)  # fmt: skip
_CLIENT = Step(
    "web/dist/built.stamp", "building the web client", _command("npm", "run", "build", NO_COLOR="1"),
    "The compiler names the file and the line above.",
    (_PACKAGES.stamp, "shop.toml", "web", "supabase/studio"), "setup-web",
)  # fmt: skip

_WITH_PROJECT = (_MADE, _RUNTIME, _PROJECT, _COMPILED)
_WITH_CLIENT = (_PACKAGES, _CLIENT)
_ALL = (*_WITH_PROJECT, _DEV, *_WITH_CLIENT)
PARTS = {
    "project": _WITH_PROJECT,
    "python": (*_WITH_PROJECT, _DEV),
    "web": (_PACKAGES,),
    "client": _WITH_CLIENT,
    "shop": (*_WITH_PROJECT, *_WITH_CLIENT),
    "dev": _ALL,
    "tests": _ALL,
    "audit": (*_ALL, _AUDIT),
}
# What tests need of the system: each installs what is not there.
_PROGRAMS = ("browser", "official_cli", "deno", "functions.wheels", "debian_programs")


def install(steps: Sequence[Step], out: TextIO) -> None:
    """Does the steps that are due, in this order."""
    for lock, group in groupby(steps, key=lambda step: step.lock):
        members = tuple(group)
        if not any(step.is_due() for step in members):
            continue
        with locked(_STATE / f"{lock}.lock", out):
            for step in members:
                # Another run may have done it while this one waited.
                if step.is_due():
                    _do(step, out)


def _do(step: Step, out: TextIO) -> None:
    step.require()
    path = _STATE / f"{step.lock}.log"
    with path.open("wb") as log, clock(step.title, out):
        try:
            step.work(log)
        except (OSError, subprocess.CalledProcessError) as error:
            output = "\n".join(path.read_text(errors="replace").splitlines()[-_SHOWN_LINES:]) or str(error)
            raise SetupError(
                f"this step failed: {step.title}", step.remedy.format(log=path), output
            ) from error
    Path(step.stamp).touch()


@contextmanager
def locked(path: Path, out: TextIO) -> Iterator[None]:
    """Holds the kernel's lock on a file, which ends with the process. Without one where there are none (Windows)."""
    if sys.platform == "win32":
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(out, "  another make is installing, waiting …\n")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def clock(title: str, out: TextIO, every: float = 0) -> Iterator[None]:
    """One line with the step's time. While it runs, a terminal's line counts the seconds; elsewhere more lines come."""
    rewrites = out.isatty()
    every = every or (1.0 if rewrites else _PIPE_SECONDS)
    ended = threading.Event()
    began = time.monotonic()

    def tick() -> None:
        while not ended.wait(every):
            spent = f"{time.monotonic() - began:.0f} s"
            _say(out, f"\r  {title} … {spent}" if rewrites else f"\n    {spent} so far …")

    ticking = threading.Thread(target=tick, daemon=True)
    _say(out, f"  {title} …")
    ticking.start()
    outcome = " failed\n"
    try:
        yield
        outcome = f" {time.monotonic() - began:.0f} s\n"
    finally:
        ended.set()
        ticking.join()
        _say(out, f"\r  {title} …{outcome}" if rewrites else outcome)


def _say(out: TextIO, text: str) -> None:
    out.write(text)
    out.flush()


def main(arguments: Sequence[str]) -> int:
    """Installs the parts that are named; the exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.setup", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parts = parser.parse_args(arguments).parts or ["shop"]
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}")
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    try:
        for part in parts:
            install(PARTS[part], sys.stdout)
        if "tests" in parts:
            for program in _PROGRAMS:
                subprocess.run((PY, "-m", f"tests.support.{program}"), check=True)
    except SetupError as error:
        output = f"\n{error.output}\n\n" if error.output else ""
        sys.stdout.write(f"{output}error: {error.problem}\n  → {error.remedy}\n")
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
