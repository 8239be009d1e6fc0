"""Google's Lighthouse on the built shop, on a slow phone: `python -m bench.lighthouse [--runs 3] [PATH …]`.

The program comes from npm on first use, the browser is the one that the tests use. A score (0 to 100) is the median of
several runs; it depends on the machine being idle, for Lighthouse scales the processor time that it measures: four
times by default, as scores are published, and less on a machine that is too slow for that (its docs/throttling.md,
"Calibrating the CPU slowdown"). Each line also has the machine's benchmark index with the factor, first and largest
paint, blocking time and layout shift; accessibility, best practices and search are named where they fall short of a
hundred.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from localbase.cli.terminal import Progress
from localbase.core.project import Project, open_project

from bench.figures import Figure
from bench.tools import npm_tool
from tests.support.browser import FLAGS, find_browser

ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = "lighthouse@13.5.0"
_TIMINGS = {
    "first-contentful-paint": "first paint",
    "largest-contentful-paint": "largest",
    "total-blocking-time": "blocked",
    "cumulative-layout-shift": "shift",
}
_GOAL = 97
_TRIES = 3
# Benchmark indexes and their factors, between which it is a straight line: the calculator that Lighthouse's page names,
# https://github.com/patrickhulce/lighthouse-cpu-throttling-calculator.
_SLOWDOWNS = ((150, 1.0), (800, 2.0), (1300, 3.0), (2000, 6.0))
_MOST_SLOWDOWN = 4.0
_PATHS = (
    *("/", "/faq", "/privacy-policy", "/terms-of-service", "/return-policy", "/accessibility"),
    *("/discover", "/auth", "/signup"),
)

Report = dict[str, Any]


def lighthouse_figures(project: Project, runs: int = 3, paths: tuple[str, ...] = ()) -> Iterator[Figure]:
    """Performance scores of the running shop's public pages, with a line of timings in each name."""
    home, browser = npm_tool("lighthouse", _PACKAGE), find_browser()
    if home is None or browser is None:
        sys.stderr.write("  Lighthouse or a browser is missing: its scores are left out.\n")
        return
    progress = Progress()
    with progress.step("Lighthouse measures this machine"):
        site = project.settings.auth.site_url
        index = _report(home, browser, site, 1)["environment"]["benchmarkIndex"]
    slowdown = cpu_slowdown(index)
    for path in _public(project, paths):
        with progress.step(f"Lighthouse {path}"):
            reports = [_report(home, browser, site + path, slowdown) for _ in range(runs)]
        title = _title(path, reports, f"index {index:.0f}, slowed {slowdown:.1f} ×")
        yield Figure(title, _median_score(reports, "performance"), _GOAL, "", at_least=True)
        for category in ("accessibility", "best-practices", "seo"):
            score = _median_score(reports, category)
            if score < 100:
                yield Figure(
                    f"  {path[:24]}: {category} ({_faults(reports[-1], category)})",
                    score,
                    95,
                    "",
                    at_least=True,
                )


def _public(project: Project, paths: tuple[str, ...]) -> list[str]:
    """The pages to look at, among them the newest public design and its creator's."""
    rows = httpx.get(
        f"{project.settings.api_url}/rest/v1/public_designs",
        params={"select": "design_id,user_id", "order": "created_at.desc", "limit": "1"},
        headers={"apikey": project.settings.keys.publishable},
    ).json()
    public = list(_PATHS)
    for row in rows:
        public += [f"/design/{row['design_id']}", f"/creator/{row['user_id']}"]
    if not paths:
        return public
    return [path for path in public if any(path == each or path.startswith(f"{each}/") for each in paths)]


def cpu_slowdown(index: float) -> float:
    """The factor that makes a machine of this benchmark index a phone of the middle, four at most."""
    steps = list(itertools.pairwise(_SLOWDOWNS))
    (low, least), (high, most) = next((step for step in steps if index <= step[1][0]), steps[-1])
    return min(max(1.0, least + (index - low) * (most - least) / (high - low)), _MOST_SLOWDOWN)


def _report(home: Path, browser: str, url: str, slowdown: float) -> Report:
    """One run; another where the browser's recording broke, as Lighthouse advises."""
    for _ in range(_TRIES):
        report = _run(home, browser, url, slowdown)
        if "runtimeError" not in report:
            return report
    raise SystemExit(f"Lighthouse failed on {url}: {report['runtimeError']['message']}")


def _run(home: Path, browser: str, url: str, slowdown: float) -> Report:
    done = subprocess.run(
        [
            str(home / "node_modules" / ".bin" / "lighthouse"),
            url,
            "--quiet",
            "--output=json",
            "--no-enable-error-reporting",
            f"--throttling.cpuSlowdownMultiplier={slowdown:.2f}",
            f"--chrome-flags=--headless {' '.join(FLAGS)}",
        ],
        env=os.environ | {"CHROME_PATH": browser},
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        report: Report = json.loads(done.stdout)
    except ValueError:
        # Some faults of the recording (NO_NAVSTART) end the program before there is a report.
        return {"runtimeError": {"message": done.stderr[-1000:].strip()}}
    return report


def _title(path: str, reports: list[Report], machine: str) -> str:
    timings = [machine]
    for audit, word in _TIMINGS.items():
        values = [report["audits"][audit]["numericValue"] for report in reports]
        value = statistics.median(values)
        timings.append(f"{word} {value:.2f}" if audit.endswith("shift") else f"{word} {value / 1000:.1f} s")
    return f"Lighthouse {path[:18]} ({', '.join(timings)})"


def _median_score(reports: list[Report], category: str) -> float:
    scores: list[float] = [100 * report["categories"][category]["score"] for report in reports]
    return statistics.median(scores)


def _faults(report: Report, category: str) -> str:
    references = report["categories"][category]["auditRefs"]
    failed = [
        each["id"]
        for each in references
        if each["weight"] and (report["audits"][each["id"]]["score"] or 0) < 1
    ]
    return ", ".join(name for name in failed if report["audits"][name]["scoreDisplayMode"] != "notApplicable")


def main() -> int:
    """Prints the scores of the stack that runs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("paths", nargs="*")
    arguments = parser.parse_args()
    for figure in lighthouse_figures(open_project(ROOT), arguments.runs, tuple(arguments.paths)):
        sys.stdout.write(f"{figure}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
