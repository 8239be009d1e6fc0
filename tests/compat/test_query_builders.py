"""Every method of the official clients' query builders, in JavaScript and Python, on the library project."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from postgrest import APIError, CountMethod

from supabase import Client, ClientOptions, create_client
from tests.support.stacks import ROOT, Stack

IDS: dict[str, list[int]] = {
    "eq": [3],
    "neq": [2, 3, 4, 5],
    "gt": [3],
    "gte": [1, 3],
    "lt": [5],
    "lte": [2, 5],
    "like": [2],
    "likeAllOf": [1],
    "likeAnyOf": [2, 3],
    "ilike": [2],
    "ilikeAllOf": [1, 4],
    "ilikeAnyOf": [2, 3],
    "regexMatch": [3],
    "regexIMatch": [3],
    "is": [1, 3, 5],
    "isDistinct": [3, 4, 5],
    "in": [3, 5],
    "notIn": [3, 4, 5],
    "contains array": [1, 4],
    "contains json": [1],
    "contains range": [1, 2],
    "containedBy": [1, 3, 4],
    "rangeGt": [1, 2],
    "rangeGte": [1, 2],
    "rangeLt": [1],
    "rangeLte": [1],
    "rangeAdjacent": [1],
    "overlaps": [1, 2],
    "textSearch": [1],
    "textSearch plain": [2],
    "textSearch phrase": [1],
    "textSearch websearch": [1],
    "match": [3, 5],
    "not": [3, 5],
    "or": [1, 2],
    "or referenced": [1, 3],
    "filter": [2],
    "order nulls": [4, 3],
    "limit": [1, 2],
    "range": [2, 3],
}
RESPONSES: dict[str, Any] = {
    "select embedded": {"data": [{"id": 1, "works": [{"title": "River Songs"}]}], "status": 200},
    "count": {"data": [{"id": 1}], "status": 206, "count": 5},
    "count planned": {"data": None, "status": 206, "count": "number"},
    "count estimated": {"data": None, "status": 200, "count": 5},
    "single": {"data": {"title": "Salt"}, "status": 200},
    "single of many": {"data": None, "status": 406, "error": "PGRST116"},
    "maybeSingle": {"data": None, "status": 200},
    "maybeSingle of many": {"data": None, "status": 406, "error": "PGRST116"},
    "csv": {"data": "id,name\n1,poetry\n2,novel", "status": 200},
    "stripNulls": {"data": [{"id": 3}], "status": 200},
    "rollback": {"data": [{"id": 90}], "status": 201},
    "after rollback": {"data": [], "status": 200},
    "maxAffected": {"data": None, "status": 400, "error": "PGRST124"},
    "returns": {"data": [{"title": "Salt"}], "status": 200},
    "overrideTypes": {"data": [{"title": "Salt"}], "status": 200},
    "setHeader": {"data": "builder", "status": 200},
    "retry": {"data": [{"id": 1}], "status": 200},
    "insert": {"data": [{"name": "js", "doubled": 4}], "status": 201},
    "insert many": {
        "data": [{"name": "js2", "amount": 5}, {"name": "js3", "amount": 4}], "status": 201, "count": 2
    },
    "insert minimal": {"data": None, "status": 201},
    "upsert": {"data": [{"amount": 9}], "status": 200},
    "upsert ignoring": {"data": [], "status": 201},
    "update": {"data": [{"note": "new"}], "status": 200, "count": 1},
    "delete": {"data": None, "status": 204, "count": 4},
    "rpc": {"data": 5, "status": 200},
    "rpc get": {"data": [1, 2, 3], "status": 200},
    "rpc head": {"data": None, "status": 200, "count": 2},
    "rpc filtered": {"data": [{"id": 3, "genres": [{"name": "novel"}, {"name": "travel"}]}], "status": 200},
    "schema": {"data": {"email": "ann@example.com"}, "status": 200},
}  # fmt: skip
OTHERS = {"explain": True, "throwOnError": "PGRST205", "abortSignal": True}


@pytest.fixture(scope="module")
def operated(library: Stack) -> Iterator[Stack]:
    """The library project with plans and rollbacks allowed to its clients."""
    settings = {"db_plan_enabled": "true", "db_tx_end": "commit-allow-override"}
    if not library.db_url:
        pytest.skip("COMPAT_DB_URL is not set: the project's settings are in its database")
    with psycopg.connect(library.db_url, autocommit=True) as connection:
        for name, value in settings.items():
            connection.execute(f"alter role authenticator set pgrst.{name} = '{value}'".encode())
        connection.execute("notify pgrst, 'reload config'")
        client = new_client(library)
        until(lambda: "Plan" in str(client.table("genres").select("id").explain(format="json").execute()))
        yield library
        for name in settings:
            connection.execute(f"alter role authenticator reset pgrst.{name}".encode())
        connection.execute("notify pgrst, 'reload config'")


def until(holds: Callable[[], bool]) -> None:
    for _ in range(200):
        try:
            if holds():
                return
        except APIError:
            continue
    raise AssertionError("the settings did not come into force")


def new_client(stack: Stack) -> Client:
    options = ClientOptions(auto_refresh_token=False, persist_session=False)
    return create_client(stack.api_url, stack.secret_key, options)


@pytest.fixture(scope="module")
def seen(operated: Stack) -> dict[str, Any]:
    done = subprocess.run(
        ["node", "tests/compat/builders.mjs", operated.api_url, operated.secret_key],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    return results


def test_every_builder_method_has_a_test(seen: dict[str, Any]) -> None:
    assert set(seen) == IDS.keys() | RESPONSES.keys() | OTHERS.keys()


@pytest.mark.parametrize("name", IDS)
def test_javascript_filters_and_orders(seen: dict[str, Any], name: str) -> None:
    assert seen[name] == IDS[name]


@pytest.mark.parametrize("name", RESPONSES)
def test_javascript_reads_writes_and_calls(seen: dict[str, Any], name: str) -> None:
    assert seen[name] == RESPONSES[name]


def test_javascript_explains_throws_and_aborts(seen: dict[str, Any]) -> None:
    assert {name: seen[name] for name in OTHERS} == OTHERS


Build = Callable[[Any], Any]
PYTHON_FILTERS: dict[str, tuple[Build, list[int]]] = {
    "eq": (lambda q: q.eq("title", "Salt"), [3]),
    "neq": (lambda q: q.neq("id", 1), [2, 3, 4, 5]),
    "gt": (lambda q: q.gt("price", 10.5), [3]),
    "gte": (lambda q: q.gte("price", 10.5), [1, 3]),
    "lt": (lambda q: q.lt("price", 7), [5]),
    "lte": (lambda q: q.lte("price", 7), [2, 5]),
    "like": (lambda q: q.like("title", "%Land"), [2]),
    "like_all_of": (lambda q: q.like_all_of("title", "%i%,%S%"), [1]),
    "like_any_of": (lambda q: q.like_any_of("title", "Dry%,Sal%"), [2, 3]),
    "ilike": (lambda q: q.ilike("title", "%LAND"), [2]),
    "ilike_all_of": (lambda q: q.ilike_all_of("title", "%I%,%s%"), [1, 4]),
    "ilike_any_of": (lambda q: q.ilike_any_of("title", "dry%,sal%"), [2, 3]),
    "is_": (lambda q: q.is_("in_print", "true"), [1, 3, 5]),
    "in_": (lambda q: q.in_("title", ["Salt", 'Untitled, "perhaps"']), [3, 4]),
    "contains": (lambda q: q.contains("published", "[2006-01-01,2006-02-01)"), [1, 2]),
    "contained_by": (lambda q: q.contained_by("published", "[2000-01-01,2020-01-01)"), [1]),
    "ov": (lambda q: q.overlaps("published", "[2009-01-01,2011-01-01)"), [1, 2]),
    "sl": (lambda q: q.range_lt("published", ["2011-01-01", "2012-01-01"]), [1]),
    "sr": (lambda q: q.range_gt("published", ["1990-01-01", "1991-01-01"]), [1, 2]),
    "nxl": (lambda q: q.range_gte("published", ["2001-01-01", "2002-01-01"]), [2]),
    "nxr": (lambda q: q.range_lte("published", ["2001-01-01", "2010-01-02"]), [1]),
    "adj": (lambda q: q.range_adjacent("published", ["2010-01-01", "2011-01-01"]), []),
    "match": (lambda q: q.match({"author_id": 2, "in_print": True}), [3, 5]),
    "not_": (lambda q: q.not_.is_("price", "null").not_.in_("id", [1, 2]), [3, 5]),
    "or_": (lambda q: q.or_("id.eq.1,and(price.gt.6,price.lt.8)"), [1, 2]),
    "filter": (lambda q: q.filter("details->>lang", "eq", "fr"), [2]),
    "limit": (lambda q: q.limit(2), [1, 2]),
    "offset": (lambda q: q.limit(2).offset(1), [2, 3]),
    "range": (lambda q: q.range(1, 2), [2, 3]),
}


@pytest.fixture(scope="module")
def client(operated: Stack) -> Client:
    return new_client(operated)


@pytest.mark.parametrize("name", PYTHON_FILTERS)
def test_python_filters_select_rows(client: Client, name: str) -> None:
    build, expected = PYTHON_FILTERS[name]
    response = build(client.table("books").select("id").order("id")).execute()
    assert [row["id"] for row in response.data] == expected


@pytest.mark.parametrize(
    ("method", "query", "expected"),
    [
        ("fts", "river & water", [1]),
        ("plfts", "sailed wrote", [2]),
        ("phfts", "running water", [1]),
        ("wfts", "rivers -sailed", [1]),
    ],
)
def test_python_searches_texts(client: Client, method: str, query: str, expected: list[int]) -> None:
    built = getattr(client.table("biographies").select("author_id"), method)("search", query)
    assert [row["author_id"] for row in built.execute().data] == expected
    searched = (
        client.table("biographies").select("author_id").text_search("body", "rivers", {"config": "english"})
    )
    assert [row["author_id"] for row in rows(searched.execute().data)] == [1]


def rows(data: Any) -> list[dict[str, Any]]:
    assert isinstance(data, list)
    return data


def test_python_counts_shapes_and_explains(client: Client) -> None:
    books = client.table("books")
    assert books.select("id", count=CountMethod.exact, head=True).execute().count == 5
    assert books.select("title").eq("id", 3).single().execute().data == {"title": "Salt"}
    assert books.select("title").eq("id", 99).maybe_single().execute() is None
    assert client.table("genres").select("id,name").lte("id", 2).order("id").csv().execute().data == (
        "id,name\n1,poetry\n2,novel"
    )
    assert books.select("id,isbn").eq("id", 3).strip_nulls().execute().data == [{"id": 3}]
    assert "Plan" in str(books.select("id").explain(analyze=True, verbose=True, format="json").execute())
    assert (
        rows(books.select("id").order("price", desc=True, nullsfirst=True).limit(1).execute().data)[0]["id"]
        == 4
    )
    assert books.select("id").eq("id", 1).retry(False).execute().data == [{"id": 1}]


def test_python_writes_and_calls(client: Client) -> None:
    counters = client.table("counters")
    new: list[dict[str, object]] = [{"name": "py"}, {"name": "py2", "amount": 4}]
    made = counters.insert(new, default_to_null=False).execute()
    assert [row["amount"] for row in rows(made.data)] == [5, 4]
    assert (
        rows(counters.upsert({"name": "py", "amount": 9}, on_conflict="name").execute().data)[0]["doubled"]
        == 18
    )
    assert counters.upsert({"name": "py"}, ignore_duplicates=True).execute().data == []
    assert rows(counters.update({"note": "new"}).eq("name", "py").execute().data)[0]["note"] == "new"
    with pytest.raises(APIError) as caught:
        counters.delete().like("name", "py%").max_affected(1).execute()
    assert caught.value.code == "PGRST124"
    assert counters.delete(count=CountMethod.exact).like("name", "py%").execute().count == 2
    assert client.rpc("add_numbers", {"a": 2, "b": 3}).execute().data == 5
    called = client.rpc("books_by", {"writer": "Ben Ink"}, get=True).select("id").gt("price", 8).order("id")
    assert called.execute().data == [{"id": 3}]
    assert client.schema("crm").table("customers").select("email").eq("id", 1).execute().data == [
        {"email": "ann@example.com"}
    ]
