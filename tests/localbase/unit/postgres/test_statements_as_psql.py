"""postgres.scripts.statements beside psql: what it sends of random scripts is what they are cut into here."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from localbase.cli.verbs.migration import script_cut_into
from localbase.postgres.binaries import find_binaries
from localbase.postgres.scripts.statements import split

from tests.localbase.unit.postgres.recording_server import recording_server
from tests.support.random_cases import cases

_MARK = "select 'the next script'"
_ENDS = (";", ";", ";\n", ";\r\n", " ; ", ";;")
_SPACES = (" ", "\n", "\t", "\r\n", "  -- a ' comment;\n", "/* b ; ' $$ */", "/* /* ; */ ' */", "-- c\r")
_WORDS = (
    "select", "insert", "x", "tab_le", "a$b$c", "Größe", "end", "case", "atomic", "begin_", "u&", "b", "e",
    "\U0001f600", "copy", "stdin", "to", "from",
)  # fmt: skip
_OTHERS = (
    "1",
    "2.5",
    "$1",
    "+",
    "-",
    "*",
    "/",
    "<>",
    "::",
    ",",
    ".",
    "[",
    "]",
    "=",
    "@",
    "%",
    "$",
    "$ $",
    "1 $$;$$",
)
_QUOTED = (
    "';'",
    "'it''s; '",
    "e'\\';'",
    "E'\\\\'",
    "e'a''\\'b;'",
    "'\\'",
    '";"',
    '"a"";"',
    "$$;'$$",
    "$a$ $$ ; $a$",
)
_QUOTED_ACROSS = ("'a\n;'", '"a\n;"', "$Ä$\n;\n$Ä$", "e'\\\n;'", "'a'\n'b\\'", "/*\n;\n*/ x")
_BODIES = (
    "create function f() returns int begin atomic select 1; select case when a then 1 end; end",
    "begin atomic; select x.begin atomic from x; end",
    "create or replace procedure p() begin atomic insert into t values (1); end",
    "create rule r as on insert to t do also (insert into u values (1); delete from t)",
    "do $body$ begin perform 1; end $body$",
)
_COPIES = (
    "copy t from stdin;\n1\ta;b\n2\t'\n\\.\n",
    'copy t (a) from stdin with (format csv);\n"a;\n",1\n\\.\n',
    "copy t from stdin; -- rows\n\\.\n",
    "copy t from stdin; select 2; copy t (a) from stdin;\n1\n\\.\n2\n\\.\n",
    "copy t from stdin;\n$$\n/*\n\\.\n",
)
_OPEN = ("'a;", '"a;', "$$ a;", "$a$ ; $$", "/* a;", "e'a\\';", "(a; b", "copy t from stdin;\n1")


def _script(random_source: random.Random) -> str:
    parts: list[str] = []
    for _ in range(random_source.randint(1, 6)):
        kind = random_source.random()
        parts.append(random_source.choice(_SPACES))
        if kind < 0.12:
            # psql 18 was seen to stop reading where the first statement after the rows has several lines.
            parts.append(random_source.choice(_COPIES) + "select 1;\n")
            continue
        if kind < 0.3:
            parts.append(random_source.choice(_BODIES))
        else:
            for _ in range(random_source.randint(0, 6)):
                # An escape string that goes on after a line's end is one to Postgres, two to psql: a word parts them.
                choices = random_source.choice(
                    (_WORDS, _OTHERS, _QUOTED, _QUOTED_ACROSS, ("(x)", "(x, (';'))"))
                )
                chosen = random_source.choice(choices)
                parts += [chosen + " x" * (chosen[:2] in ("e'", "E'")), random_source.choice(_SPACES)]
        parts.append(random_source.choice(_ENDS))
    if random_source.random() < 0.2:
        parts.append(random_source.choice(_OPEN))
    return "".join(parts)


def _bare(query: str) -> str:
    """Return what psql has sent, without the comments before it and the semicolon behind."""
    pieces = list(split(query))
    assert len(pieces) <= 1, query
    return pieces[0].sql if pieces else ""


def _sent(scripts: list[str], folder: Path) -> list[list[tuple[str, str]]]:
    """The queries of each script, with their rows, as psql sends them."""
    arguments: list[str] = []
    for number, script in enumerate(scripts):
        path = folder / f"{number}.sql"
        path.write_bytes(script.encode())
        arguments += ["-f", str(path), "-c", _MARK]
    with recording_server() as server:
        address = f"host=127.0.0.1 port={server.port} user=u dbname=d sslmode=disable gssencmode=disable"
        command = [str(find_binaries(os.environ).path("psql")), "-X", "-q", "-d", address, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    sent: list[list[tuple[str, str]]] = [[]]
    for query, rows in server.queries:
        if query == _MARK:
            sent.append([])
        elif bare := _bare(query):
            # The last row may end with the file.
            sent[-1].append((bare, rows + "\n" * (rows[-1:] not in ("", "\n"))))
    return sent[:-1]


@pytest.mark.parametrize("seed", range(4))
def test_random_scripts_are_cut_as_psql_cuts_them(tmp_path: Path, seed: int) -> None:
    random_source = random.Random(seed)
    scripts = [_script(random_source) for _ in range(cases(100))]
    for script, sent in zip(scripts, _sent(scripts, tmp_path), strict=True):
        pieces = list(split(script))
        assert [(piece.sql, piece.rows) for piece in pieces] == sent, script
        if not script.endswith(_OPEN):
            written = script_cut_into([piece.text for piece in pieces])
            assert [piece.text for piece in split(written)] == [piece.text for piece in pieces], script
