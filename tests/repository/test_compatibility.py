"""COMPATIBILITY.md is made from its data, in rows that a person can read, and each claim names a test that exists."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.support.stacks import ROOT
from tools.compatibility import TABLE, Row, counts, read_rows, rows, table

ROWS = read_rows()


def test_page_is_what_the_data_say() -> None:
    assert table(ROWS) == TABLE.read_text(encoding="utf-8"), "run: python -m tools.compatibility"


def test_table_has_the_rows_of_every_service() -> None:
    assert len(ROWS) > 400
    assert [name for name in counts(ROWS) if len(counts(ROWS)[name]) < 10] == ["Mailbox"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.feature[:60])
def test_row_that_claims_something_names_a_test_that_exists(row: Row) -> None:
    assert row.proofs or row.state == "no", "no test is named"
    assert row.tests or not row.proofs, "a file of tests has none"
    for test in row.tests:
        path, _, name = test.partition("::")
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), test


def prose(text: str) -> str:
    """The text without the names in it, and without the addresses of links."""
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


def test_rows_can_be_read() -> None:
    assert [row.feature for row in ROWS if len(prose(row.feature)) > 110] == []
    assert [row.feature for row in ROWS if len(prose(row.details)) > 260] == []
    assert [row.feature for row in ROWS if len(prose(row.difference)) > 190] == []
    assert [row.feature for row in ROWS if "|" in row.feature + row.details + row.difference] == []


def test_feature_has_one_row() -> None:
    times = Counter((row.section, row.feature) for row in ROWS)
    assert [feature for feature, count in times.items() if count > 1] == []


def test_partly_says_what_is_missing() -> None:
    assert [row.feature for row in ROWS if row.state == "partly" and not row.difference] == []


def test_rows_count_for_the_service_before_the_colon() -> None:
    file = "tests/localbase/unit/cli/test_commands_page.py"
    listed = rows(
        {
            "Auth": [{"feature": "one", "state": "works", "difference": "stricter"}],
            "Auth: `a-client`": [{"feature": "two", "state": "no", "difference": "refused as upstream"}],
            "Data API: `b`": [{"feature": "three", "state": "partly", "proofs": [file]}],
        }
    )
    assert {name: [row.state for row in part] for name, part in counts(listed).items()} == {
        "Auth": ["works", "no"],
        "Data API": ["partly"],
    }
    assert listed[2].tests == {f"{file}::test_page_of_commands_is_not_stale"}


def test_row_is_a_line_of_its_sections_table() -> None:
    page = table(
        rows(
            {
                "Auth": [
                    {
                        "feature": "`a`",
                        "state": "works",
                        "details": "b",
                        "difference": "c",
                        "proofs": ["tests/x.py::test_a_holds", "tests/y.py"],
                    }
                ]
            }
        )
    )
    assert page.splitlines()[-5:] == [
        "## Auth",
        "",
        "| feature | state | difference | tests |",
        "| --- | --- | --- | --- |",
        "| `a`<br>b | works | c | [a holds](../tests/x.py), [`y.py`](../tests/y.py) |",
    ]


def test_state_that_is_none_is_rejected() -> None:
    with pytest.raises(ValueError, match="the state of 'one' is none of works, partly, no: sometimes"):
        rows({"Auth": [{"feature": "one", "state": "sometimes"}]})
