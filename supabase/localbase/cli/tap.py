"""The output of tests: the Test Anything Protocol, version 12 (https://testanything.org/tap-specification.html)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_PLAN = re.compile(r"1\.\.(\d+)(?:\s*#\s*skip\b\s*(.*))?", re.IGNORECASE)
_TEST = re.compile(r"(not )?ok\b(?:\s+(\d+))?(?:\s+-)?\s*(.*)", re.IGNORECASE)
_DIRECTIVE = re.compile(r"(?<!\\)#\s*(todo|skip)\b\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Test:
    """One test. A failing one with `todo` is no failure."""

    number: int
    passed: bool
    name: str
    todo: bool = False
    skipped: bool = False

    @property
    def failed(self) -> bool:
        """Tell whether it counts as a failure."""
        return not self.passed and not self.todo


@dataclass(slots=True)
class Outcome:
    """Everything that one file of tests has said."""

    planned: int | None = None
    skip_reason: str = ""
    bailed_out: str = ""
    tests: list[Test] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def failed(self) -> list[int]:
        """The numbers of the tests that failed or never ran."""
        ran = {test.number for test in self.tests}
        missing = [number for number in range(1, (self.planned or 0) + 1) if number not in ran]
        return sorted([test.number for test in self.tests if test.failed] + missing)

    @property
    def fault(self) -> str:
        """Return what is wrong with the whole, apart from tests that failed."""
        if self.bailed_out:
            return f"Bailed out: {self.bailed_out}"
        if self.planned is None:
            return "No plan found in TAP output"
        if self.planned != len(self.tests):
            return f"Bad plan. You planned {self.planned} tests but ran {len(self.tests)}."
        return ""


def read_tap(text: str) -> Outcome:
    """The outcome of a whole output. Lines that are no TAP say nothing."""
    outcome = Outcome()
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("#"):
            outcome.remarks.append(stripped)
        elif stripped.startswith("Bail out!"):
            outcome.bailed_out = stripped.removeprefix("Bail out!").strip() or "no reason given"
        elif match := _PLAN.fullmatch(stripped):
            outcome.planned = int(match[1])
            outcome.skip_reason = match[2] or ""
        elif (match := _TEST.fullmatch(stripped)) and not line.startswith(" "):
            number = int(match[2]) if match[2] else len(outcome.tests) + 1
            directive = _DIRECTIVE.search(match[3])
            kind = directive[1].lower() if directive else ""
            name = match[3][: directive.start()].strip() if directive else match[3]
            outcome.tests.append(Test(number, not match[1], name, kind == "todo", kind == "skip"))
    return outcome
