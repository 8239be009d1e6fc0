"""`python -m tools.coverage_report`: what the tests have run, a line a package, each against its limit.

Reads what `coverage run` (every process of the tests) and Vitest have measured, both below .localbase/coverage. Ends
with 1 when a package is below its limit. Figures are lines and branches together, as `coverage report` counts them;
`--files PACKAGE` lists a package's files, the least covered first.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coverage import Coverage
from coverage.exceptions import NoDataError

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / ".localbase" / "coverage" / "web" / "coverage-summary.json"


@dataclass(frozen=True, slots=True)
class Package:
    """Files below `folders`, without those that a part in `without` names; `limit` and `goal` are per cent."""

    name: str
    folders: tuple[str, ...]
    limit: float
    goal: float
    without: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Tell whether the file belongs to it. `path` is relative to the project's root."""
        return path.startswith(self.folders) and not any(part in path for part in self.without)


# The emulators' pictures are proved by what they show (tests/shop/unit/emulators), not by the lines that drew them.
PICTURES = (
    "emulators/artist/",
    "emulators/mockups/",
    "emulators/replicate/seed/",
    "emulators/gallery.py",
    "emulators/render_pool.py",
)
PACKAGES = (
    Package("localbase", ("supabase/localbase/",), limit=92, goal=92),
    Package("functions", ("functions/",), limit=92, goal=92),
    Package("deploy", ("deploy/",), limit=90, goal=90, without=("deploy/container/",)),
    Package("vendor protocols", ("emulators/",), limit=85, goal=85, without=PICTURES),
    Package("web logic", ("web/src/",), limit=80, goal=80),
)


@dataclass(frozen=True, slots=True)
class Count:
    """Lines and branches of a file or of a package: all of them, and those that a test has run."""

    covered: int = 0
    all: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.covered + other.covered, self.all + other.all)

    @property
    def percent(self) -> float:
        """100 for nothing at all, as every tool has it."""
        return 100 * self.covered / self.all if self.all else 100.0


def measured_python() -> dict[str, Count]:
    """Every Python file's count, of all processes together. Raises `SystemExit` when nothing was measured."""
    coverage = Coverage(config_file=str(ROOT / "pyproject.toml"))
    try:
        coverage.combine(strict=False, keep=True)
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            coverage.json_report(outfile=str(report))
            files = json.loads(report.read_text())["files"]
    except NoDataError:
        raise SystemExit("error: nothing has been measured.\n  → Run `make coverage`.") from None
    return {name: python_count(file["summary"]) for name, file in files.items()}


def python_count(summary: Mapping[str, Any]) -> Count:
    """Of a file's summary in coverage's JSON report."""
    return Count(
        summary["covered_lines"] + summary["covered_branches"],
        summary["num_statements"] + summary["num_branches"],
    )


def measured_web(summaries: Mapping[str, Any]) -> dict[str, Count]:
    """Every TypeScript file's count, of the summary that Vitest has written (absolute paths, and a total)."""
    return {
        str(Path(name).relative_to(ROOT)): Count(
            summary["lines"]["covered"] + summary["branches"]["covered"],
            summary["lines"]["total"] + summary["branches"]["total"],
        )
        for name, summary in summaries.items()
        if name != "total"
    }


def package_lines(files: Mapping[str, Count], packages: Iterable[Package]) -> tuple[list[str], bool]:
    """The report's lines, and whether every package reaches its limit."""
    lines, reached = [], True
    for package in packages:
        count = sum((count for name, count in files.items() if package.holds(name)), Count())
        # A package without files was moved: its figure would be 100 %.
        enough = count.all > 0 and count.percent >= package.limit
        reached = reached and enough
        goal = f", goal {package.goal:g} %" if package.goal > package.limit else ""
        verdict = "" if enough else "  too little" if count.all else "  no such files"
        lines.append(
            f"  {package.name:<18}{count.percent:6.1f} %   limit {package.limit:g} %{goal}"
            f"   {count.covered} of {count.all}{verdict}"
        )
    return lines, reached


def file_lines(files: Mapping[str, Count], package: Package) -> list[str]:
    """A package's files that are not wholly covered, the least covered first."""
    own = {name: count for name, count in files.items() if package.holds(name) and count.covered < count.all}
    return [
        f"  {count.percent:6.1f} %  {count.all - count.covered:5} missing  {name}"
        for name, count in sorted(own.items(), key=lambda item: item[1].percent)
    ]


def main(arguments: list[str]) -> int:
    """Prints the figures; 1 when a limit is not reached."""
    parser = argparse.ArgumentParser(prog="python -m tools.coverage_report", description=__doc__)
    parser.add_argument("--files", choices=[package.name for package in PACKAGES], help="list its files")
    options = parser.parse_args(arguments)
    files = measured_python()
    if WEB.exists():
        files |= measured_web(json.loads(WEB.read_text()))
    if options.files:
        (package,) = (package for package in PACKAGES if package.name == options.files)
        print("\n".join(file_lines(files, package)))
        return 0
    lines, reached = package_lines(files, PACKAGES)
    print("Covered by the tests, lines and branches:", *lines, sep="\n")
    if not reached:
        print("error: a package is below its limit.\n  → python -m tools.coverage_report --files PACKAGE")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
