"""The coverage report: what counts for which package, and when it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.stacks import ROOT
from tools.coverage_report import (
    PACKAGES,
    Count,
    Package,
    file_lines,
    measured_web,
    package_lines,
    python_count,
)

FILES = {
    "functions/sweep/main.py": Count(9, 10),
    "functions/_shared/shop.py": Count(86, 90),
    "emulators/printify/orders.py": Count(5, 5),
}
FUNCTIONS = Package("functions", ("functions/",), limit=95, goal=95)


def test_package_at_its_limit_passes() -> None:
    assert package_lines(FILES, [FUNCTIONS]) == (
        ["  functions           95.0 %   limit 95 %   95 of 100"],
        True,
    )


def test_package_below_its_limit_fails_beside_one_that_passes() -> None:
    strict = Package("functions", ("functions/",), limit=95.1, goal=97)
    lines, reached = package_lines(FILES, [strict, Package("all", ("emulators/",), limit=100, goal=100)])
    assert not reached
    assert lines == [
        "  functions           95.0 %   limit 95.1 %, goal 97 %   95 of 100  too little",
        "  all                100.0 %   limit 100 %   5 of 5",
    ]


def test_package_without_files_fails() -> None:
    lines, reached = package_lines(FILES, [Package("moved", ("elsewhere/",), limit=50, goal=50)])
    assert (lines, reached) == (
        ["  moved              100.0 %   limit 50 %   0 of 0  no such files"],
        False,
    )


def test_files_are_listed_with_the_least_covered_first() -> None:
    assert file_lines(FILES, FUNCTIONS) == [
        "    90.0 %      1 missing  functions/sweep/main.py",
        "    95.6 %      4 missing  functions/_shared/shop.py",
    ]


def test_branches_count_as_lines_do() -> None:
    summary = {"covered_lines": 8, "num_statements": 10, "covered_branches": 1, "num_branches": 4}
    assert python_count(summary) == Count(9, 14)
    web = {"lines": {"covered": 3, "total": 4}, "branches": {"covered": 0, "total": 2}}
    assert measured_web({"total": web, str(ROOT / "web/src/a.ts"): web}) == {"web/src/a.ts": Count(3, 6)}


def test_every_package_has_files() -> None:
    names = [
        path.relative_to(ROOT).as_posix()
        for folder in ("supabase/localbase", "functions", "deploy", "emulators", "web/src")
        for path in (ROOT / folder).rglob("*.[pt][ys]")
    ]
    for package in PACKAGES:
        assert any(package.holds(name) for name in names), package.name
        # If the folder of an exception moved, its files would count again.
        assert [part for part in package.without if not (ROOT / part).exists()] == []


def test_processes_that_a_test_starts_are_measured(tmp_path: Path) -> None:
    # Started as a child, replaced by exec, ended by SIGTERM: as the stack's processes are.
    package = tmp_path / "measured"
    package.mkdir()
    # One statement after the import: SIGTERM arrives at any moment after the line was written.
    (package / "ended.py").write_text("import signal\nprint('waiting', flush=True), signal.pause()\n")
    (package / "replaced.py").write_text(
        "import os, sys\nos.execve(sys.executable, [sys.executable, 'measured/ended.py'], dict(os.environ))\n"
    )
    (package / "first.py").write_text(
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, 'measured/replaced.py'], stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "child.terminate()\n"
        "child.wait()\n"
    )
    settings = (
        (ROOT / "pyproject.toml")
        .read_text()
        .replace('source = ["supabase/localbase"', 'source = ["measured"')
    )
    (tmp_path / "pyproject.toml").write_text(settings)
    for arguments in (["run", "measured/first.py"], ["combine", "-q"], ["report", "--format=total"]):
        done = subprocess.run(
            [sys.executable, "-m", "coverage", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    listed = subprocess.run(
        [sys.executable, "-m", "coverage", "report"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    covered = {line.split()[0]: line.split()[-1] for line in listed.stdout.splitlines() if ".py" in line}
    assert covered == {
        "measured/ended.py": "100%",
        "measured/first.py": "100%",
        "measured/replaced.py": "100%",
    }
