"""`python -m tests.many`: the shop on many machines, each of which fails; writes a table of what people waited for.

Needs root (network namespaces), Debian's Postgres 15, nginx and PgBouncer. It runs in a network of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.marked_page import with_part
from tests.many import report
from tests.many.course import SMALLEST, Course, Size
from tests.many.faults import DISKS, Fault, faults_of
from tests.many.many import Many, remove
from tests.many.network import processor_seconds
from tests.many.services import MissingProgram
from tests.support.stacks import ROOT

_PAGE = ROOT / "docs" / "scale.md"
_INSIDE = "MANY_INSIDE"
_APART = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
# What this machine lacks is no failure: automake's code for a test that was left out.
LEFT_OUT = 77
_SHORT_FAULTS = [Fault("primary", "killed")]


def missing() -> str:
    """Return what this machine lacks, or nothing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "network namespaces need root"
    if not Path("/usr/lib/postgresql/15/bin/postgres").is_file():
        return "Debian's Postgres 15 is not installed: apt-get install postgresql-15"
    if subprocess.run([*_APART, "true"], capture_output=True, check=False).returncode:
        return "this machine allows no network namespaces"
    return ""


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.many", description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=3, help="every part fails in each, another way each time"
    )
    parser.add_argument("--short", action="store_true", help="ten orders, and the primary is killed")
    parser.add_argument("--only", help="the faults whose names begin so")
    parser.add_argument("--output", type=Path, help="where the table is written, besides standard output")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/scale.md")
    parser.add_argument("--keep", action="store_true", help="leave the folder with all logs")
    for name, kind in (("sessions", int), ("artists", int), ("checkouts", int)):
        parser.add_argument(f"--{name}", type=kind, help=f"another number of {name}")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    if lacking := missing():
        sys.stderr.write(f"error: {lacking}\n")
        return LEFT_OUT
    if _INSIDE not in os.environ:
        # All that it starts ends with it, however it ends.
        command = [*_APART, sys.executable, "-m", "tests.many", *arguments]
        os.execvpe(command[0], command, {**os.environ, _INSIDE: "1"})  # noqa: S606
    folder = Path(tempfile.mkdtemp(prefix="many-"))
    try:
        return _run(options, folder)
    except MissingProgram as error:
        sys.stderr.write(f"error: {error}\n")
        return LEFT_OUT
    finally:
        if options.keep:
            sys.stderr.write(f"{folder}\n")
        else:
            remove(folder)


def _run(options: argparse.Namespace, folder: Path) -> int:
    size = SMALLEST if options.short else Size()
    changed = {name: getattr(options, name) for name in ("sessions", "artists", "checkouts")}
    size = Size(**{**vars_of(size), **{name: value for name, value in changed.items() if value}})
    many = Many(folder, smallest=options.short)
    began = time.monotonic()
    written: list[str] = []
    failed = False
    try:
        many.start({} if options.short else DISKS)
        course = Course(many, size)
        say(f"started in {time.monotonic() - began:.0f} s\n", written)
        for number in range(1 if options.short else options.rounds):
            faults = _SHORT_FAULTS if options.short else faults_of(number)
            chosen = [fault for fault in faults if not options.only or str(fault).startswith(options.only)]
            result = course.round(number, chosen)
            say(f"\nRound {number + 1}\n\n{report.table(result)}\n{report.summary(result)}", written)
            failed |= bool(result.proof.violations or result.notes)
        course.close()
        say(f"\n{processor_seconds():.0f} s of processor time\n", written)
    finally:
        many.close()
        if options.output:
            options.output.write_text("".join(written))
    if options.write and not failed:
        text = _PAGE.read_text(encoding="utf-8")
        _PAGE.write_text(with_part(text, "many", "".join(written[1:]).splitlines()), encoding="utf-8")
    return int(failed)


def vars_of(size: Size) -> dict[str, float]:
    return {name: getattr(size, name) for name in Size.__dataclass_fields__}


def say(text: str, written: list[str]) -> None:
    written.append(text)
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
