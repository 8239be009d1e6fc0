"""`python -m tools.compatibility`: the counts by service on localbase's front page, from its table of compatibility.

Owns the block of `supabase/README.md` between its two marks. A row counts by the first word of its state; the tests
are those that the rows name, each once, and of a file that is named whole all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "supabase" / "COMPATIBILITY.md"
PAGE = ROOT / "supabase" / "README.md"
_MARKS = "<!-- counts: python -m tools.compatibility -->", "<!-- end of counts -->"
# What a client may call is a part of its service.
_SERVICES = {
    "Query builders": "Data API",
    "Command": "Commands",
    "Extensions and the background": "Extensions, jobs",
}
_KINDS = {
    "works": "works",
    "partly": "partly",
    **dict.fromkeys(("no", "refused", "rejected", "without"), "no"),
}
_HEADING = re.compile(r"\| \*\*(.+?)\*\*.*\|\s*\|\s*\|")
_PROOF = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
_TEST = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """A feature of a service: its kind (`works`, `partly` or `no`), and the tests that prove it."""

    service: str
    feature: str
    kind: str
    proofs: frozenset[str]


def rows(text: str) -> list[Row]:
    """The rows of the table. Raises `ValueError` for a state whose first word has no kind."""
    listed, service = [], ""
    for line in text.splitlines():
        heading = _HEADING.fullmatch(line)
        if heading:
            # `Auth: `auth-js`` and `Storage, S3 protocol` belong to Auth and to Storage.
            name = re.split(r"[:,]", heading[1])[0]
            service = _SERVICES.get(name, name)
        elif line.startswith("| ") and service:
            feature, state, proof = (cell.strip() for cell in line.strip("|").split(" |"))
            kind = _KINDS.get(re.split(r"[\s:;,]", state)[0])
            if kind is None:
                raise ValueError(f"the state of {feature!r} begins with none of {', '.join(_KINDS)}: {state}")
            listed.append(Row(service, feature, kind, frozenset(_tests(proof))))
    return listed


def _tests(proof: str) -> Iterable[str]:
    for path, name in _PROOF.findall(proof):
        names = [name] if name else _TEST.findall((ROOT / path).read_text(encoding="utf-8"))
        yield from (f"{path}::{each}" for each in names)


def counts(listed: Iterable[Row]) -> Mapping[str, list[Row]]:
    """The rows of each service, in the table's order."""
    services: dict[str, list[Row]] = {}
    for row in listed:
        services.setdefault(row.service, []).append(row)
    return services


def counts_table() -> str:
    """The table of counts, from mark to mark."""
    services = counts(rows(TABLE.read_text(encoding="utf-8")))
    everything = [row for part in services.values() for row in part]
    lines = ["| service | works | partly | no | tests |", "| --- | ---: | ---: | ---: | ---: |"]
    lines += [_line(name, part) for name, part in services.items()]
    lines.append(_line("**all**", everything))
    return "\n".join([_MARKS[0], "", *lines, "", _MARKS[1]])


def _line(name: str, part: list[Row]) -> str:
    numbers = [sum(row.kind == kind for row in part) for kind in ("works", "partly", "no")]
    numbers.append(len(frozenset[str]().union(*(row.proofs for row in part))))
    return f"| {name} | {' | '.join(map(str, numbers))} |"


def page(text: str) -> str:
    """The front page with the counts of today."""
    before, _, rest = text.partition(_MARKS[0])
    _, _, after = rest.partition(_MARKS[1])
    return f"{before}{counts_table()}{after}"


def main() -> None:
    """Writes the counts."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
