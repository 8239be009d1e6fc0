"""The large shop's rows, its list of queries, and its table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from bench.large.chance import Scale
from bench.large.contention import Contention
from bench.large.measure import Measured
from bench.large.order_rows import OrderRows
from bench.large.queries import QUERIES
from bench.large.query import SPECIFIED, Query
from bench.large.report import line_of, written
from bench.large.shop_rows import NULL, ShopRows
from bench.large.subjects import filled
from tests.support.stacks import ROOT

_UNTIL = datetime(2026, 11, 22, tzinfo=UTC)
_SMALL = Scale().part(2_500)
# `supabase.from("designs")`, `api.rpc("get_pricing")`
_IN_WEB = re.compile(r"\.(?:from|rpc)\(\s*(\"\w+\")")
# `self._data.row("designs", …)`, `self._call("settle_order", …)`, `self._close("release_usage" …)`
_IN_FUNCTIONS = re.compile(
    r"_data\.(?:rows|row|select_in|insert|update|call|value)\(\s*(\"[a-z_]+\"|_[A-Z_]+)"
    r"|_(?:call|close)\(\s*(\"[a-z_]+\")"
)
# The picture's function is a part of an address, the usage's end is chosen in place, and the database opened late.
_BY_HAND = {
    ("web/src/shop/designs/picture-url.ts", "design_thumbnail"),
    ("web/src/shop/designs/picture-url.ts", "design_picture"),
    ("functions/_shared/core/usage.py", "complete_usage"),
    ("functions/_shared/metrics.py", "get_job_figures"),
}
# A whole night's count, once a day: it has no place among what people wait for.
_NIGHTLY = {("functions/_shared/orders/total_checks.py", "check_next_total")}


def queries_of(text: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """The tables and functions that a source file names in its queries, itself or by a constant of its own."""
    for groups in pattern.findall(text):
        name = groups if isinstance(groups, str) else next(filter(None, groups))
        if not name.startswith('"'):
            constant = re.search(rf"^{name} = (\".+\")$", text, re.MULTILINE)
            assert constant, f"{name} is not a constant of this file"
            name = constant[1]
        yield name.strip('"')


def queries_in_sources() -> set[tuple[str, str]]:
    queries = set()
    for folder, endings, pattern in (
        ("web/src", ("*.ts", "*.tsx"), _IN_WEB),
        ("functions", ("*.py",), _IN_FUNCTIONS),
    ):
        for ending in endings:
            for path in (ROOT / folder).rglob(ending):
                if ".test." not in path.name and "testing" not in path.parts:
                    name = path.relative_to(ROOT).as_posix()
                    queries |= {(name, target) for target in queries_of(path.read_text(), pattern)}
    return queries


def test_every_query_of_web_and_functions_is_measured() -> None:
    listed = {(query.source, query.target) for query in QUERIES if query.source != SPECIFIED}
    queries = queries_in_sources() | _BY_HAND
    assert len(queries) > 55
    assert sorted(queries - listed - _NIGHTLY) == []
    assert sorted(listed - queries) == []


@pytest.mark.parametrize(
    ("line", "pattern", "target"),
    [
        ('await supabase\n    .from("designs")\n    .select("id")', _IN_WEB, "designs"),
        ('api.rpc("get_pricing", {})', _IN_WEB, "get_pricing"),
        ('self._data.row(\n            "orders", _COLUMNS, where)', _IN_FUNCTIONS, "orders"),
        ('self._call(\n            "settle_order",', _IN_FUNCTIONS, "settle_order"),
        ('_TABLE = "designs"\nself._data.rows(_TABLE, "id", {})', _IN_FUNCTIONS, "designs"),
    ],
)
def test_query_is_found_in_a_source(line: str, pattern: re.Pattern[str], target: str) -> None:
    assert list(queries_of(line, pattern)) == [target]


def test_every_query_has_a_name_of_its_own() -> None:
    names = [query.name for query in QUERIES]
    assert len(set(names)) == len(names) > 100


def rows_of_all_tables() -> dict[str, list[tuple[object, ...]]]:
    shop = ShopRows(_SMALL, _UNTIL)
    tables = {
        name: list(getattr(shop, name)())
        for name in (
            "users",
            "profiles",
            "addresses",
            "sessions",
            "designs",
            "public_designs",
            "likes",
            "uploads",
            "object_tasks",
        )
    }
    orders = OrderRows(shop)
    names = ("orders", "items", "events", "jobs", "messages", "vendor_events")
    return tables | {name: list(getattr(orders, name)()) for name in names}


def test_rows_are_the_same_each_time() -> None:
    tables = rows_of_all_tables()
    assert tables == rows_of_all_tables()
    counts = {name: len(rows) for name, rows in tables.items()}
    assert (counts["users"], counts["designs"], counts["likes"]) == (20, 400, 400)
    assert counts["orders"] == 120
    assert counts["public_designs"] == 40
    assert min(counts.values()) > 0


def test_values_need_no_escaping() -> None:
    for rows in rows_of_all_tables().values():
        for row in rows:
            for value in map(str, row):
                assert value == NULL or not re.search(r"[\t\n\r\\]", value), value


def measured(query: Query, **changes: object) -> Measured:
    values: dict[str, object] = {
        "ms": 1.234, "buffers": 1_500, "rows_read": 25, "sequential": {},
        "indexes": {"designs_pkey": 25, "public_designs_created_at_idx": 1},
    }  # fmt: skip
    return Measured(query, **(values | changes))  # type: ignore[arg-type]


VISITORS = Query("gallery", "visitor", "web/src/a.ts", "/public_designs?limit=1")


def test_measured_query_is_written_into_the_page() -> None:
    page = "Before\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nAfter\n"
    likes = [
        Contention("one design", with_totals=totals, per_second=1234.5, ms=2.34) for totals in (True, False)
    ]
    assert written(page, [measured(VISITORS)], likes) == (
        "Before\n<!-- measured: begin -->\n\n| query | as | ms | buffers | rows read | by |\n"
        "| --- | --- | ---: | ---: | ---: | --- |\n"
        "| gallery | visitor | 1.2 | 1,500 | 25 | designs_pkey × 25, public_designs_created_at |\n\n"
        "| likes and unlikes by 32 connections | a second | ms each |\n| --- | ---: | ---: |\n"
        "| of one design | 1,234 | 2.3 |\n| of one design, without totals | 1,234 | 2.3 |\n\n"
        "<!-- measured: end -->\nAfter\n"
    )
    with pytest.raises(ValueError, match="has no <!-- measured: begin -->"):
        written("Before", [], [])


def test_query_over_its_limits_says_so() -> None:
    slow = {"ms": 51.0, "buffers": 5_001, "sequential": {"designs": 1}}
    assert measured(VISITORS, **slow).faults == ["51 ms", "5,001 buffers", "sequential scan of designs"]
    assert line_of(measured(VISITORS, **slow)).endswith("!! 51 ms, 5,001 buffers, sequential scan of designs")
    admins = Query("orders", "admin", "web/src/a.ts", "/orders")
    assert measured(admins, ms=499.0, buffers=10_000).faults == []
    assert measured(admins, ms=501.0, buffers=10_001).faults == ["501 ms", "10,001 buffers"]


def test_subjects_stand_in_for_their_names_alone() -> None:
    assert filled('{"id":"{design}","about":{}}', {"design": "d1"}) == '{"id":"d1","about":{}}'


def test_target_is_the_table_or_function() -> None:
    assert VISITORS.target == "public_designs"
    assert Query("x", "service", "y", "/rpc/claim_job", "POST").target == "claim_job"
