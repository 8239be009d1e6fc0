"""The people of the demonstration's seed, with passwords that everyone can read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from deploy.environment import ROOT

DEMO_PEOPLE = ROOT / "sql" / "seed" / "20_people.sql"
_PERSON = re.compile(r"\('([0-9a-f-]{36})'::uuid, '([^'\s]+@[^'\s]+)'")


@dataclass(frozen=True)
class DemoPerson:
    id: str
    email: str


def read_demo_people(file: Path = DEMO_PEOPLE) -> list[DemoPerson]:
    return [DemoPerson(id, email) for id, email in _PERSON.findall(file.read_text(encoding="utf-8"))]
