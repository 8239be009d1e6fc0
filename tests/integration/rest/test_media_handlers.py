"""Media types that the database makes itself, by aggregates over rows."""

from __future__ import annotations

from tests.integration.rest.conftest import Api, error


def test_an_aggregate_makes_a_relations_body(api: Api) -> None:
    titles = [row["title"] for row in api.rows("/books?select=title&id=lt.4&order=id")]
    answer = api.get("/books?id=lt.4&order=id", accept="text/vnd.titles")
    assert (answer.status_code, answer.text) == (200, "|".join(titles))
    assert answer.headers["content-type"] == "text/vnd.titles"


def test_it_takes_whole_rows_of_its_own_relation_only(api: Api) -> None:
    for url in ("/books?select=id", "/books?select=*,authors!author_id(*)", "/authors"):
        status, body = error(api.get(url, accept="text/vnd.titles"))
        assert (status, body["message"]) == (406, "None of these media types are available: text/vnd.titles")


def test_an_aggregate_over_anything_makes_every_relations_body(api: Api) -> None:
    for url in ("/genres?id=in.(1,2)", "/books?select=id&id=in.(1,2)"):
        answer = api.get(url, accept="application/vnd.pile")
        assert (answer.status_code, answer.content) == (200, b"\x00**")
        assert answer.headers["content-type"] == "application/vnd.pile"


def test_a_change_answers_with_it_too(api: Api) -> None:
    answer = api.ask(
        "POST",
        "/keyless",
        json=[{"value": "x"}, {"value": "x"}],
        accept="application/vnd.pile",
        prefer="return=representation",
    )
    assert (answer.status_code, answer.content) == (201, b"\x00**")
    api.ask("DELETE", "/keyless?value=eq.x")
