"""`python -m tests.strangers [--dir DIR] [--only TEXT]`: checks each row of projects.toml, writes docs/strangers.md.

Projects come from GitHub, or with `--dir` from copies: DIR/<owner>+<name> is a clone, or holds one named `repo`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.strangers.checks import Outcome, Stranger
from tests.support.stacks import ROOT

PROJECTS = Path(__file__).with_name("projects.toml")
_PAGE = ROOT / "docs" / "strangers.md"
_RESULTS = ROOT / ".localbase" / "strangers.json"


_HEAD = """# Strangers' projects

Public projects that no one here wrote, started with no file edited. Of each: sign-up, every table and view as anon,
service and user (no 5xx), `db diff` empty, `gen types`, `migration list`, its own pgTAP tests, `db reset`, and
`git status` as before. `make strangers` writes this page; `tests/strangers/projects.toml` has repositories, commits,
folders, and what a project itself fails, with the proof.
"""
_COLUMNS = ("| project | uses | start, s | fails |", "| --- | --- | ---: | --- |")


@dataclass(frozen=True)
class Entry:
    """A row of projects.toml.

    `faults` are checks that the project itself fails, by name, with the proof; `environ` is what it needs of its
    surroundings.
    """

    repository: str
    commit: str
    folder: str = "."
    uses: str = ""
    environ: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """For a person."""
        return self.repository if self.folder == "." else f"{self.repository} ({self.folder})"


def entries() -> list[Entry]:
    """All rows."""
    return [Entry(**row) for row in tomllib.loads(PROJECTS.read_text(encoding="utf-8"))["project"]]


@contextmanager
def work_tree(entry: Entry, copies: Path | None) -> Iterator[Path]:
    """A work tree of the entry's commit, which goes with the context."""
    with tempfile.TemporaryDirectory(prefix="stranger-") as folder:
        Path(folder).chmod(0o755)
        tree = Path(folder) / entry.repository.rpartition("/")[2]
        here = ("-C", str(tree))
        below = "/*" if entry.folder == "." else f"/{entry.folder}/"
        _git("init", "--quiet", str(tree))
        # The rest of a large repository is not looked at; nor are its largest files, which a copy may lack.
        _git(*here, "sparse-checkout", "set", "--no-cone", below, "/package.json")
        if copies is None:
            address = f"https://github.com/{entry.repository}"
            _git(*here, "fetch", "--quiet", "--depth", "1", address, entry.commit)
        else:
            copy = copies / entry.repository.replace("/", "+")
            objects = next(
                path for path in (copy / "repo" / "objects", copy / ".git" / "objects") if path.is_dir()
            )
            (tree / ".git" / "objects" / "info" / "alternates").write_text(f"{objects}\n")
        _git(*here, "checkout", "--quiet", entry.commit)
        yield tree


def _git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)


def main() -> int:
    """Checks the projects one after the other. 1 where one fails that does not say why."""
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument("--dir", type=Path, help="a folder with copies of the repositories")
    parser.add_argument(
        "--only", default="", help="projects whose name has this text; the page is not written"
    )
    options = parser.parse_args()
    chosen = [entry for entry in entries() if options.only in entry.name]
    results: dict[str, Outcome] = {}
    for number, entry in enumerate(chosen, 1):
        sys.stdout.write(f"[{number}/{len(chosen)}] {entry.name} … ")
        sys.stdout.flush()
        try:
            with work_tree(entry, options.dir) as tree:
                results[entry.name] = Stranger(tree, tree / entry.folder, entry.environ).check()
        except subprocess.CalledProcessError as error:
            results[entry.name] = Outcome(failures={"fetch": error.stderr.strip()[-500:]})
        outcome = results[entry.name]
        unexplained = {name: said for name, said in outcome.failures.items() if name not in entry.faults}
        began = f"{outcome.seconds:.1f} s" if outcome.seconds is not None else "does not start"
        sys.stdout.write(f"{began}{''.join(f'; {name}' for name in unexplained)}\n")
        for name, said in unexplained.items():
            sys.stdout.write(f"    {name}: {said[:700]}\n")
    _RESULTS.parent.mkdir(exist_ok=True)
    _RESULTS.write_text(json.dumps({name: asdict(each) for name, each in results.items()}, indent=1))
    if not options.only:
        _PAGE.write_text(page(chosen, results), encoding="utf-8")
    return int(any(set(results[entry.name].failures) - set(entry.faults) for entry in chosen))


def page(chosen: list[Entry], results: dict[str, Outcome]) -> str:
    """docs/strangers.md."""
    starting = sum(outcome.starts for outcome in results.values())
    passing = sum(not set(results[each.name].failures) - set(each.faults) for each in chosen)
    counts = f"**{starting} of {len(chosen)} start, {passing} pass every check**"
    lines = [_HEAD, f"{datetime.now(UTC):%Y-%m-%d}: {counts} or fail by a fault of their own.", "", *_COLUMNS]
    for entry in chosen:
        outcome = results[entry.name]
        seconds = f"{outcome.seconds:.1f}" if outcome.seconds is not None else "–"
        fails = [_cell(name, said, entry.faults.get(name)) for name, said in outcome.failures.items()]
        lines.append(f"| {entry.name} | {entry.uses} | {seconds} | {'; '.join(fails)} |")
    return "\n".join(lines) + "\n"


def _cell(name: str, said: str, fault: str | None) -> str:
    if fault is not None:
        return f"{name}: the project's own ({fault})"
    first: Any = next((line for line in said.splitlines() if "error" in line.lower()), said[:200])
    return f"**{name}**: {first.strip()[:200].replace('|', '¦')}"


if __name__ == "__main__":
    sys.exit(main())
