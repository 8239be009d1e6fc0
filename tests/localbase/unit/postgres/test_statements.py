"""postgres.scripts.statements: scripts are cut where psql cuts them, and strings where Postgres ends them."""

from __future__ import annotations

import pytest
from localbase.postgres.scripts.statements import Piece, split


def copy(rows: str, rows_line: int = 2) -> Piece:
    return Piece("copy t from stdin", 1, "in", rows, rows_line)


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
        ("select 'never closed; x", ["select 'never closed; x"]),
        ("select e'never closed\\", ["select e'never closed\\"]),
        ('select "never closed; x', ['select "never closed; x']),
        ("/* never closed; x", ["/* never closed; x"]),
        ("select 1; do $a$ x; $$", ["select 1", "do $a$ x; $$"]),
        ("select (1; 2); x", ["select (1; 2)", "x"]),
        ("select 1); x", ["select 1)", "x"]),
        ("-- mac\rselect 1;\rx", ["select 1", "x"]),
        ("select e'a'\n '\\';'; x", ["select e'a'\n '\\';'", "x"]),
        ("select e'a' -- b\n -- c\n '\\';'; x", ["select e'a' -- b\n -- c\n '\\';'", "x"]),
        ("select e'a' -- '\\';\n; x", ["select e'a' -- '\\';", "x"]),
        ("begin atomic; select 1; x", ["begin atomic", "select 1", "x"]),
        (
            "create view v as select begin atomic from x; y",
            ["create view v as select begin atomic from x", "y"],
        ),
        ("\ufeffselect 1;\ufeff\xa0x\u3000;", ["select 1", "x"]),
        ("select $\U0001f600$;$\U0001f600$; x", ["select $\U0001f600$;$\U0001f600$", "x"]),
        ("\\restrict a;b\nselect 1;", ["\\restrict a;b", "select 1"]),
    ],
)
def test_script_is_split_into_statements(script: str, expected: list[str]) -> None:
    assert texts(script) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("copy t from stdin;\na;b\n'\n\\.\nx", [copy("a;b\n'\n"), Piece("x", 5)]),
        ("copy t from stdin;\r\n1\r\n\\.\r\nx", [copy("1\r\n"), Piece("x", 4)]),
        ("copy t\nfrom stdin csv;\n1\n\\.", [Piece("copy t\nfrom stdin csv", 1, "in", "1\n", 3)]),
        ("copy t from stdin;\n1", [copy("1\n")]),
        ("copy t from stdin; x; y\n\\.\nz", [copy(""), Piece("x", 1), Piece("y", 1), Piece("z", 3)]),
        (
            "copy t from stdin; x; copy t from stdin; y\n1\n\\.\n2\n\\.\nz",
            [copy("1\n"), Piece("x", 1), copy("2\n", 4), Piece("y", 1), Piece("z", 6)],
        ),
        ("copy t from stdin;" * 3000, [copy("", 1)] * 3000),
        ("copy t from stdin", [copy("", 1)]),
        (
            "copy (select stdin) to stdout; x",
            [Piece("copy (select stdin) to stdout", 1, "out"), Piece("x", 1)],
        ),
        ("copy t from 'stdin'; x", [Piece("copy t from 'stdin'", 1), Piece("x", 1)]),
    ],
)
def test_rows_belong_to_the_copy_before_them(script: str, expected: list[Piece]) -> None:
    pieces = list(split(script))
    assert pieces == expected
    assert [(each.sql, each.rows) for piece in pieces for each in split(piece.text)] == [
        (each.sql, each.rows) for each in pieces
    ]


def test_statement_has_its_line_number() -> None:
    assert list(split("\n-- first\nselect 1;\n\nselect\n2;")) == [Piece("select 1", 3), Piece("select\n2", 5)]
