"""`python -m tools.compatibility` writes COMPATIBILITY.md and the counts of localbase's front page.

Both come from `supabase/compatibility.toml`, a row for each feature. The tests of a count are those that the rows name,
each once, and of a file that is named whole all of them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "supabase" / "compatibility.toml"
TABLE = ROOT / "supabase" / "COMPATIBILITY.md"
FRONT_PAGE = ROOT / "supabase" / "README.md"
_HEAD = """# Compatibility

Made by `python -m tools.compatibility` from [compatibility.toml](compatibility.toml); a test says when it is stale.
[README.md](README.md) has the counts by service.

- **works**: as upstream but for the difference, which may be a bound or something stricter too.
- **partly**: the difference is what is missing.
- **no**: it is not here, or is refused as by an upstream that has it off.

A test says in its name what it proves, and links to its file.
"""
_COLUMNS = "| feature | state | difference | tests |\n| --- | --- | --- | --- |\n"
_MARKS = "<!-- counts: python -m tools.compatibility -->", "<!-- end of counts -->"
_TEST = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
State = Literal["works", "partly", "no"]
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True)
class Row:
    """A feature, or methods of a client. `proofs` are tests (`path::name`) or files of tests."""

    section: str
    feature: str
    state: State
    details: str = ""
    difference: str = ""
    proofs: list[str] = field(default_factory=list)

    @property
    def service(self) -> str:
        """Methods of a client count for the service that they call."""
        return self.section.partition(":")[0]

    @property
    def tests(self) -> frozenset[str]:
        """Every test that the row names."""
        return frozenset(test for proof in self.proofs for test in _tests(proof))


def _tests(proof: str) -> Iterator[str]:
    path, _, name = proof.partition("::")
    names = [name] if name else _TEST.findall((ROOT / path).read_text(encoding="utf-8"))
    yield from (f"{path}::{each}" for each in names)


def rows(data: Mapping[str, list[dict[str, Any]]]) -> list[Row]:
    """The rows in the order of the data. Raises `ValueError` for a state that is none."""
    listed = [Row(section, **row) for section, part in data.items() for row in part]
    for row in listed:
        if row.state not in STATES:
            raise ValueError(f"the state of {row.feature!r} is none of {', '.join(STATES)}: {row.state}")
    return listed


def read_rows() -> list[Row]:
    """The rows of localbase."""
    return rows(tomllib.loads(DATA.read_text(encoding="utf-8")))


def _grouped(listed: Iterable[Row], key: str) -> Mapping[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in listed:
        groups.setdefault(getattr(row, key), []).append(row)
    return groups


def table(listed: Iterable[Row]) -> str:
    """COMPATIBILITY.md."""
    parts = [
        f"\n## {section}\n\n{_COLUMNS}" + "".join(map(_line, part))
        for section, part in _grouped(listed, "section").items()
    ]
    return _HEAD + "".join(parts)


def _line(row: Row) -> str:
    feature = "<br>".join(text for text in (row.feature, row.details) if text)
    return f"| {feature} | {row.state} | {row.difference} | {', '.join(map(_link, row.proofs))} |\n"


def _link(proof: str) -> str:
    path, _, name = proof.partition("::")
    words = name.removeprefix("test_").replace("_", " ") or f"`{Path(path).name}`"
    return f"[{words}](../{path})"


def counts(listed: Iterable[Row]) -> Mapping[str, list[Row]]:
    """The rows of each service, in the data's order."""
    return _grouped(listed, "service")


def counts_table(listed: list[Row]) -> str:
    """The table of counts, from mark to mark."""
    lines = ["| service | works | partly | no | tests |", "| --- | ---: | ---: | ---: | ---: |"]
    lines += [_count(name, part) for name, part in counts(listed).items()]
    lines.append(_count("**all**", listed))
    return "\n".join([_MARKS[0], "", *lines, "", _MARKS[1]])


def _count(name: str, part: list[Row]) -> str:
    numbers = [sum(row.state == state for row in part) for state in STATES]
    numbers.append(len(frozenset[str]().union(*(row.tests for row in part))))
    return f"| {name} | {' | '.join(map(str, numbers))} |"


def front_page(text: str, listed: list[Row]) -> str:
    """The front page with the counts of today."""
    before, _, rest = text.partition(_MARKS[0])
    _, _, after = rest.partition(_MARKS[1])
    return f"{before}{counts_table(listed)}{after}"


def main() -> None:
    """Writes both pages."""
    listed = read_rows()
    TABLE.write_text(table(listed), encoding="utf-8")
    FRONT_PAGE.write_text(front_page(FRONT_PAGE.read_text(encoding="utf-8"), listed), encoding="utf-8")


if __name__ == "__main__":
    main()
