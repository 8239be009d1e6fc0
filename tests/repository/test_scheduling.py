"""The order of a parallel run: which file a worker takes next."""

from __future__ import annotations

import pytest

from tests.support.scheduling import FOLDERS, next_file, order_of, stack_of
from tests.support.stacks import ROOT

E2E, ORDERS, REST, ROWS, OUTAGE = (
    "tests/e2e/test_journey.py",
    "tests/shop/integration/functions/test_orders.py",
    "tests/localbase/integration/rest/test_filters.py",
    "tests/localbase/integration/rest/test_rows.py",
    "tests/localbase/integration/cli/stack/test_outage.py",
)


@pytest.mark.parametrize(
    ("path", "stack"),
    [
        (E2E, "shop"),
        (ORDERS, "shop"),
        (REST, "library"),
        ("tests/localbase/integration/functions/test_reload.py", "services"),
        (OUTAGE, None),
        ("tests/repository/test_house.py", None),
    ],
)
def test_stack_of_a_file_is_that_of_its_folder(path: str, stack: str | None) -> None:
    assert stack_of(path) == stack


@pytest.mark.parametrize(
    ("waiting", "mine", "others", "chosen"),
    [
        ([E2E, REST, OUTAGE], [ROWS], [], REST),
        ([E2E, REST, OUTAGE], [], [[ORDERS]], E2E),
        ([E2E, REST, OUTAGE], [], [[ORDERS], [ORDERS]], REST),
        ([E2E, REST, OUTAGE], [OUTAGE], [[ORDERS], [ORDERS, ROWS]], OUTAGE),
        ([E2E, REST], [OUTAGE], [[ORDERS], [ORDERS, ROWS]], E2E),
    ],
    ids=["of its stack", "of a stack for two", "of another stack", "without a stack", "what is left"],
)
def test_worker_takes_a_file_of_a_stack_that_runs(
    waiting: list[str], mine: list[str], others: list[list[str]], chosen: str
) -> None:
    assert next_file(waiting, mine, others) == chosen


def test_tests_of_files_that_take_long_come_first() -> None:
    nodes = [f"{path}::test_{name}" for path in (OUTAGE, E2E) for name in "ba"]
    assert sorted(nodes, key=order_of) == [*nodes[2:], *nodes[:2]]


def test_every_folder_of_a_stack_has_tests() -> None:
    files = [str(path.relative_to(ROOT)) for path in ROOT.glob("tests/**/test_*.py")]
    named = [name for folders in FOLDERS.values() for name in folders]
    assert [name for name in named if not any(file.startswith(name) for file in files)] == []
