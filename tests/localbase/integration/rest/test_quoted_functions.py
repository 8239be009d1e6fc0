"""Functions of every kind with names that need quoting, and the errors that they raise."""

from __future__ import annotations

from typing import Any

import pytest

from tests.localbase.integration.rest.conftest import Api, error


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Add Up?a=1&b c=7", 8),
        ("Add Up", "nothing"),
        ("both?x=1&y=z", {"x": 2, "y": "zz", "z": True}),
        ("only_in_out?n=4", {"n": 8}),
        ("listed?words=a&words=b", ["a", "b"]),
        ("listed", []),
        ("first_and?start=1&rest=2&rest=3", [1, 2, 3]),
        ("a row?select=\"No.\"", {"No.": 7}),
        ('rows_of?"No."=gte.2&order="No.".desc&limit=1', [{"Street Name": "Main", "No.": 3, "geo": "(1,2)"}]),
        ('takes_row?place=("Y",2,)', "Y"),
        ("table_of?n=3&select=The N&half=gt.0.5&order=The N.desc", [{"The N": 3}, {"The N": 2}]),
        ("dates?a=2024-01-01&b=[2024-01-01,2024-01-05)&c=so,so&d=7",
         ["2024-01-01", "[2024-01-01,2024-01-05)", "so,so", 7]),
        ("bits?b=1010&c=abc&v=xy", "1010/abc/xy"),
        ("scalar_null", None),
        ('arrays?a={1,2}&b={x,"y z"}', [[1, 2], ["x", "y z"]]),
        ("helped", "helped"),
        ("customers_named?the näme=Ann&select=Customer ID,Größen(ID),Newest Sale(id),shouted&order=Customer ID",
         [{"Customer ID": 1, "shouted": "ANN", "Größen": {"ID": 1}, "Newest Sale": {"id": 2}},
          {"Customer ID": 3, "shouted": "ANN", "Größen": None, "Newest Sale": None}]),
    ],
)  # fmt: skip
def test_functions_are_called_by_get(quoted: Api, path: str, expected: Any) -> None:
    assert quoted.rows(f"/rpc/{path}") == expected


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("Add Up", {"a": 1, "b c": 2}, 3),
        ("listed", {"words": ["a", "b"]}, ["a", "b"]),
        ("first_and", {"start": 1, "rest": [2]}, [1, 2]),
        ("takes_row", {"place": {"Street Name": "X", "No.": 1}}, "X"),
        ("arrays", {"a": [1, 2], "b": ["x", None]}, [[1, 2], ["x", None]]),
        ("whole_jsonb", {"a": [1]}, {"got": {"a": [1]}}),
        ("dates", {"a": None, "b": None, "c": None, "d": None}, [None, None, None, None]),
        ("customers_named?select=tags(word)&Customer ID=eq.2", {"the näme": "Bob"}, [{"tags": [{"word": "blue"}]}]),
    ],
)  # fmt: skip
def test_functions_are_called_by_post(quoted: Api, path: str, body: Any, expected: Any) -> None:
    response = quoted.request("POST", f"/rpc/{path}", json=body)
    assert (response.status_code, response.json()) == (200, expected)


@pytest.mark.parametrize(
    ("name", "kind", "body", "expected"),
    [
        ("whole_text", "text/plain", "hé there", "got hé there"),
        ("whole_bytes", "application/octet-stream", b"\x00\xff\x01", "00ff01"),
        ("listed", "application/x-www-form-urlencoded", "words=a&words=b", ["a", "b"]),
        # Upstream reads any JSON but objects and lists as an empty list.
        ("whole_jsonb", "application/json", "5", {"got": []}),
    ],
)
def test_whole_body_is_the_single_argument(
    quoted: Api, name: str, kind: str, body: str | bytes, expected: Any
) -> None:
    response = quoted.request("POST", f"/rpc/{name}", content=body, content_type=kind)
    assert (response.status_code, response.json()) == (200, expected)


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("Add Up", {"a": "1"}, 300, "PGRST203"),
        ("Add Up", {"zz": 1}, 404, "PGRST202"),
        ("add up", {"a": 1}, 404, "PGRST202"),
        ("dates", {"a": "2024-01-01", "b": "empty", "c": "sad", "d": 7}, 400, "22P02"),
        ("dates", {"a": None, "b": None, "c": None, "d": 200}, 400, "23514"),
        ("whole_text", {"a": 1}, 404, "PGRST202"),
        ("whole_jsonb", [1, 2], 400, "PGRST102"),
    ],
)  # fmt: skip
def test_invalid_calls_are_rejected(quoted: Api, path: str, body: Any, status: int, code: str) -> None:
    response = error(quoted.request("POST", f"/rpc/{path}", json=body))
    assert (response[0], response[1]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        *[("PT402", 402), ("P0001", 400), ("P0003", 500), ("23503", 409), ("23505", 409), ("23514", 400)],
        *[("42501", 403), ("42883", 404), ("42P01", 404), ("42P17", 500), ("22012", 400), ("22023", 400)],
        *[("28000", 403), ("0L000", 403), ("0P000", 403), ("25006", 405), ("25000", 500), ("2D000", 500)],
        *[("38000", 500), ("39000", 500), ("3B000", 500), ("40001", 500), ("53000", 503), ("53400", 500)],
        *[("54000", 500), ("55000", 500), ("57014", 500), ("57P01", 503), ("58000", 500), ("F0000", 500)],
        *[("HV000", 500), ("XX000", 500), ("08000", 503), ("09000", 500), ("21000", 500), ("0A000", 400)],
    ],
)
def test_raised_codes_have_upstreams_statuses(quoted: Api, code: str, status: int) -> None:
    assert error(quoted.request("POST", "/rpc/fails", json={"code": code})) == (
        status,
        {"code": code, "message": "told", "details": "det", "hint": "hi"},
    )


def test_role_and_function_have_isolation_levels(quoted: Api) -> None:
    def level(name: str, role: str = "service_role") -> tuple[str, str]:
        shown = quoted.request("POST", f"/rpc/{name}", json={}, role=role).json()
        return shown["isolation"], shown["read_only"]

    assert level("context") == ("read committed", "on")
    assert level("context", "visitor") == ("repeatable read", "on")
    assert level("strict_context") == ("serializable", "off")
    # A failure under an isolation level does not affect the next request on the connection.
    for _ in range(30):
        assert quoted.get("/nowhere?select=x", role="visitor").status_code == 404
        assert quoted.get("/tags?select=nope", role="visitor").status_code == 400
    assert level("context", "visitor") == ("repeatable read", "on")
    assert level("context") == ("read committed", "on")


def test_sql_sees_headers_and_path_as_they_were_sent(quoted: Api) -> None:
    shown = quoted.rows("/rpc/context", x_note="grüße".encode())
    assert (shown["header"], shown["path"]) == ("grüße", "/rpc/context")
    assert shown["search"] == '"Weird Shop", "extensions", "Tool Box"'


def test_openapi_names_types_as_the_caller_sees_them(quoted: Api) -> None:
    document = quoted.rows("/")
    parameters = {
        item["name"]: item["format"] for item in document["paths"]["/rpc/dates"]["get"]["parameters"]
    }
    assert parameters == {"a": "date", "b": "daterange", "c": '"Mood!"', "d": '"small positive"'}
    column = document["definitions"]["Customer Records"]["properties"]["mood"]
    assert (column["format"], column["enum"]) == (
        '"Weird Shop"."Mood!"',
        ["very happy", "so,so", 'it\'s "bad"'],
    )
