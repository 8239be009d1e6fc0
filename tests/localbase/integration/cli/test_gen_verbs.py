"""`gen types | signing-key | bearer-jwt`: types equal those of the official generator, as TypeScript sees them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject
from tests.support.official_cli import OFFICIAL_ENVIRON, find_official_cli
from tests.support.project_files import ProjectFiles
from tests.support.stacks import ROOT, Stack, clean_environ, supabase

API = f"http://127.0.0.1:{PORT}"
KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
# The type checker names each relation or function that differs, with both types.
CHECK = """
import type { Database as Official } from "./official"
import type { Database as Own, Enums, Tables, TablesInsert, TablesUpdate } from "./own"
import { Constants as OfficialConstants } from "./official"
import { Constants as OwnConstants } from "./own"

type Same<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false
type Other<X, Y> = {
  [K in keyof X | keyof Y as K extends keyof X & keyof Y ? (Same<X[K], Y[K]> extends true ? never : K) : K]:
    [K extends keyof X ? X[K] : "missing", K extends keyof Y ? Y[K] : "missing"]
}
type Parts<X, Y> = { [S in keyof X & keyof Y]: Other<X[S], Y[S]> }
type Expected = { Tables: {}; Views: {}; Functions: {}; Enums: {}; CompositeTypes: {} }
"""


FILES = ProjectFiles(
    config="[auth]\nsigning_keys_path = 'keys.json'\n",
    migrations={
        "20260102000000_types.sql": Path(__file__).with_name("typed_schema.sql").read_text(encoding="utf-8")
    },
    others={"keys.json": "[]"},
)
SCHEMAS = ("public", "other", "missing")


def official_types(db_url: str, schemas: str, home: Path, language: str = "typescript") -> str:
    program = find_official_cli()
    assert program is not None, "install it: python -m tests.support.official_cli"
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), **OFFICIAL_ENVIRON}
    command = [str(program), "gen", "types", "--lang", language, "--schema", schemas]
    done = subprocess.run(
        [*command, f"--remote={db_url}?sslmode=disable"],
        env=environ,
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def type_errors(folder: Path, own: str, official: str, check: str) -> str:
    """Return what the type checker of the web client says."""
    (folder / "own.ts").write_text(own)
    (folder / "official.ts").write_text(official)
    (folder / "check.ts").write_text(CHECK + check)
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--noErrorTruncation"]
    done = subprocess.run(
        [str(ROOT / "node_modules" / ".bin" / "tsc"), *options, "--moduleResolution", "bundler", "check.ts"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout


def test_types_equal_the_official_generators(project: SmallProject, tmp_path: Path) -> None:
    own = project.run("gen", "types").stdout
    official = official_types(
        f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres", "public,other", tmp_path
    )
    check = """
const inPublic: Same<Parts<Official["public"], Own["public"]>, Expected> = true
const inOther: Same<Parts<Official["other"], Own["other"]>, Expected> = true
const none: Expected = { Tables: {}, Views: {}, Functions: {}, Enums: {}, CompositeTypes: {} }
const differences: Parts<Official["public"], Own["public"]> = none
const all: Same<Official, Own> = true
const constants: Same<typeof OfficialConstants, typeof OwnConstants> = true
const copies = { copies_of: null, one_copy: null }
const row: Tables<"books"> = { id: 1, title: "", m: "sad", tags: ["a"], j: [1], more: {}, ...copies }
const view: Tables<"titles">["title"] = "a"
const box: Tables<{ schema: "other" }, "boxes"> = { id: 1, s: "large", book: null }
const made: TablesInsert<"books"> = { title: "a" }
const changed: TablesUpdate<"books"> = { m: "ok" }
const mood: Enums<"mood"> = "sad"
const size: Enums<{ schema: "other" }, "size"> = "small"
// @ts-expect-error
const wrong: Enums<"mood"> = "small"
"""
    assert type_errors(tmp_path, own, official, check) == ""


def test_types_of_the_shop_equal_the_official_generators(stack: Stack, tmp_path: Path) -> None:
    done = subprocess.run(
        supabase("gen", "types", "--schema", "public", "--workdir", stack.root),
        env=clean_environ(stack.environ),
        capture_output=True,
        text=True,
        check=True,
    )
    official = official_types(stack.db_url, "public", tmp_path)
    check = """
