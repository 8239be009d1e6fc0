"""Windows and counts, and the forms that a body can have."""

from __future__ import annotations

import json

import pytest

from tests.localbase.integration.rest.conftest import Api, error

BOOKS = "/books?select=id&order=id&id=lt.100"


@pytest.mark.parametrize(
    ("url", "headers", "status", "content_range", "ids"),
    [
        (BOOKS, {}, 200, "0-4/*", [1, 2, 3, 4, 5]),
        (BOOKS, {"prefer": "count=exact"}, 200, "0-4/5", [1, 2, 3, 4, 5]),
        (BOOKS, {"prefer": "count=estimated"}, 200, "0-4/5", [1, 2, 3, 4, 5]),
        (BOOKS, {"prefer": "count=exact", "range": "1-2"}, 206, "1-2/5", [2, 3]),
        (BOOKS, {"range": "1-2"}, 200, "1-2/*", [2, 3]),
        (BOOKS, {"range": "3-"}, 200, "3-4/*", [4, 5]),
        (BOOKS + "&limit=2&offset=3", {"prefer": "count=exact"}, 206, "3-4/5", [4, 5]),
        (BOOKS + "&limit=0", {}, 200, "*/*", []),
        (BOOKS + "&offset=5", {"prefer": "count=exact"}, 206, "*/5", []),
        (BOOKS + "&id=eq.99", {"prefer": "count=exact"}, 200, "*/0", []),
    ],
)
def test_content_range_names_the_window(
    api: Api, url: str, headers: dict[str, str], status: int, content_range: str, ids: list[int]
) -> None:
    response = api.get(url, **headers)
    assert (response.status_code, response.headers["content-range"]) == (status, content_range)
    assert [row["id"] for row in response.json()] == ids


def test_planned_count_is_the_planners(api: Api) -> None:
    response = api.get(BOOKS, prefer="count=planned")
    assert response.headers["preference-applied"] == "count=planned"
    assert int(response.headers["content-range"].split("/")[1]) > 0


def test_window_behind_the_end_is_not_satisfiable(api: Api) -> None:
    response = api.get(BOOKS, prefer="count=exact", range="9-12")
    assert response.status_code == 416
    assert response.headers["content-range"] == "*/5"
    assert response.json() == {
        "code": "PGRST103",
        "message": "Requested range not satisfiable",
        "details": "An offset of 9 was requested, but there are only 5 rows.",
        "hint": None,
    }
    assert error(api.get(BOOKS, range="3-1"))[1]["details"] == (
        "The lower boundary must be lower than or equal to the upper boundary in the Range header."
    )


def test_counts_see_inner_embeddings_and_absences(api: Api) -> None:
    inner = api.get("/books?select=id,genres!inner(id)&genres.name=eq.novel&limit=1", prefer="count=exact")
    assert inner.headers["content-range"] == "0-0/2"
    absent = api.get("/genres?select=id,books()&books=not.is.null&limit=1", prefer="count=exact")
    assert absent.headers["content-range"] == "0-0/3"


def test_head_responds_without_a_body(api: Api) -> None:
    response = api.request("HEAD", BOOKS, prefer="count=exact")
    assert (response.status_code, response.content, response.headers["content-range"]) == (200, b"", "0-4/5")
    assert api.request("HEAD", "/nope").status_code == 404


def test_single_object_needs_exactly_one_row(api: Api) -> None:
    accept = "application/vnd.pgrst.object+json"
    response = api.get("/genres?id=eq.1", accept=accept)
    assert response.json() == {"id": 1, "name": "poetry"}
    assert response.headers["content-type"] == "application/vnd.pgrst.object+json; charset=utf-8"
    for url, rows in (("/genres?id=eq.99", 0), ("/genres", 4)):
        assert error(api.get(url, accept=accept)) == (
            406,
            {
                "code": "PGRST116",
                "message": "Cannot coerce the result to a single JSON object",
                "details": f"The result contains {rows} rows",
                "hint": None,
            },
        )


def test_nulls_can_be_stripped(api: Api) -> None:
    accept = "application/vnd.pgrst.array+json;nulls=stripped"
    response = api.get("/books?select=id,price&id=in.(3,4)&order=id", accept=accept)
    assert response.json() == [{"id": 3, "price": 20.0}, {"id": 4}]
    single = "application/vnd.pgrst.object+json;nulls=stripped"
    assert api.get("/books?select=id,price&id=eq.4", accept=single).json() == {"id": 4}


def test_csv_has_a_header_and_quotes(api: Api) -> None:
    response = api.get("/books?select=id,title,price&id=in.(3,4)&order=id", accept="text/csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.text == 'id,title,price\n3,Salt,20.00\n4,"Untitled, ""perhaps""",'


def test_unknown_media_types_are_not_acceptable(api: Api) -> None:
    assert error(api.get(BOOKS, accept="text/html, image/png")) == (
        406,
        {
            "code": "PGRST107",
            "message": "None of these media types are available: text/html, image/png",
            "details": None,
            "hint": None,
        },
    )
    assert api.get(BOOKS, accept="text/html, */*").status_code == 200


def test_openapi_describes_what_the_caller_may_use(api: Api) -> None:
    response = api.get("/", role="anon", accept="application/openapi+json")
    assert response.headers["content-type"] == "application/openapi+json; charset=utf-8"
    document = json.loads(response.text)
    assert document["swagger"] == "2.0"
    assert "/secrets" not in document["paths"]
    assert "/rpc/only_for_service" not in document["paths"]
    assert set(document["paths"]["/rpc/greet"]) == {"get", "post"}
    assert set(document["paths"]["/rpc/forget"]) == {"post"}
    assert set(document["paths"]["/author_totals"]) == {"get"}
    authors = document["definitions"]["authors"]
    assert authors["required"] == ["id", "name", "tags", "profile"]
    assert authors["properties"]["id"] == {
        "format": "int32",
        "type": "integer",
        "description": "Note:\nThis is a Primary Key.<pk/>",
    }
    assert authors["properties"]["mentor_id"]["description"] == (
        "Note:\nThis is a Foreign Key to `authors.id`.<fk table='authors' column='id'/>"
    )
    assert authors["properties"]["tags"] == {"format": "text[]", "type": "array", "items": {"type": "string"}}
    assert document["definitions"]["shelves"]["properties"]["kind"]["enum"] == [
        "fiction",
        "science",
        "history",
    ]
    assert document["paths"]["/authors"]["get"]["summary"] == "People who write"
    assert "/secrets" in api.get("/").json()["paths"]


def test_openapi_describes_each_schema(api: Api) -> None:
    document = api.get("/", accept_profile="crm").json()
    assert (document["info"]["title"], document["info"]["description"]) == ("Customers", "Who buys what.")
    assert {"/customers", "/invoices", "/debtors", "/rpc/owed"} < set(document["paths"])
    assert "/books" not in document["paths"]
