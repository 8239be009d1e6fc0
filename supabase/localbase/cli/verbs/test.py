"""`test …`: tests of the database."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from localbase.cli.call import Call
from localbase.cli.database.db_url import Target, add_target_arguments, local_target, remote_target
from localbase.cli.tap import Outcome, read_tap
from localbase.cli.terminal import say, styled
from localbase.core.errors import UserError
from localbase.postgres.binaries import find_binaries
from localbase.postgres.cluster import cluster_of

# `test db`: the tests in `supabase/tests`, each file by a psql of its own, summed up as pg_prove does.


_ENDINGS = (".sql", ".pg")


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result of a file's tests. `status` is psql's exit code."""

    name: str
    outcome: Outcome
    status: int
    errors: str

    @property
    def passed(self) -> bool:
        """Tell whether all of it is well."""
        return not self.status and not self.outcome.failed and not self.outcome.fault

    @property
    def data(self) -> dict[str, Any]:
        """For programs."""
        tests = [
            {
                "number": test.number,
                "name": test.name,
                "passed": test.passed,
                "todo": test.todo,
                "skipped": test.skipped,
            }
            for test in self.outcome.tests
        ]
        fault = self.outcome.fault or (self.errors.strip() if self.status else "")
        return {"file": self.name, "passed": self.passed, "fault": fault, "tests": tests}


def db_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the files of tests, and the database."""
    parser.add_argument("path", nargs="*", type=Path, help="files or folders (supabase/tests)")
    add_target_arguments(parser)


def run_db(call: Call) -> int:
    """Runs them one after the other; 1 where a test fails."""
    root = call.project.supabase / "tests"
    files = _files(call.options.path or [root])
    target = remote_target(call.options.db_url) if call.options.db_url else local_target(call.project)
    _bring_pgtap(target)
    if target.is_local:
        # Tests are the project's: they run as its own role, which is no superuser.
        own = {k: str(v) for k, v in conninfo_to_dict(cluster_of(call.project).near_url("postgres")).items()}
        target = Target(target.name, own, is_local=True)
    psql = find_binaries(call.environ).path("psql")
    began = time.monotonic()
    results = []
    width = max(len(_shown(path)) for path in files)
    for path in files:
        result = _run_file(psql, target, path)
        results.append(result)
        if call.output.is_text:
            _print_result(result, width)
    if call.output.is_text:
        _print_summary(results, time.monotonic() - began)
    else:
        call.output.show([result.data for result in results], "")
    return 0 if all(result.passed for result in results) else 1


def _files(paths: list[Path]) -> list[Path]:
    files = []
    for path in paths:
        if not path.exists():
            raise UserError(f"There are no tests at {path}.", "`localbase test new NAME` makes one.")
        below = [each for each in path.rglob("*") if each.suffix in _ENDINGS] if path.is_dir() else [path]
        files += sorted(below)
    if not files:
        raise UserError(
            "There are no tests: no file ends with .sql or .pg.", "`localbase test new NAME` makes one."
        )
    return files


def _bring_pgtap(target: Target) -> None:
    """Tests may use pgTAP without making it, as with the official CLI. A file that needs none runs without it."""
    with target.connect() as connection:
        query = "select installed_version is null from pg_available_extensions where name = 'pgtap'"
        row = connection.execute(query).fetchone()
        if row is None:
            say("This database has no pgtap: tests that call its functions fail.")
        elif row[0]:
            try:
                connection.execute("create extension pgtap with schema extensions")
            except psycopg.Error as error:
                say(f"pgtap could not be made: {str(error).strip()}")


def _run_file(psql: str, target: Target, path: Path) -> FileResult:
    options = ["--no-psqlrc", "--no-align", "--quiet", "--tuples-only", "--set=ON_ERROR_STOP=1", "--file"]
    try:
        done = subprocess.run(
            [psql, *options, str(path.resolve())],
            env={**os.environ, **target.environ()},
            cwd=path.resolve().parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise UserError(f"There is no {psql}.", "Install psql beside Postgres, or unset PG_BIN.") from error
    return FileResult(_shown(path), read_tap(done.stdout), done.returncode, done.stderr)


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _print_result(result: FileResult, width: int) -> None:
    dots = "." * (width - len(result.name) + 2)
    if result.passed:
        reason = f"skipped: {result.outcome.skip_reason}" if result.outcome.skip_reason else "ok"
        print(f"{result.name} {dots} {styled(reason, 'green', sys.stdout)}", flush=True)
        return
    print(f"{result.name} {dots} ")
    for line in [*result.outcome.remarks, *result.errors.strip().splitlines()]:
        print(line)
    if result.status:
        print(f"Dubious, test returned {result.status}")
    failed, planned = result.outcome.failed, result.outcome.planned or len(result.outcome.tests)
    print(
        styled(
            f"Failed {len(failed)}/{planned} subtests" if failed else "All subtests passed", "red", sys.stdout
        )
    )


def _print_summary(results: list[FileResult], seconds: float) -> None:
    bad = [result for result in results if not result.passed]
    if bad:
        print("\nTest Summary Report\n-------------------")
        for result in bad:
            failed = result.outcome.failed
            print(
                f"{result.name} (Wstat: {result.status} Tests: {len(result.outcome.tests)} Failed: {len(failed)})"
            )
            if failed:
                print(f"  Failed test{'s' if len(failed) > 1 else ''}:  {', '.join(map(str, failed))}")
            if result.status:
                print(f"  Non-zero exit status: {result.status}")
            if result.outcome.fault:
                print(f"  Parse errors: {result.outcome.fault}")
    else:
        print("All tests successful.")
    tests = sum(len(result.outcome.tests) for result in results)
    print(f"Files={len(results)}, Tests={tests}, {seconds:.0f} wallclock secs")
    print(f"Result: {'FAIL' if bad else 'PASS'}")


# `test new`: a test of the database to begin with.


_TEMPLATE = """begin;
select plan(1);

select ok(true, 'the first test');

select * from finish();
rollback;
"""


def new_arguments(parser: argparse.ArgumentParser) -> None:
    """Its name."""
    parser.add_argument("name", help="the file's name, without its ending")
    parser.add_argument("--template", "-t", choices=("pgtap",), default="pgtap", help="pgtap (pgtap)")


def run_new(call: Call) -> int:
    """Makes `supabase/tests/<name>_test.sql`."""
    name = call.options.name
    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name):
        raise UserError(f"{name!r} is no name of a file.", "Letters, digits, - and _ make one.")
    path = call.project.supabase / "tests" / f"{name}_test.sql"
    if path.exists():
        raise UserError(f"{path} exists already.", "Choose another name.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_TEMPLATE, encoding="utf-8")
    say(f"Made {path}.")
    call.output.show({"file": str(path)}, "")
    return 0