const none: Expected = { Tables: {}, Views: {}, Functions: {}, Enums: {}, CompositeTypes: {} }
const differences: Parts<Official["public"], Own["public"]> = none
const all: Same<Official, Own> = true
"""
    assert type_errors(tmp_path, done.stdout, official, check) == ""


def test_types_say_which_forms_of_a_function_clients_cannot_call(project: SmallProject) -> None:
    with project.database() as connection:
        connection.execute("create function public.twice(x int) returns int language sql as 'select 1'")
        connection.execute("create function public.twice(x text) returns int language sql as 'select 1'")
        connection.execute(
            "create function public.full_title(public.books) returns text language sql as 'select $1.title'"
        )
        try:
            shown = project.run("gen", "types", "--schema", "public").stdout
        finally:
            connection.execute("drop function public.twice(int), public.twice(text), public.full_title")
    assert shown.count('"twice has several forms with the same names of parameters"') == 2
    assert '"full_title is a computed column: select it, it cannot be called"' in shown
    assert "          full_title: string | null" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--schema", "nothing"), "There is no schema 'nothing'."),
        (("--db-url", "postgresql://postgres@127.0.0.1:1/postgres"), "The database does not answer"),
    ],
)
def test_types_of_nothing_are_an_error(
    project: SmallProject, arguments: tuple[str, ...], message: str
) -> None:
    done = project.run("gen", "types", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr


def blocks_of(text: str) -> dict[str, str]:
    """The parts of a file in Go or Python by their first lines; how much blank is within a line does not count."""
    parts = [re.sub(r"[ \t]+", " ", part).strip() for part in text.split("\n\n")]
    return {part.partition("\n")[0]: part for part in parts}


@pytest.mark.parametrize(
    ("language", "better"),
    [
        # A field may not begin with a digit, and an attribute of a composite type has a type.
        ("go", {"WeIrdSelect", "WeIrdInsert", "WeIrdUpdate", "Nested", "Pair"}),
        # Names that the language refuses or pydantic warns of, and types that the official file does not define.
        (
            "python",
            {
                *(
                    "WeIrd",
                    "WeIrdInsert",
                    "WeIrdUpdate",
                    "PlainTypes",
                    "PlainTypesInsert",
                    "PlainTypesUpdate",
                ),
                *("BooksWithCopies", "CopiesWithTitles", "OfAView"),
            },
        ),
    ],
)
def test_types_in_go_and_python_equal_the_official_where_those_are_valid(
    project: SmallProject, tmp_path: Path, language: str, better: set[str]
) -> None:
    address = f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres"
    official = blocks_of(official_types(address, "public,other", tmp_path, language))
    own = blocks_of(project.run("gen", "types", "--lang", language, "-s", "public,other").stdout)
    ours = {head: part for head, part in official.items() if re.search(r"\b(Public|Other)[A-Z]", head)}
    different = {head for head, part in ours.items() if own.get(head) != part}
    assert {re.sub(r"(type|class) Public(\w+).*", r"\2", head) for head in different} == better
    assert len(ours) > 40


def test_types_in_python_read_what_the_data_api_answers(project: SmallProject, tmp_path: Path) -> None:
    text = project.run("gen", "types", "--lang", "python", "-s", "public,other").stdout
    (tmp_path / "types_of_rows.py").write_text(text)
    with project.database() as connection:
        connection.execute(
            "insert into public.books (title, tags, j) values ('One', '{a,b}', '{\"x\": [1]}')"
        )
        connection.execute(
            """insert into public."we ird" ("a b", arr, ip, t, dd, b, n, v2, vec, m1, rng, "2x")
               values (1, '{sad}', '::1', '10:00', '2026-01-01', 'ab', 1.5, '(1,x)', '{"(2,y)"}', '{q}',
                 '[1,3)', true)
            """
        )
        connection.execute('grant select on public.books, public."we ird" to anon')
        connection.execute("notify pgrst, 'reload schema'")
    program = """
import json, sys
from types_of_rows import PublicBooks, PublicWeIrd, PublicWeIrdInsert
from pydantic import TypeAdapter
books, strange = json.load(sys.stdin)
(book,) = TypeAdapter(list[PublicBooks]).validate_python(books)
(row,) = TypeAdapter(list[PublicWeIrd]).validate_python(strange)
assert (book.title, book.tags, book.j, book.m) == ("One", ["a", "b"], {"x": [1]}, "ok")
assert (row.field_2x, row.a_b, row.arr, row.v2.b, row.vec[0].a) == (True, 1, ["sad"], "x", 2)
assert (row.dd.year, row.t.hour, row.n, row.ip, row.x) == (2026, 10, 1.5, "::1", None)
TypeAdapter(PublicWeIrdInsert).validate_python({"a b": 2})
"""
    rows = [
        httpx.get(f"{API}/rest/v1/{name}?select={columns}", headers={"apikey": KEY}).json()
        for name, columns in (("books", "id,title,m,tags,j,more"), ("we%20ird", "*"))
    ]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=tmp_path,
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_types_in_swift_are_an_enum_for_each_schema(project: SmallProject) -> None:
    shown = project.run("gen", "types", "--lang", "swift", "-s", "other").stdout
    fields = {"Select": ("Int64?", "Int32", "Size"), "Insert": ("Int64?", "Int32", "Size")}
    fields["Update"] = ("Int64?", "Int32?", "Size?")
    structs = "".join(
        f"""  internal struct Boxes{section}: Codable, Hashable, Sendable, Identifiable {{
    internal let book: {book}
    internal let id: {identity}
    internal let s: {size}
    internal enum CodingKeys: String, CodingKey {{
      case book = "book"
      case id = "id"
      case s = "s"
    }}
  }}
