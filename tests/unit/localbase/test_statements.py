"""postgres.statements: scripts are cut where psql would cut them."""

from __future__ import annotations

import pytest
from localbase.postgres.statements import Piece, split


def texts(script: str) -> list[str]:
    return [piece.sql for piece in split(script)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("select 1; select 2", ["select 1", "select 2"]),
        ("select ';'; select \";\"", ["select ';'", 'select ";"']),
        ("select 'it''s; fine'; x", ["select 'it''s; fine'", "x"]),
        (r"select e'\';'; x", [r"select e'\';'", "x"]),
        ("-- a; b\nselect 1; -- tail;", ["select 1"]),
        ("/* a; /* nested; */ b; */ select 1;", ["select 1"]),
        ("do $$ begin a; b; end $$; x", ["do $$ begin a; b; end $$", "x"]),
        ("do $body$ $$ ; $$ $body$; x", ["do $body$ $$ ; $$ $body$", "x"]),
        ("select $1; x", ["select $1", "x"]),
        (";;  ;", []),
        ("", []),
        ("select a$b$c; x", ["select a$b$c", "x"]),
        (
            "create function f() returns int begin atomic select 1; select case when true then 1 end; end; x",
            [
                "create function f() returns int begin atomic select 1; select case when true then 1 end; end",
                "x",
            ],
        ),
        ("begin; select 1; end;", ["begin", "select 1", "end"]),
        ("select 'never closed; x", ["select 'never closed", "x"]),
    ],
)
def test_script_is_split_into_statements(script: str, expected: list[str]) -> None:
    assert texts(script) == expected


def test_statement_has_its_line_number() -> None:
    assert list(split("\n-- first\nselect 1;\n\nselect\n2;")) == [Piece("select 1", 3), Piece("select\n2", 5)]
