"""Request bodies, suggestions for names, quoting, and the origin of a view's columns."""

from __future__ import annotations

import pytest
from localbase.postgres.schema_cache.views import targets_of_rule
from localbase.rest.api_request.media_type import parse_media
from localbase.rest.api_request.payload import Payload, parse_payload
from localbase.rest.errors import RestError
from localbase.rest.sql.text import identifier, literal, type_name
from localbase.rest.suggestions import closest_match, ranked

JSON = parse_media("application/json")
CSV = parse_media("text/csv")


def payload(body: bytes, columns: tuple[str, ...] | None = None, *, for_function: bool = False) -> Payload:
    return parse_payload(body, JSON, columns, for_function=for_function)


def test_columns_come_from_the_object() -> None:
    assert payload(b'{"b":1,"a":2}') == Payload(b'{"b":1,"a":2}', ("a", "b"), True)


def test_columns_come_from_all_objects_of_a_list() -> None:
    assert payload(b'[{"a":1},{"a":2}]') == Payload(b'[{"a":1},{"a":2}]', ("a",), False)


def test_columns_parameter_skips_reading_the_body() -> None:
    assert payload(b" {whatever", ("b", "a")) == Payload(b" {whatever", ("a", "b"), True)


def test_scalar_or_empty_body_has_no_rows() -> None:
    assert payload(b"5") == Payload(b"[]", (), False)
    assert payload(b"[]") == Payload(b"[]", (), False)


def test_empty_body_gives_a_function_no_arguments() -> None:
    assert payload(b"", for_function=True) == Payload(b"{}", (), True)


@pytest.mark.parametrize("body", [b"", b"{", b"nul", b'{"a":NaN}', b"\xff", b"[" * 100_000, b'"\x00"'])
def test_invalid_json_is_rejected(body: bytes) -> None:
    with pytest.raises(RestError) as caught:
        payload(body)
    assert (caught.value.code, caught.value.message) == ("PGRST102", "Empty or invalid json")


@pytest.mark.parametrize("body", [b'[{"a":1},{"b":1}]', b'[{"a":1},5]', b"[1,2]"])
def test_rows_with_different_columns_are_rejected(body: bytes) -> None:
    with pytest.raises(RestError) as caught:
        payload(body)
    assert caught.value.message == "All object keys must match"


def test_csv_is_parsed_into_rows() -> None:
    parsed = parse_payload(b'a,b\n1,"x,y"\nNULL,\n', CSV, None, for_function=False)
    assert parsed == Payload(b'[{"a": "1", "b": "x,y"}, {"a": null, "b": ""}]', ("a", "b"), False)


def test_csv_lines_must_be_equally_long() -> None:
    with pytest.raises(RestError) as caught:
        parse_payload(b"a,b\n1\n", CSV, None, for_function=False)
    assert caught.value.message == "All lines must have same number of fields"


def test_bytes_are_encoded_like_postgres() -> None:
    media = parse_media("application/octet-stream")
    assert parse_payload(b"a\x00\xff", media, None, for_function=True).raw == b"\\x6100ff"


def test_closest_name_is_suggested() -> None:
    names = ["books", "authors", "reviews"]
    assert closest_match("book", names, 0.75) == "books"
    assert closest_match("athors", names, 0.75) == "authors"
    assert closest_match("zebra", names, 0.75) is None
    assert ranked("books", names) == [(1.0, "books")]
    assert closest_match("(id)", ["(attr, id)", "(name, param, val)"]) == "(attr, id)"


def test_names_and_literals_are_quoted() -> None:
    assert identifier('a"b') == '"a""b"'
    assert identifier("a\0b") == '"a"'
    assert literal("it's") == "'it''s'"
    assert literal("a\\'b") == " E'a\\\\''b'"


@pytest.mark.parametrize(
    ("written", "sql"),
    [
        ("int", "int"),
        ("Double  Precision", "double precision"),
        ("text", '"text"'),
        ("My_Type", '"my_type"'),
        ("int); drop table x; --", '"int); drop table x; --"'),
    ],
)
def test_cast_is_a_known_type_or_quoted(written: str, sql: str) -> None:
    assert type_name(written) == sql


def test_view_columns_are_traced_to_their_tables() -> None:
    rule = (
        "({QUERY :commandType 1 :rtable ({RANGETBLENTRY :subquery {QUERY :targetList ({TARGETENTRY :expr {VAR "
        ":varno 1} :resno 1 :resname x :resorigtbl 9 :resorigcol 9 :resjunk false})}}) :targetList ({TARGETENTRY "
        ":expr {VAR :varno 1} :resno 1 :resname id :ressortgroupref 0 :resorigtbl 16400 :resorigcol 3 :resjunk "
        "false} {TARGETENTRY :expr {CONST :constvalue 4 [ 1 0 ]} :resno 2 :resname odd\\(name\\) :resorigtbl 0 "
        ":resorigcol 0 :resjunk false}) :override 0})"
    )
    assert targets_of_rule(rule) == {1: (16400, 3)}
