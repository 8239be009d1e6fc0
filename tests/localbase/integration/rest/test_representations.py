"""Domain representations: casts render a domain's values and parse them from bodies and from the URL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.localbase.integration.rest.conftest import Api, error

COLOURS = {1: "#000000", 2: "#000100", 3: "#FF0000"}


@pytest.fixture
def new_paints(quoted: Api) -> Iterator[str]:
    """Adds paints for one test, and deletes them at its end."""
    yield "/paints?id=gte.50"
    quoted.request("DELETE", "/paints?id=gte.50")


@pytest.mark.parametrize("select", ["id,the colour", "*"])
def test_values_are_rendered_by_their_cast(quoted: Api, select: str) -> None:
    rows = quoted.rows(f"/paints?select={select}&order=id")
    assert {row["id"]: row["the colour"] for row in rows} == COLOURS


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("select=id,c:the colour::text&id=eq.2", [{"id": 2, "c": '"#000100"'}]),
        ("select=the colour,paints(*)&id=eq.1&paints.id=eq.2",
         [{"the colour": "#000000", "paints": [{"id": 2, "note": "***", "parent": 1, "the colour": "#000100"}]}]),
        ("select=...parent(*)&id=eq.3", [{"id": 1, "the colour": "#000000", "note": "***", "parent": None}]),
        ("select=id,note&id=eq.3", [{"id": 3, "note": "***"}]),
    ],
)  # fmt: skip
def test_nested_values_are_rendered_by_their_cast(quoted: Api, query: str, expected: object) -> None:
    assert quoted.rows(f"/paints?{query}") == expected


def test_views_and_function_results_are_rendered_by_the_cast(quoted: Api) -> None:
    for path in ("/Paint View?order=id", "/rpc/all_paints?order=id"):
        assert {row["id"]: row["the colour"] for row in quoted.rows(path)} == COLOURS


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("the colour=eq.%23000100", [2]),
        ("the colour=eq.000100", [2]),
        ("the colour=gt.0000FF", [2, 3]),
        ("the colour=not.eq.000000", [2, 3]),
        ("the colour=in.(000100,FF0000)", [2, 3]),
        ("the colour=not.in.(000100,FF0000)", [1]),
        ("or=(the colour.eq.FF0000,id.eq.1)", [1, 3]),
        ("the colour=is.null", []),
    ],
)
def test_filters_are_parsed_by_the_cast(quoted: Api, condition: str, ids: list[int]) -> None:
    assert [row["id"] for row in quoted.rows(f"/paints?select=id&{condition}&order=id")] == ids
    counted = quoted.get(f"/paints?select=id&{condition}&limit=1", prefer="count=exact")
    assert counted.headers["content-range"].endswith(f"/{len(ids)}")


def test_bodies_are_parsed_by_the_cast(quoted: Api, new_paints: str) -> None:
    made = quoted.request(
        "POST", "/paints", json={"id": 50, "the colour": "#0A0B0C"}, prefer="return=representation"
    )
    assert made.json() == [{"id": 50, "the colour": "#0A0B0C", "note": "***", "parent": None}]
    changed = quoted.request(
        "PATCH",
        f"{new_paints}&the colour=eq.0A0B0C&select=the colour",
        json={"the colour": "#FFFFFF"},
        prefer="return=representation",
    )
    assert changed.json() == [{"the colour": "#FFFFFF"}]
    merged = quoted.request(
        *("POST", "/paints?select=the colour"),
        json=[{"id": 50, "the colour": "#000002"}, {"id": 51, "the colour": "#000003"}],
        prefer="return=representation,resolution=merge-duplicates",
    )
    assert (merged.status_code, merged.json()) == (
        201,
        [{"the colour": "#000002"}, {"the colour": "#000003"}],
    )
    put = quoted.request(
        *("PUT", "/paints?id=eq.50&select=the colour"),
        json={"id": 50, "the colour": "#000004", "note": None, "parent": None},
        prefer="return=representation",
    )
    assert put.json() == [{"the colour": "#000004"}]
    lines = quoted.request(
        *("POST", "/paints?select=id,the colour"),
        content="id,the colour\n52,#000005",
        content_type="text/csv",
        prefer="return=representation",
    )
    assert lines.json() == [{"id": 52, "the colour": "#000005"}]


def test_missing_values_are_column_defaults(quoted: Api, new_paints: str) -> None:
    made = quoted.request(
        *("POST", "/paints?select=id,the colour"),
        json=[{"id": 60}, {"id": 61}],
        prefer="return=representation,missing=default",
    )
    assert made.json() == [{"id": 60, "the colour": "#0000FF"}, {"id": 61, "the colour": "#0000FF"}]
    assert len(quoted.rows(new_paints)) == 2


def test_values_rejected_by_the_cast_are_errors(quoted: Api) -> None:
    status, body = error(quoted.request("POST", "/paints", json={"id": 70, "the colour": "#nonsense"}))
    assert (status, body["code"]) == (400, "22P02")
    status, body = error(quoted.get("/paints?the colour=eq.nonsense"))
    assert (status, body["code"]) == (400, "22P02")
