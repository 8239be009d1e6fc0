"""Calling functions: arguments from URL, body or form; overloads; every kind of result; what they raise."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.localbase.integration.rest.conftest import Api, error


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("add_numbers?a=1", 11),
        ("add_numbers?a=1&b=2", 3),
        ("greet", "hello"),
        ("greet?name=Bo", "hello Bo"),
        ("sum_all?numbers=1&numbers=2&numbers=3", 6),
        ("sum_all?numbers=5", 5),
        ("numbers_to?n=3", [1, 2, 3]),
        ("numbers_to?n=5&limit=2&offset=1", [2, 3]),
        ("books_by?writer=Ben Ink&select=title&price=gt.8", [{"title": "Salt"}]),
        ("books_by?writer=Ben Ink&select=id,genres(name)&id=eq.3&genres.order=name",
         [{"id": 3, "genres": [{"name": "novel"}, {"name": "travel"}]}]),
        ("one_author?id=2&select=name,initials,biographies(author_id)",
         {"name": "Ben Ink", "initials": "BI", "biographies": {"author_id": 2}}),
        ("price_list?order=price.desc.nullslast&limit=1", [{"title": "Salt", "price": 20.0}]),
        ("pair", {"first": 1, "second": "two"}),
        ("pair?select=second", {"second": "two"}),
        ('takes_many?a={"k":1}&b={x,"y z"}&C d=2020-01-01', {"a": {"k": 1}, "b": ["x", "y z"], "c": "2020-01-01"}),
        ("nothing_text", None),
    ],
)  # fmt: skip
def test_get_takes_arguments_from_the_url(api: Api, call: str, result: Any) -> None:
    assert api.rows(f"/rpc/{call}") == result


@pytest.mark.parametrize(
    ("name", "body", "result"),
    [
        ("add_numbers", {"a": 5}, 15),
        ("greet", {}, "hello"),
        ("greet", None, "hello"),
        ("sum_all", {"numbers": [1, 2, 3]}, 6),
        ("echo_json", {"x": [1]}, {"x": [1]}),
        ("takes_many", {"a": [1], "b": ["p"], "C d": None}, {"a": [1], "b": ["p"], "c": None}),
        ("numbers_to", {"n": 2}, [1, 2]),
        ("one_author?select=name", {"id": 1}, {"name": "Ada Quill"}),
    ],
)
def test_post_takes_arguments_from_the_body(api: Api, name: str, body: Any, result: Any) -> None:
    response = api.request("POST", f"/rpc/{name}", json=body)
    assert (response.status_code, response.json()) == (200, result)


def test_forms_texts_and_bytes_are_arguments(api: Api) -> None:
    form = api.request(
        "POST", "/rpc/greet", content="name=a+b", content_type="application/x-www-form-urlencoded"
    )
    assert form.json() == "hello a b"
    assert api.request("POST", "/rpc/echo_text", content="hi", content_type="text/plain").json() == "hi"
    raw = api.request(
        "POST", "/rpc/echo_bytes", content=b"a\x00\xff", content_type="application/octet-stream"
    )
    assert raw.json() == 3


def test_function_without_result_has_no_body(api: Api) -> None:
    for response in (
        api.request("POST", "/rpc/forget", json={}),
        api.get("/rpc/forget"),
        api.request("POST", "/rpc/note_down", content="x", content_type="text/plain"),
    ):
        assert (response.status_code, response.content) == (204, b"")


def test_function_can_write_only_by_post(api: Api, counters: psycopg.Connection) -> None:
    response = api.request("POST", "/rpc/add_counter?select=name,doubled", json={"name": "c", "amount": 4})
    assert response.json() == {"name": "c", "doubled": 8}
    assert error(api.get("/rpc/write_in_get")) == (
        405,
        {
            "code": "25006",
            "message": "cannot execute INSERT in a read-only transaction",
            "details": None,
            "hint": None,
        },
    )


def test_results_are_counted_and_single(api: Api) -> None:
    counted = api.request("POST", "/rpc/numbers_to?limit=2", json={"n": 5}, prefer="count=exact")
    assert (counted.status_code, counted.headers["content-range"]) == (206, "0-1/5")
    head = api.request("HEAD", "/rpc/numbers_to?n=4", prefer="count=exact")
    assert (head.content, head.headers["content-range"]) == (b"", "0-3/4")
    accept = "application/vnd.pgrst.object+json"
    assert api.request("POST", "/rpc/numbers_to", json={"n": 1}, accept=accept).json() == 1
    status, body = error(api.request("POST", "/rpc/numbers_to", json={"n": 2}, accept=accept))
    assert (status, body["code"]) == (406, "PGRST116")


def test_function_can_set_status_and_headers(api: Api) -> None:
    response = api.get("/rpc/tell_headers")
    assert (response.status_code, response.json()) == (202, "told")
    assert (response.headers["x-told"], response.headers["cache-control"]) == ("yes", "no-store")
    status, body = error(api.get("/rpc/bad_headers"))
    assert (status, body["code"]) == (500, "PGRST111")


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [
        ("raise_plain", 400, ("P0001", "No more tea", "The pot is empty", "Boil water")),
        ("raise_status", 402, ("PT402", "Payment Required", "Quota exceeded", "Upgrade your plan")),
        ("raise_whole", 429, ("123", "Limited", "Only so many", "Wait")),
    ],
)
def test_raised_error_is_the_response(
    api: Api, name: str, status: int, expected: tuple[str, str, str, str]
) -> None:
    response = api.request("POST", f"/rpc/{name}", json={})
    code, message, details, hint = expected
    assert error(response) == (status, {"code": code, "message": message, "details": details, "hint": hint})
    assert response.headers.get("retry-after") == ("9" if name == "raise_whole" else None)


def test_malformed_pgrst_raise_is_reported(api: Api) -> None:
    status, body = error(api.request("POST", "/rpc/raise_unreadable", json={}))
    assert (status, body["code"], body["details"]) == (
        500,
        "PGRST121",
        "Invalid JSON value for MESSAGE: 'not json'",
    )


@pytest.mark.parametrize(
    ("method", "url", "body", "expected"),
    [
        ("GET", "/rpc/greeet", None, (
            "Could not find the function public.greeet without parameters in the schema cache",
            "Searched for the function public.greeet without parameters, but no matches were found in the schema "
            "cache.",
            "Perhaps you meant to call the function public.greet")),
        ("POST", "/rpc/add_numbers", {"a": 1, "zz": 2}, (
            "Could not find the function public.add_numbers(a, zz) in the schema cache",
            "Searched for the function public.add_numbers with parameters a, zz or with a single unnamed json/jsonb "
            "parameter, but no matches were found in the schema cache.",
            "Perhaps you meant to call the function public.add_numbers(a, b)")),
    ],
)  # fmt: skip
def test_unknown_function_is_rejected_with_a_hint(
    api: Api, method: str, url: str, body: Any, expected: tuple[str, str, str]
) -> None:
    message, details, hint = expected
    assert error(api.request(method, url, json=body)) == (
        404,
        {"code": "PGRST202", "message": message, "details": details, "hint": hint},
    )


def test_overloads_that_both_fit_are_ambiguous(api: Api) -> None:
    assert error(api.get("/rpc/ambiguous?a=1")) == (
        300,
        {
            "code": "PGRST203",
            "message": "Could not choose the best candidate function between: public.ambiguous(a => integer), "
            "public.ambiguous(a => text)",
            "details": None,
            "hint": "Try renaming the parameters or the function itself in the database so function overloading "
            "can be resolved",
        },
    )


def test_strictly_limited_calls_need_a_set(api: Api) -> None:
    prefer = "handling=strict,max-affected=1"
    status, body = error(api.request("POST", "/rpc/greet", json={}, prefer=prefer))
    assert (status, body["code"]) == (400, "PGRST128")
    status, body = error(api.request("POST", "/rpc/numbers_to", json={"n": 2}, prefer=prefer))
    assert (status, body["code"]) == (400, "PGRST124")


def test_function_can_render_the_whole_body(api: Api) -> None:
    page = api.get("/rpc/page", accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert (page.content, page.headers["content-type"]) == ("<p>Hé</p>".encode(), "text/html")
    dot = api.get("/rpc/dot?size=2", accept="image/x-dot")
    assert (dot.content, dot.headers["content-type"]) == (b"\x00\xff\x00\xff", "image/x-dot")
    anything = api.get("/rpc/anything")
    assert (anything.content, anything.headers["content-type"]) == (b"abc", "font/x-own")
    assert api.get("/rpc/page", accept="application/json").json() == "<p>Hé</p>"
    assert api.get("/rpc/page", accept="image/png").status_code == 406


def test_sql_sees_the_request(api: Api) -> None:
    response = api.get("/rpc/request_context", role="anon", x_agent="probe", cookie="crumb=yes; other=1")
    assert response.json() == {
        "method": "GET",
        "path": "/rpc/request_context",
        "role": "anon",
        "agent": "probe",
        "cookie": "yes",
        "search_path": '"public", "public", "extensions", "toolbox"',
        "claims_role": "anon",
        "timeout": "3s",
    }


def test_request_can_choose_its_time_zone(api: Api) -> None:
    response = api.get("/rpc/local_time", prefer="timezone=America/New_York")
    assert (response.json(), response.headers["preference-applied"]) == ("08:00", "timezone=America/New_York")
    status, body = error(api.get("/rpc/local_time", prefer="timezone=Nowhere/At_All"))
    assert (status, body["code"]) == (400, "22023")
    assert api.get("/rpc/local_time").json() == "12:00"
