"""Media types that the database renders itself, by aggregates over rows."""

from __future__ import annotations

import struct

import pytest

from tests.localbase.integration.rest.conftest import Api, Configure, error, until


def test_aggregate_renders_a_relations_body(api: Api) -> None:
    titles = [row["title"] for row in api.rows("/books?select=title&id=lt.4&order=id")]
    response = api.get("/books?id=lt.4&order=id", accept="text/vnd.titles")
    assert (response.status_code, response.text) == (200, "|".join(titles))
    assert response.headers["content-type"] == "text/vnd.titles"


def test_aggregate_takes_whole_rows_of_its_own_relation_only(api: Api) -> None:
    for url in ("/books?select=id", "/books?select=*,authors!author_id(*)", "/authors"):
        status, body = error(api.get(url, accept="text/vnd.titles"))
        assert (status, body["message"]) == (406, "None of these media types are available: text/vnd.titles")


def test_aggregate_over_any_element_renders_every_relation(api: Api) -> None:
    for url in ("/genres?id=in.(1,2)", "/books?select=id&id=in.(1,2)"):
        response = api.get(url, accept="application/vnd.pile")
        assert (response.status_code, response.content) == (200, b"\x00**")
        assert response.headers["content-type"] == "application/vnd.pile"


def test_changes_are_rendered_by_the_aggregate(api: Api) -> None:
    response = api.request(
        "POST",
        "/keyless",
        json=[{"value": "x"}, {"value": "x"}],
        accept="application/vnd.pile",
        prefer="return=representation",
    )
    assert (response.status_code, response.content) == (201, b"\x00**")
    api.request("DELETE", "/keyless?value=eq.x")


@pytest.mark.parametrize(
    ("call", "media", "body"),
    [
        ("as_number?value=258", "application/vnd.number", b"\x00\x00\x01\x02"),
        ("as_number?value=-1", "application/vnd.number", b"\xff\xff\xff\xff"),
        ("as_id", "application/vnd.id", bytes.fromhex("00112233445566778899aabbccddeeff")),
        (
            "as_numbers",
            "application/vnd.numbers",
            struct.pack("!5i", 1, 0, 23, 2, 1) + struct.pack("!4i", 4, 1, 4, 2),
        ),
        ("as_binary_json", "application/vnd.binary-json", b'\x01{"a": 1}'),
        ("as_json", "application/vnd.note+json", b'{"a" : 1}'),
        ("as_word", "application/vnd.word", "Hé".encode()),
        ("dot?size=2", "image/x-dot", b"\x00\xff\x00\xff"),
        ("page", "text/html", "<p>Hé</p>".encode()),
    ],
)
def test_body_is_the_binary_form_of_its_type(api: Api, call: str, media: str, body: bytes) -> None:
    # Twice: the second is answered from the prepared request.
    for _ in range(2):
        response = api.get(f"/rpc/{call}", accept=media)
        assert (response.status_code, response.content, response.headers["content-type"]) == (
            200,
            body,
            media,
        )
    assert (
        api.get(f"/rpc/{call}", accept="application/json")
        .headers["content-type"]
        .startswith("application/json")
    )


def test_aggregate_body_is_in_binary_form(api: Api) -> None:
    response = api.get("/genres?id=in.(1,2)", accept="application/vnd.wide")
    assert (response.status_code, response.content) == (200, struct.pack("!q", 2))
    none = api.get("/genres?id=eq.0", accept="application/vnd.wide")
    assert (none.status_code, none.content) == (200, b"")


def test_null_renders_an_empty_body(api: Api) -> None:
    response = api.request("POST", "/rpc/as_number", json={"value": None}, accept="application/vnd.number")
    assert (response.status_code, response.content) == (200, b"")


_PLAN = "application/vnd.pgrst.plan+json"


@pytest.mark.parametrize(
    ("call", "target"),
    [
        ("add_numbers?a=1", ""),
        ("anything", ""),
        ("page", ""),
        ("page", "text/html"),
        ("dot?size=1", "image/x-dot"),
        ("as_number?value=1", "application/vnd.number"),
        ("add_numbers?a=1", "application/vnd.pgrst.object+json"),
        ("numbers_to?n=3", "text/csv"),
        ("books_by?writer=Ben Ink", "application/vnd.pile"),
    ],
)
def test_call_is_explained_for_each_type_that_it_renders(
    api: Api, configure: Configure, call: str, target: str
) -> None:
    accept = f'{_PLAN}; for="{target}"' if target else _PLAN
    with configure(db_plan_enabled="true"):
        explained = until(
            lambda: api.get(f"/rpc/{call}", accept=accept), lambda response: response.status_code == 200
        )
        assert explained.json()[0]["Plan"]["Node Type"]
        media_type = target or "application/json"
        assert explained.headers["content-type"] == f'{_PLAN}; for="{media_type}"; charset=utf-8'


@pytest.mark.parametrize("call", ["add_numbers?a=1", "anything", "page", "books_by?writer=Ben Ink"])
def test_calls_are_not_explained_without_the_setting(api: Api, configure: Configure, call: str) -> None:
    with configure(db_plan_enabled="false"):
        rejected = until(
            lambda: api.get(f"/rpc/{call}", accept=_PLAN), lambda response: response.status_code == 406
        )
        assert error(rejected) == (
            406,
            {
                "code": "PGRST107",
                "details": None,
                "hint": None,
                "message": f'None of these media types are available: {_PLAN}; for="application/json"',
            },
        )
        # The next acceptable type is made instead.
        other = api.get(f"/rpc/{call}", accept=f"{_PLAN}, application/json")
        assert other.status_code == 200


def test_plan_for_a_type_without_handler_is_not_acceptable(api: Api, configure: Configure) -> None:
    with configure(db_plan_enabled="true"):
        until(lambda: api.get("/rpc/greet", accept=_PLAN), lambda response: response.status_code == 200)
        for call in ("add_numbers?a=1", "page"):
            response = api.get(f"/rpc/{call}", accept=f'{_PLAN}; for="image/png"')
            assert (response.status_code, response.json()["code"]) == (406, "PGRST107")


def test_handlers_do_not_replace_vendor_types(api: Api) -> None:
    response = api.get("/rpc/anything", accept="application/vnd.pgrst.object+json")
    assert (response.status_code, response.text) == (200, '"\\\\x616263"')
