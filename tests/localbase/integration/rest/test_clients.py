"""The official Python client against the library project, as an application would use it."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from postgrest import APIError, CountMethod

from supabase import Client, ClientOptions, create_client
from tests.support.stacks import Stack


@pytest.fixture(scope="module")
def client(library: Stack) -> Client:
    options = ClientOptions(auto_refresh_token=False, persist_session=False)
    return create_client(library.api_url, library.secret_key, options)


def test_client_selects_filters_orders_and_counts(client: Client) -> None:
    response = (
        client.table("books")
        .select("id, title, author:authors!books_author_id_fkey(name)", count=CountMethod.exact)
        .in_("id", [1, 2, 3])
        .ilike("title", "%s%")
        .not_.is_("price", "null")
        .order("price", desc=True)
        .range(0, 0)
        .execute()
    )
    assert response.data == [{"id": 3, "title": "Salt", "author": {"name": "Ben Ink"}}]
    assert response.count == 2


def test_client_joins_conditions(client: Client) -> None:
    response = client.table("books").select("id").or_("id.eq.1,title.eq.Salt").order("id").execute()
    assert response.data == [{"id": 1}, {"id": 3}]
    contains = client.table("authors").select("id").contains("tags", ["poet"]).order("id").execute()
    assert contains.data == [{"id": 1}, {"id": 4}]


def test_client_takes_one_row_or_none(client: Client) -> None:
    assert client.table("genres").select("*").eq("id", 1).single().execute().data == {
        "id": 1,
        "name": "poetry",
    }
    assert client.table("genres").select("*").eq("id", 99).maybe_single().execute() is None
    with pytest.raises(APIError) as caught:
        client.table("genres").select("*").single().execute()
    assert caught.value.code == "PGRST116"


def test_client_inserts_updates_and_deletes(client: Client, counters: psycopg.Connection) -> None:
    table = client.table("counters")
    made = table.insert([{"name": "x", "amount": 1}, {"name": "y", "amount": 2}]).execute()
    assert [row["name"] for row in rows(made.data)] == ["x", "y"]
    merged = client.table("counters").upsert({"name": "x", "amount": 10}).execute()
    assert rows(merged.data)[0]["amount"] == 10
    changed = client.table("counters").update({"note": "n"}).eq("name", "y").execute()
    assert rows(changed.data)[0]["note"] == "n"
    gone = client.table("counters").delete().in_("name", ["x", "y"]).execute()
    assert len(gone.data) == 2


def test_client_calls_functions(client: Client) -> None:
    assert client.rpc("add_numbers", {"a": 2}).execute().data == 12
    named = client.rpc("books_by", {"writer": "Ben Ink"}, get=True).select("id").gt("price", 8).execute()
    assert named.data == [{"id": 3}]


def test_client_reaches_another_schema(client: Client) -> None:
    response = client.schema("crm").table("customers").select("email").eq("id", 1).execute()
    assert response.data == [{"email": "ann@example.com"}]


def rows(data: Any) -> list[dict[str, Any]]:
    assert isinstance(data, list)
    return data
