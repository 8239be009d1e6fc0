"""Folders of migrations as editors, pg_dump and other tools leave them, each with what becomes of it.

`test_foreign_files.py` gives every folder to the official CLI's `db push` as well. Where the outcome is another one,
`differs` says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

A, B, C = "20260101000000_a.sql", "20260102000000_b.sql", "20260103000000_c.sql"


@dataclass(frozen=True)
class Folder:
    """Files below `supabase/migrations` (a path with `../` lies beside it); a text that begins with `-> ` is a link.

    `refused` is whether the command fails, `versions` those that are applied then, `says` a part of what it prints.
    """

    files: Mapping[str, str | bytes]
    versions: tuple[str, ...] = (A[:14],)
    refused: bool = False
    says: str = ""
    differs: str = ""


def _one(sql: str | bytes, *, says: str = "", differs: str = "") -> Folder:
    return Folder({A: sql}, says=says, differs=differs)


def _refused(sql: str | bytes, says: str, *, differs: str = "") -> Folder:
    return Folder({A: sql}, (), refused=True, says=says, differs=differs)


_TABLE = "create table t (id int, name text);\n"
_BOM = "\ufeff"
_SPECIAL = "create table t (name text); insert into t values ('Zoë, 10 €');"
_NAMES = {
    "names that are no migration's": Folder(
        {
            A: _TABLE,
            "schema.sql": "select wrong;",
            "077a_x.sql": "select wrong;",
            "20260105000000-a.sql": "select wrong;",
            "20260106000000_a.SQL": "select wrong;",
            "２０２６_a.sql": "select wrong;",
            "README.md": "# Migrations",
            ".gitkeep": "",
        },
        says="skipped 20260105000000-a.sql: a migration's name is <timestamp>_<name>.sql",
    ),
    "the first migration of an early CLI": Folder(
        {"20210101000000_init.sql": "select wrong;", A: _TABLE}, says="skipped 20210101000000_init.sql"
    ),
    "an init of a later CLI": Folder({"20220101000000_init.sql": _TABLE}, ("20220101000000",)),
    "an early init that is not the first": Folder(
        {"20200101000000_a.sql": _TABLE, "20210101000000_init.sql": "create table u ();"},
        ("20200101000000", "20210101000000"),
    ),
    "a folder named like a migration": Folder(
        {A: _TABLE, "20260102000000_b.sql/README.md": "x"},
        says="skipped 20260102000000_b.sql: it is a folder",
    ),
    "two files of one version": Folder(
        {A: _TABLE, f"{A[:14]}_z.sql": "create table u ();"},
        (),
        refused=True,
        says="Two migrations have the version 20260101000000: 20260101000000_a.sql, 20260101000000_z.sql",
        differs="the official CLI applies the first one before the second one fails",
    ),
    "versions of several lengths": Folder(
        {"20_b.sql": "insert into t values (1);", "2_a.sql": _TABLE}, ("2", "20")
    ),
    "no name after the version": Folder({f"{A[:14]}_.sql": _TABLE}),
    "a link to a file": Folder({A: "-> ../shared.sql", "../shared.sql": _TABLE}),
    "a link to nothing": Folder(
        {A: "-> ../nothing.sql"}, (), refused=True, says="cannot be read: No such file"
    ),
    "an empty file": _one(""),
    "comments alone": _one("-- nothing yet\n/* nor here */\n"),
}
_ENCODINGS = {
    "UTF-8 with a byte-order mark": _one(_BOM + _SPECIAL),
    "CRLF": _one(
        "create function f() returns text\r\nlanguage sql as $$\r\n  select 'a\r\nb' -- c\r\n$$;\r\n"
        "create table t as select f();\r\n"
    ),
    "line ends of old Macs": _one(
        "-- a table\rcreate table t (id int);\r-- with a row\rinsert into t values (1);\r"
    ),
    "UTF-16 LE": _one(_BOM.encode("utf-16-le") + _SPECIAL.encode("utf-16-le"), differs="it reads UTF-8 only"),
    "UTF-16 BE": _one(_BOM.encode("utf-16-be") + _SPECIAL.encode("utf-16-be"), differs="it reads UTF-8 only"),
    "UTF-32": _one((_BOM + _SPECIAL).encode("utf-32-le"), differs="it reads UTF-8 only"),
    "UTF-16 without a mark": _refused(_SPECIAL.encode("utf-16-le"), "UTF-16 without a byte-order mark"),
    "Windows-1252": _refused(
        b"select 1;\n" + _SPECIAL.encode("cp1252"),
        "line 2: the byte 0xeb is not UTF-8",
        differs="it stores U+FFFD for each letter that is not ASCII",
    ),
    "Windows-1252, named": _one(
        b"SET client_encoding = 'WIN1252';\n" + _SPECIAL.encode("cp1252"),
        differs="it stores U+FFFD for each letter that is not ASCII",
    ),
    "UTF-8, named something else": _one(
        "SET client_encoding = 'LATIN1';\n" + _SPECIAL, differs="it stores two letters for one"
    ),
    "a NUL byte": _refused(b"create table t ();\nselect '\0';", "line 2 holds a NUL byte"),
    "joined files, each with its mark": _one(
        _BOM + _TABLE + _BOM + "create table u ();\n\xa0select 1\u3000;"
    ),
    "an archive of pg_dump": _refused(b"PGDMP\x01\x0e\x00\x04\x08", "an archive of pg_dump"),
}
_NO_COPY = "it takes no `copy … from stdin`"
_PSQL = {
    "copy": _one(
        _TABLE + "copy t from stdin;\n1\ta;b\n2\t'\n\\.\ninsert into t values (3, 'c');", differs=_NO_COPY
    ),
    "copy of CSV": _one(
        _TABLE + 'COPY t (name, id) FROM stdin WITH (FORMAT csv, HEADER);\nname,id\n"a;\nb",1\n\\.\n',
        differs=_NO_COPY,
    ),
    "copy with CRLF": _one(_TABLE + "copy t from stdin;\r\n1\ta\r\n\\.\r\nselect 1;\r\n", differs=_NO_COPY),
    "copy to the end of the file": _one(_TABLE + "copy t from stdin;\n1\ta", differs=_NO_COPY),
    "copy of no rows, and a statement on its line": _one(
        _TABLE + "copy t from stdin; insert into t values (1, 'a');\n\\.\n", differs=_NO_COPY
    ),
    "copy of a bad row": _refused(
        _TABLE + "copy t from stdin;\n1\ta\nx\tb\n\\.\n", "line 4: invalid input syntax"
    ),
    "copy to stdout": _one(_TABLE + "insert into t values (1); copy t to stdout; insert into t values (2);"),
    "a dump of newer pg_dump": _one(
        "\\restrict abc\nSET client_encoding = 'UTF8';\nSELECT pg_catalog.set_config('search_path', '', false);\n"
        "create table public.t (id int);\n\\unrestrict abc\n",
        says="left out \\restrict, \\unrestrict",
        differs="it sends psql's commands to Postgres",
    ),
    "settings of psql": _one(
        "\\set ON_ERROR_STOP on\n\\echo 'making the table'\n" + _TABLE,
        differs="it sends psql's commands to Postgres",
    ),
    "connect": _refused("\\connect other\n" + _TABLE, "line 1: \\connect is a command of psql"),
    "an included file": _refused(_TABLE + "\\i ../more.sql\n", "line 2: \\i is a command of psql"),
    "a variable of psql": _refused("\\set id 1\n" + _TABLE, "line 1: \\set is a command of psql"),
    "a variable of psql, used": _refused(_TABLE + "insert into t values (:'id');", "variable of psql"),
    "a command behind a statement": _refused(
        "select 1 as a \\gset\n", "A backslash begins a command of psql"
    ),
}
_PIPELINE = "it sends the statement in a pipeline, where Postgres refuses it"
_CONCURRENTLY = "create index concurrently i on t (id);\n"
_OUTSIDE = {
    "index concurrently": _one(_TABLE + _CONCURRENTLY + "insert into t values (1);"),
    "index concurrently, with comments": _one(
        _TABLE + "/* by\nname */ CREATE UNIQUE\n INDEX CONCURRENTLY i ON t (name); drop index concurrently i;"
    ),
    "reindex concurrently": _one(
        _TABLE + "create index i on t (id); reindex (verbose) index concurrently i;"
    ),
    "vacuum": _one(_TABLE + "vacuum (analyze) t; vacuum full t;"),
    "cluster": _one(_TABLE + "create index i on t (id); cluster t using i;"),
    "alter system": _refused("alter system set work_mem = '1MB';", "permission denied"),
    "discard all": _one(
        _TABLE + "discard all; insert into t values (1);",
        differs=_PIPELINE,
    ),
    "a partition detached concurrently": _one(
        "create table p (id int) partition by list (id); create table q partition of p for values in (1);"
        "alter table p detach partition q concurrently;",
        differs=_PIPELINE,
    ),
    "a value of an enum that is used at once": Folder(
        {
            A: "create type mood as enum ('sad');",
            B: "alter type mood add value 'ok'; create table t (m mood default 'ok');",
        },
        refused=True,
        says="move what uses it to a later file; nothing of it has been applied",
    ),
    "a value of an enum": Folder(
        {A: "create type mood as enum ('sad');", B: "alter type mood add value 'ok';"}, (A[:14], B[:14])
    ),
    "a database": _one("create database made_by_a_migration;"),
    "a database after a table": _one(
        _TABLE + "create database made_by_a_later_statement;",
        differs=_PIPELINE,
    ),
    "a view refreshed concurrently": _one(
        "create materialized view m as select 1 as a; create unique index i on m (a);"
        "refresh materialized view concurrently m;"
    ),
    "a failure after an index concurrently": _refused(
        _TABLE + _CONCURRENTLY + "create table u ();\nselect wrong;", "its first 2 statements stay applied"
    ),
    "a failure of an index concurrently": _refused(
        _TABLE + "create index concurrently i on t (wrong);", "its first statement stays applied"
    ),
}
_TRANSACTIONS = {
    "begin and commit": _one("begin;\n" + _TABLE + "commit;\n"),
    "start transaction and end": _one("start transaction isolation level serializable;" + _TABLE + "end;"),
    "a failure after a commit": _refused(
        "begin; create table x(); commit; select 1/0;",
        "its first 3 statements ran, and what that committed stays",
    ),
    "a failure before a commit": _refused(
        "begin; create table x(); select 1/0; commit;", "nothing of it has been applied"
    ),
    "a rollback": _one("begin; create table x(); rollback; create table y();"),
    "a commit without a begin": _one("create table x(); commit; create table y();"),
    "a transaction that nothing ends": _refused(
        "begin; create table x();",
        "begins a transaction and does not end it",
        differs="it says that it has applied the file, and Postgres undoes it",
    ),
    "an index concurrently in a transaction of the file": _refused(
        "begin;" + _TABLE + _CONCURRENTLY + "commit;", "cannot run inside a transaction block"
    ),
    "savepoints": _one(
        _TABLE + "savepoint a; insert into t values (1); rollback to savepoint a; release a;",
        differs="it has no transaction block, which savepoints need",
    ),
    "a file without a transaction": _refused(
        "-- pg-delta: transaction=false\n" + _TABLE + "select wrong;", "its first statement ran"
    ),
    "a constraint that fails at the end": _refused(
        "create table t (id int primary key);"
        "create table u (id int references t deferrable initially deferred); insert into u values (1);",
        "violates foreign key",
    ),
    "a migration before the one that fails": Folder(
        {A: _TABLE, B: "create table u ();\nselect wrong;", C: "create table v ();"},
        refused=True,
        says="line 2",
    ),
}
_SHAPES = {
    "an open comment": _refused(_TABLE + "/* create table u ();", "unterminated /* comment"),
    "an open quote": _refused(
        _TABLE + "insert into t values (1, 'a);\nselect 1;\n", "line 2: unterminated quoted"
    ),
    "an open name": _refused(_TABLE + 'select "a; select 1;', "unterminated quoted identifier"),
    "an open dollar quote": _refused(_TABLE + "do $a$ begin null; end $$;", "unterminated dollar-quoted"),
    "an open parenthesis": _refused(_TABLE + "select (1; select 2;", "syntax error"),
    "semicolons inside of a rule": _one(
        _TABLE + "create table u (id int); create rule r as on insert to t do also "
        "(insert into u values (1); insert into u values (2)); insert into t values (3);",
        differs="it cuts at the first semicolon there",
    ),
    "semicolons inside of a body": _one(
        "create function f() returns int begin atomic select 1; select case when true then 2 end; end;"
        "create table t as select f();"
    ),
    "quotes of every kind": _one(
        "create table t as select e'\\';' as a, 'it''s;' as \"b;\"\"\", $x$ ; $$ $x$ as c, U&'\\0061;' as d,"
        " e'a'\n  '\\';' as e /* ; /* ; */ */;"
    ),
}
_BESIDE = {
    "a seed with a byte-order mark": Folder(
        {A: _TABLE, "../seed.sql": _BOM + "insert into t values (1, 'a');"}
    ),
    "a seed that copies": Folder(
        {A: _TABLE, "../seed.sql": "copy t from stdin;\n1\ta\n\\.\n"}, differs=_NO_COPY
    ),
    "a seed with a transaction of its own": Folder(
        {A: _TABLE, "../seed.sql": "begin; insert into t values (1, 'a'); commit;"}
    ),
    "a seed that vacuums": Folder(
        {A: _TABLE, "../seed.sql": "insert into t values (1, 'a'); vacuum t;"},
        differs="it runs a seed in one transaction",
    ),
    "roles with a byte-order mark": Folder({A: _TABLE, "../roles.sql": _BOM + "select 1;\r\n"}),
}
FOLDERS = {**_NAMES, **_ENCODINGS, **_PSQL, **_OUTSIDE, **_TRANSACTIONS, **_SHAPES, **_BESIDE}
