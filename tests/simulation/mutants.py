"""`python -m tests.simulation.mutants`: breaks the shop on a copy, once each, and looks whether the simulation sees it.

Mutants are all that these rules make of the orders' Python and SQL: a condition negated, a call left out, a key made
anew or a conflict's clause left out. `--seed` draws 25 of them (`--count`). Those of `equivalent.toml`, which cannot be
seen, have their reason there and are replaced. Each is looked at with what `make test` runs of the simulation, then
with `make simulate`. It ends with 1 where one was missed.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.support.stacks import ROOT

# What no order of events reaches: texts have tests of their own.
_OTHERS = {"emails.py", "order_links.py", "total_checks.py", "tracking.py"}
_ELSEWHERE = ("web/", "docs/", "bench/", "tests/localbase/", "tests/shop/", "tests/repository/", "tests/e2e/")
_NEW_KEY = '__import__("uuid").uuid4().hex'
_KEYS = {"key", "external_id"}
_CONDITION = re.compile(r"^[ ]*(?:els)?if (.+?) then", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^[ ]*(perform private\.[^;]*);", re.MULTILINE)
_CONFLICT = re.compile(r"\bon conflict\b[^;]*?do nothing")
_FUNCTION = re.compile(r"create (?:or replace )?function [a-z]+\.([a-z_]+)")
_MOST_SECONDS = 900
_MAKE_TEST = ("pytest", "-qx", "-p", "no:cacheprovider", "tests/simulation")
_FORMS = (_MAKE_TEST, ("tests.simulation",))


@dataclass(frozen=True)
class Mutant:
    """A text that takes another's place. `name` stays the same while its surroundings change."""

    file: str
    start: int
    end: int
    text: str
    name: str

    def apply(self, folder: Path) -> None:
        path = folder / self.file
        whole = path.read_bytes()
        path.write_bytes(whole[: self.start] + self.text.encode() + whole[self.end :])


def mutants() -> list[Mutant]:
    """All of them, in a settled order."""
    python = sorted((ROOT / "functions" / "_shared" / "orders").glob("*.py"))
    sql = sorted((ROOT / "sql" / "migrations").glob("*_order_*.sql"))
    made = [mutant for path in python if path.name not in _OTHERS for mutant in _of_python(path)]
    return made + [mutant for path in sql if "tracking" not in path.name for mutant in _of_sql(path)]


def _of_python(path: Path) -> Iterator[Mutant]:
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def replaced(node: ast.expr | ast.stmt, text: str, kind: str, where: str) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        old = source[start:end].decode()
        name = f"{path.stem}.{where}: {kind} {' '.join(old.split())}"
        return Mutant(str(path.relative_to(ROOT)), start, end, text.format(old), name)

    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.If | ast.IfExp):
                yield replaced(node.test, "not ({})", "not", function.name)
            elif (
                isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _only_says(node.value)
            ):
                yield replaced(node, "pass", "without", function.name)
            elif isinstance(node, ast.Call):
                for keyword in node.keywords:
                    if keyword.arg in _KEYS:
                        yield replaced(keyword.value, _NEW_KEY, "new key for", function.name)


def _only_says(call: ast.Call) -> bool:
    """Tell whether it writes to the log, or is there for the type checker."""
    return isinstance(call.func, ast.Name) and call.func.id in ("log_trouble", "assert_never")


def _of_sql(path: Path) -> Iterator[Mutant]:
    source = path.read_text()
    functions = [(found.start(), found[1]) for found in _FUNCTION.finditer(source)]

    def replaced(found: re.Match[str], group: int, text: str, kind: str) -> Mutant:
        start, end = (len(source[:place].encode()) for place in found.span(group))
        where = next((name for place, name in reversed(functions) if place < found.start()), path.stem)
        old = " ".join(found[group].split())
        return Mutant(
            str(path.relative_to(ROOT)), start, end, text.format(found[group]), f"{where}: {kind} {old}"
        )

    for found in _CONDITION.finditer(source):
        yield replaced(found, 1, "not ({})", "not")
    for found in _CALL.finditer(source):
        yield replaced(found, 1, "null", "without")
    for found in _CONFLICT.finditer(source):
        yield replaced(found, 0, "", "without")


@dataclass(frozen=True)
class Verdict:
    """`seen` is what showed the mutant; empty where nothing did."""

    mutant: Mutant
    seen: str
    seconds: float


def examine(mutant: Mutant, folder: Path) -> Verdict:
    """`folder` is a copy of the shop, and is whole again afterwards."""
    kept = (folder / mutant.file).read_bytes()
    began = time.monotonic()
    try:
        mutant.apply(folder)
        seen = next((told for form in _FORMS if (told := _simulate(folder, form))), "")
    finally:
        (folder / mutant.file).write_bytes(kept)
    return Verdict(mutant, seen, time.monotonic() - began)


def _simulate(folder: Path, form: tuple[str, ...]) -> str:
    """Return what it found, in a line."""
    name = "make test" if form == _MAKE_TEST else "make simulate"
    command = [sys.executable, "-m", *form]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=_MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"{name}: no end of it"
    if done.returncode == 0:
        return ""
    told = (done.stdout + done.stderr).strip().splitlines()
    found = next(
        (line for line in told if line.startswith(("violation: ", "FAILED "))),
        told[-1] if told else "no word",
    )
    return f"{name}: {found}"


def _copy(folder: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and not name.startswith(_ELSEWHERE):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    if told := _simulate(folder, _FORMS[0]):
        raise SystemExit(f"The shop as it is does not pass: {told}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=27, help="another draw (27)")
    parser.add_argument("--count", type=int, default=25, help="how many (25)")
    parser.add_argument("--jobs", type=int, default=2, help="at once (2)")
    parser.add_argument("--list", action="store_true", help="only list what would be drawn from")
    options = parser.parse_args()
    reasons = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text())
    # in a drawn order, so that one which is replaced moves no other
    made = random.Random(options.seed).sample(every := mutants(), len(every))
    made = [mutant for mutant in made if mutant.name not in reasons]
    if options.list:
        sys.stdout.write("".join(f"{mutant.name}\n" for mutant in made))
        return 0
    drawn = made[: options.count]
    with tempfile.TemporaryDirectory() as scratch:
        folders: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            folders.put(Path(scratch) / str(number))
            _copy(Path(scratch) / str(number))

        def one(mutant: Mutant) -> Verdict:
            folder = folders.get()
            try:
                return examine(mutant, folder)
            finally:
                folders.put(folder)

        missed = 0
        with ThreadPoolExecutor(options.jobs) as pool:
            for verdict in pool.map(one, drawn):
                missed += not verdict.seen
                sys.stdout.write(
                    f"{verdict.mutant.name}\n  {verdict.seen or 'MISSED'} ({verdict.seconds:.0f} s)\n"
                )
                sys.stdout.flush()
    sys.stdout.write(f"{len(drawn) - missed} of {len(drawn)} mutants found, of {len(made)} that there are\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