"""
        for section, (book, identity, size) in fields.items()
    )
    assert shown == (
        "import Foundation\nimport Supabase\n\ninternal enum OtherSchema {\n"
        "  internal enum Size: String, Codable, Hashable, Sendable {\n"
        '    case small = "small"\n    case large = "large"\n  }\n'
        f"{structs}}}\n"
    )
    public = project.run("gen", "types", "--lang", "swift", "--swift-access-control", "public").stdout
    assert "public struct UsersSelect: Codable, Hashable, Sendable, Identifiable {" in public
    assert "public let size: OtherSchema.Size?" in public
    assert "internal" not in public


def test_types_in_dart_are_the_official_programs(project: SmallProject) -> None:
    program = project.root / "node_modules" / ".bin" / "supabase"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    shown = project.run("gen", "types", "--lang", "dart", "-s", "public", "-s", "other").stdout
    assert shown == (
        "gen types --lang dart --schema public,other "
        f"--db-url postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres?sslmode=disable\n"
    )


@pytest.mark.parametrize(("algorithm", "kind"), [("ES256", "EC"), ("RS256", "RSA")])
def test_signing_key_is_written_and_appended(project: SmallProject, algorithm: str, kind: str) -> None:
    path = project.root / "supabase" / "keys.json"
    path.write_text("[]")
    try:
        assert project.run("gen", "signing-key", "--algorithm", algorithm).returncode == 0
        (first,) = json.loads(path.read_text())
        assert (first["kty"], first["alg"], first["use"], "d" in first) == (kind, algorithm, "sig", True)
        assert path.stat().st_mode & 0o777 == 0o600
        shown = json.loads(project.run("gen", "signing-key", "--append", "-o", "json").stdout)
        assert [key["kid"] for key in json.loads(path.read_text())] == [first["kid"], shown["kid"]]
        token = project.run("gen", "bearer-jwt", "--role", "anon").stdout.strip()
        assert len(token.split(".")) == 3
    finally:
        path.write_text("[]")


def test_bearer_token_is_the_users_for_as_long_as_it_says(project: SmallProject) -> None:
    options = ("--role", "service_role", "--sub", "8c0e5a3e-0000-4000-8000-000000000001", "--valid-for", "1h")
    shown = json.loads(
        project.run("gen", "bearer-jwt", *options, "--payload", '{"a": 1}', "-o", "json").stdout
    )
    claims = shown["claims"]
    assert {**claims, "iat": 0, "exp": claims["exp"] - claims["iat"]} == {
        "a": 1,
        "sub": "8c0e5a3e-0000-4000-8000-000000000001",
        "role": "service_role",
        "iat": 0,
        "exp": 3600,
    }
    headers = {"apikey": KEY, "authorization": f"Bearer {shown['token']}"}
    response = httpx.post(f"{API}/rest/v1/rpc/me", headers=headers)
    assert (response.status_code, response.json()) == (200, claims)
    old = project.run("gen", "bearer-jwt", "--exp", "2020-01-01T00:00:00Z").stdout.strip()
    expired = httpx.post(f"{API}/rest/v1/rpc/me", headers={**headers, "authorization": f"Bearer {old}"})
    assert (expired.status_code, expired.json()["message"]) == (401, "JWT expired")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--payload", "{"), "--payload is no JSON"),
        (("--payload", "[]"), "--payload is no JSON object."),
        (("--exp", "tomorrow"), "'tomorrow' is no time."),
        (("--valid-for", "long"), "'long' is no time."),
    ],
)
def test_bearer_token_of_wrong_arguments_is_an_error(
    project: SmallProject, arguments: tuple[str, ...], message: str
) -> None:
    done = project.run("gen", "bearer-jwt", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
