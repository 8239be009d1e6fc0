"""The Test Anything Protocol, as pgTAP writes it."""

from __future__ import annotations

import pytest
from localbase.cli.tap import read_tap


def test_tests_are_numbered_named_and_directed() -> None:
    outcome = read_tap(
        "1..4\nok 1 - first\nok - second\nnot ok 3 - third # TODO later\nok 4 # skip no time\n# a remark\nnoise\n"
    )
    shown = [(test.number, test.passed, test.name, test.todo, test.skipped) for test in outcome.tests]
    assert shown == [
        (1, True, "first", False, False),
        (2, True, "second", False, False),
        (3, False, "third", True, False),
        (4, True, "", False, True),
    ]
    assert (outcome.failed, outcome.fault, outcome.remarks) == ([], "", ["# a remark"])


@pytest.mark.parametrize(
    ("text", "failed", "fault"),
    [
        ("1..2\nok 1\nnot ok 2 - b\n", [2], ""),
        ("1..3\nok 1\n", [2, 3], "Bad plan. You planned 3 tests but ran 1."),
        ("ok 1\nok 2\n1..2\n", [], ""),
        ("1..0 # SKIP not here\n", [], ""),
        ("ok 1\n", [], "No plan found in TAP output"),
        ("", [], "No plan found in TAP output"),
        ("1..2\nok 1\nBail out! no disk\n", [2], "Bailed out: no disk"),
        ("1..1\n    not ok 1 - of a subtest\nok 1 - all\n", [], ""),
        ("1..1\nok 1 - \\# todo is escaped\n", [], ""),
    ],
)
def test_failures_and_faults_are_found(text: str, failed: list[int], fault: str) -> None:
    outcome = read_tap(text)
    assert (outcome.failed, outcome.fault) == (failed, fault)
