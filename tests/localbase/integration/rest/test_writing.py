"""Inserting, updating, upserting, deleting: stored rows, responses and errors."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.localbase.integration.rest.conftest import Api, error, until

FULL = "return=representation"


def stored(database: psycopg.Connection) -> dict[str, int]:
    return dict(database.execute("select name, amount from counters order by name").fetchall())


def row(name: str, amount: int, note: str | None = "none") -> dict[str, Any]:
    return {"name": name, "amount": amount, "doubled": amount * 2, "note": note}


def test_insert_returns_nothing_by_default(api: Api, counters: psycopg.Connection) -> None:
    response = api.request("POST", "/counters", json={"name": "c", "amount": 3})
    assert (response.status_code, response.content, response.headers["content-range"]) == (201, b"", "*/*")
    assert "preference-applied" not in response.headers
    assert stored(counters) == {"a": 1, "b": 2, "c": 3}


def test_insert_returns_its_rows(api: Api, counters: psycopg.Connection) -> None:
    response = api.request(
        "POST", "/counters", json=[{"name": "c"}, {"name": "d"}], prefer=f"{FULL},count=exact"
    )
    assert (response.status_code, response.json()) == (201, [row("c", 5), row("d", 5)])
    assert response.headers["content-range"] == "*/2"
    assert response.headers["preference-applied"] == "return=representation, count=exact"


def test_insert_returns_the_location_of_its_row(api: Api, counters: psycopg.Connection) -> None:
    response = api.request("POST", "/counters", json={"name": "c d"}, prefer="return=headers-only")
    assert (response.status_code, response.content, response.headers["location"]) == (
        201,
        b"",
        "/counters?name=eq.c%20d",
    )


def test_inserted_rows_can_embed_others(api: Api, database: psycopg.Connection) -> None:
    url = "/reviews?select=stars,books(title,authors!books_author_id_fkey(name))"
    response = api.request("POST", url, json={"book_id": 2, "stars": 1}, prefer=FULL)
    assert response.json() == [{"stars": 1, "books": {"title": "Dry Land", "authors": {"name": "Ada Quill"}}}]
    database.execute("delete from reviews where book_id = 2")


def test_inserted_rows_can_show_computed_columns(api: Api, database: psycopg.Connection) -> None:
    response = api.request("POST", "/authors?select=*,initials", json={"name": "Ed Gar"}, prefer=FULL)
    assert {k: v for k, v in response.json()[0].items() if k in ("name", "initials")} == {
        "name": "Ed Gar",
        "initials": "EG",
    }
    database.execute("delete from authors where name = 'Ed Gar'")


def test_only_named_columns_are_written(api: Api, counters: psycopg.Connection) -> None:
    body = [{"name": "c", "amount": 1, "junk": 9}, {"name": "d", "amount": 2}]
    response = api.request("POST", "/counters?columns=name,amount", json=body, prefer=FULL)
    assert response.json() == [row("c", 1), row("d", 2)]


def test_missing_values_can_be_defaults(api: Api, counters: psycopg.Connection) -> None:
    url = "/counters?columns=name,amount,note"
    response = api.request(
        "POST", url, json=[{"name": "c"}, {"name": "d", "note": None}], prefer=f"{FULL},missing=default"
    )
    assert response.json() == [row("c", 5), row("d", 5, None)]
    assert response.headers["preference-applied"] == "missing=default, return=representation"
    one = api.request("POST", url, json={"name": "e"}, prefer=f"{FULL},missing=default")
    assert one.json() == [row("e", 5)]


def test_empty_objects_are_rows_of_defaults(api: Api, database: psycopg.Connection) -> None:
    for body, rows in (({}, 1), ([{}, {}], 2), ([], 0)):
        response = api.request("POST", "/keyless", json=body, prefer=FULL)
        assert (response.status_code, response.json()) == (201, [{"value": None, "number": None}] * rows)
    database.execute("delete from keyless")


def test_csv_and_forms_are_inserted(api: Api, counters: psycopg.Connection) -> None:
    csv = api.request(
        "POST", "/counters", content="name,note\nc,NULL\nd,x", prefer=FULL, content_type="text/csv"
    )
    assert csv.json() == [row("c", 5, None), row("d", 5, "x")]
    form = "application/x-www-form-urlencoded"
    response = api.request("POST", "/counters", content="name=e+f&amount=7", prefer=FULL, content_type=form)
    assert response.json() == [row("e f", 7)]


@pytest.mark.parametrize(
    ("body", "status", "inserted"),
    [
        ([{"name": "a", "amount": 9}], 200, {"a": 9, "b": 2}),
        ([{"name": "a", "amount": 9}, {"name": "c", "amount": 3}], 201, {"a": 9, "b": 2, "c": 3}),
    ],
)
def test_duplicates_are_merged(
    api: Api, counters: psycopg.Connection, body: list[dict[str, Any]], status: int, inserted: dict[str, int]
) -> None:
    response = api.request("POST", "/counters", json=body, prefer=f"{FULL},resolution=merge-duplicates")
    assert (response.status_code, response.json()) == (status, [row(**item) for item in body])
    assert response.headers["preference-applied"] == "resolution=merge-duplicates, return=representation"
    assert stored(counters) == inserted


def test_duplicates_are_ignored(api: Api, counters: psycopg.Connection) -> None:
    body = [{"name": "a", "amount": 9}, {"name": "c", "amount": 3}]
    response = api.request("POST", "/counters", json=body, prefer=f"{FULL},resolution=ignore-duplicates")
    assert (response.status_code, response.json()) == (201, [row("c", 3)])
    assert stored(counters) == {"a": 1, "b": 2, "c": 3}


def test_conflict_target_can_be_other_columns(api: Api, database: psycopg.Connection) -> None:
    prefer = f"{FULL},resolution=merge-duplicates"
    response = api.request(
        "POST", "/logins?on_conflict=email", json={"email": "one@example.com", "seen": 4}, prefer=prefer
    )
    assert (response.status_code, response.json()) == (
        200,
        [{"id": 1, "email": "one@example.com", "seen": 4}],
    )
    database.execute("update logins set seen = 0")


def test_update_changes_the_filtered_rows(api: Api, counters: psycopg.Connection) -> None:
    response = api.request("PATCH", "/counters?name=eq.a", json={"amount": 7}, prefer=f"{FULL},count=exact")
    assert (response.status_code, response.json()) == (200, [row("a", 7)])
    assert response.headers["content-range"] == "0-0/1"
    silent = api.request("PATCH", "/counters?or=(name.eq.a,name.eq.b)", json={"note": "n"})
    assert (silent.status_code, silent.content, silent.headers["content-range"]) == (204, b"", "0-1/*")
    assert stored(counters) == {"a": 7, "b": 2}


def test_empty_update_changes_nothing(api: Api, counters: psycopg.Connection) -> None:
    response = api.request("PATCH", "/counters", json={}, prefer=FULL)
    assert (response.status_code, response.json(), response.headers["content-range"]) == (200, [], "*/*")
    none = api.request("PATCH", "/counters?name=eq.zzz", json={"amount": 1}, prefer=FULL)
    assert (none.status_code, none.json()) == (200, [])


def test_delete_returns_the_deleted_rows(api: Api, counters: psycopg.Connection) -> None:
    response = api.request("DELETE", "/counters?name=eq.a&select=name", prefer=FULL)
    assert (response.status_code, response.json(), response.headers["content-range"]) == (
        200,
        [{"name": "a"}],
        "*/*",
    )
    silent = api.request("DELETE", "/counters?name=eq.b", prefer="count=exact")
    assert (silent.status_code, silent.content, silent.headers["content-range"]) == (204, b"", "*/1")
    assert stored(counters) == {}


def test_put_stores_one_row_by_its_key(api: Api, counters: psycopg.Connection) -> None:
    made = api.request("PUT", "/counters?name=eq.c", json={"name": "c", "amount": 3}, prefer=FULL)
    assert (made.status_code, made.json()) == (201, [row("c", 3)])
    changed = api.request("PUT", "/counters?name=eq.c", json={"name": "c", "amount": 4}, prefer=FULL)
    assert (changed.status_code, changed.json()) == (200, [row("c", 4)])
    assert api.request("PUT", "/counters?name=eq.c", json={"name": "c", "amount": 5}).status_code == 204
    assert stored(counters)["c"] == 5


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("/counters?name=eq.other", 400, "PGRST115"),
        ("/counters?amount=eq.1", 405, "PGRST105"),
        ("/counters", 405, "PGRST105"),
        ("/counters?name=eq.c&or=(amount.eq.1)", 405, "PGRST105"),
        ("/counters?name=eq.c&limit=1", 400, "PGRST114"),
        ("/keyless?value=eq.c", 405, "PGRST105"),
    ],
)
def test_put_without_a_key_is_rejected(
    api: Api, counters: psycopg.Connection, url: str, status: int, code: str
) -> None:
    status_code, body = error(
        api.request("PUT", url, json={"name": "c", "amount": 3} if "counters" in url else {"value": "c"})
    )
    assert (status_code, body["code"]) == (status, code)
    assert stored(counters) == {"a": 1, "b": 2}


def test_change_of_too_many_rows_is_rolled_back(api: Api, counters: psycopg.Connection) -> None:
    prefer = f"{FULL},handling=strict,max-affected=1"
    assert error(api.request("PATCH", "/counters?amount=gt.0", json={"amount": 0}, prefer=prefer)) == (
        400,
        {
            "code": "PGRST124",
            "message": "Query result exceeds max-affected preference constraint",
            "details": "The query affects 2 rows",
            "hint": None,
        },
    )
    accept = "application/vnd.pgrst.object+json"
    status, body = error(api.request("DELETE", "/counters?amount=gt.0", prefer=FULL, accept=accept))
    assert (status, body["code"], body["details"]) == (406, "PGRST116", "The result contains 2 rows")
    assert stored(counters) == {"a": 1, "b": 2}
    one = api.request("DELETE", "/counters?name=eq.a", prefer=prefer, accept=accept)
    assert one.json() == row("a", 1)


@pytest.mark.parametrize("url", ["/counters", "/counters?limit=1&order=name", "/counters?select=name"])
@pytest.mark.parametrize(("method", "verb"), [("DELETE", "DELETE"), ("PATCH", "UPDATE")])
def test_change_without_a_filter_is_refused(
    api: Api, counters: psycopg.Connection, method: str, verb: str, url: str
) -> None:
    body = {"amount": 0} if method == "PATCH" else None
    # Asked again, it is as the prepared request that would be found by then.
    for _ in range(2):
        assert error(api.request(method, url, json=body, prefer=FULL)) == (
            400,
            {"code": "21000", "message": f"{verb} requires a WHERE clause", "details": None, "hint": None},
        )
    assert stored(counters) == {"a": 1, "b": 2}
    assert api.request(method, "/counters?name=not.is.null", json=body).status_code == 204


def test_change_without_a_filter_follows_the_login_roles_setting(
    api: Api, counters: psycopg.Connection
) -> None:
    counters.execute("alter role authenticator set safeupdate.enabled = off; notify pgrst, 'reload config'")
    try:
        done = until(lambda: api.request("DELETE", "/counters"), lambda response: response.status_code == 204)
        assert (done.status_code, stored(counters)) == (204, {})
    finally:
        counters.execute(
            "alter role authenticator set safeupdate.enabled = on; notify pgrst, 'reload config'"
        )
    until(lambda: api.request("DELETE", "/counters"), lambda response: response.status_code == 400)


@pytest.mark.parametrize(
    ("url", "body", "status", "expected"),
    [
        ("/counters", {"name": "a"}, 409, {
            "code": "23505", "message": 'duplicate key value violates unique constraint "counters_pkey"',
            "details": "Key (name)=(a) already exists.", "hint": None}),
        ("/reviews", {"book_id": 999, "stars": 3}, 409, {
            "code": "23503", "details": 'Key (book_id)=(999) is not present in table "books".', "hint": None,
            "message": 'insert or update on table "reviews" violates foreign key constraint "reviews_book_id_fkey"'}),
        ("/counters", {"name": "c", "amount": "many"}, 400, {
            "code": "22P02", "message": 'invalid input syntax for type integer: "many"',
            "details": None, "hint": None}),
        ("/counters", {"name": "c", "nope": 1}, 400, {
            "code": "PGRST204", "message": "Could not find the 'nope' column of 'counters' in the schema cache",
            "details": None, "hint": None}),
        ("/counters", {"name": "c", "doubled": 1}, 400, {
            "code": "428C9", "message": 'cannot insert a non-DEFAULT value into column "doubled"',
            "details": 'Column "doubled" is a generated column.', "hint": None}),
        ("/counters", [{"name": "c"}, {"amount": 1}], 400, {
            "code": "PGRST102", "message": "All object keys must match", "details": None, "hint": None}),
    ],
)  # fmt: skip
def test_rejected_row_names_the_reason(
    api: Api, counters: psycopg.Connection, url: str, body: Any, status: int, expected: dict[str, Any]
) -> None:
    assert error(api.request("POST", url, json=body)) == (status, expected)
    assert stored(counters) == {"a": 1, "b": 2}


def test_invalid_json_is_rejected(api: Api) -> None:
    for body in ("", "{bad", "\x00"):
        status, response = error(
            api.request("POST", "/counters", content=body, content_type="application/json")
        )
        assert (status, response["code"], response["message"]) == (400, "PGRST102", "Empty or invalid json")
    status, response = error(api.request("POST", "/counters", content="x", content_type="text/html"))
    assert (status, response["message"]) == (400, "Content-Type not acceptable: text/html")


def test_unknown_preferences_are_errors_with_strict_handling(api: Api, counters: psycopg.Connection) -> None:
    status, body = error(
        api.request("POST", "/counters", json={"name": "q"}, prefer="handling=strict, odd, odder=1")
    )
    assert (status, body["code"], body["details"]) == (400, "PGRST122", "Invalid preferences: odd, odder=1")
    lenient = api.request("POST", "/counters", json={"name": "q"}, prefer="handling=lenient, odd")
    assert (lenient.status_code, lenient.headers["preference-applied"]) == (201, "handling=lenient")


def test_views_are_writable(api: Api, database: psycopg.Connection) -> None:
    made = api.request("POST", "/novels?select=title", json={"title": "Through", "writer_id": 2}, prefer=FULL)
    assert (made.status_code, made.json()) == (201, [{"title": "Through"}])
    assert database.execute("delete from books where title = 'Through' returning author_id").fetchall() == [
        (2,)
    ]
