"""pg_jsonschema in SQL, compared with the library that upstream's is made of.

The short form gives each draft every second value, and the next draft that has the keyword the others.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import psycopg
import pytest
from localbase.postgres.binaries import find_binaries

from tests.localbase.integration.postgres.jsonschema_cases import DRAFTS, FORMATS, ONLY, SCHEMAS, VALUES, Fuzz
from tests.localbase.integration.schema_cluster import SchemaCluster
from tests.support.random_cases import TIMES, cases

_FITS = """
select extensions.jsonb_matches_schema(%s, i) from jsonb_array_elements(%s) with ordinality as e(i, n) order by n
"""


@pytest.fixture(scope="module")
def database(cluster: SchemaCluster) -> Iterator[psycopg.Connection]:
    with cluster.database() as connection:
        connection.execute("set role postgres; create extension pg_jsonschema with schema extensions")
        connection.execute("set search_path = ''")
        yield connection


def one(database: psycopg.Connection, call: str, *values: object) -> Any:
    row = database.execute(f"select extensions.{call}".encode(), values or None).fetchone()
    assert row is not None
    return row[0]


def ours(database: psycopg.Connection, schema: Any, instances: list[Any]) -> list[bool]:
    rows = database.execute(_FITS, [json.dumps(schema), json.dumps(instances)]).fetchall()
    return [row[0] for row in rows]


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("keyword", SCHEMAS)
def test_instance_fits_as_upstream_decides(database: psycopg.Connection, keyword: str, draft: int) -> None:
    drafts = list(ONLY.get(keyword, DRAFTS))
    if draft not in drafts:
        return
    is_whole = TIMES > 1 or len(drafts) == 1
    values = list(VALUES if is_whole else VALUES[drafts.index(draft) % 2 :: 2])
    for bare in SCHEMAS[keyword]:
        schema = {"$schema": DRAFTS[draft], **bare} if isinstance(bare, dict) else bare
        validator = jsonschema_rs.validator_for(schema)
        expected = [validator.is_valid(value) for value in values]
        found = ours(database, schema, values)
        different = [value for value, a, b in zip(values, expected, found, strict=True) if a != b]
        assert (schema, different) == (schema, [])


@pytest.mark.parametrize("draft", DRAFTS)
def test_random_schemas_decide_as_upstreams(database: psycopg.Connection, draft: int) -> None:
    fuzz = Fuzz(draft)
    for _ in range(cases(20)):
        schema = fuzz.schema(draft)
        instances = [fuzz.instance() for _ in range(12)]
        validator = jsonschema_rs.validator_for(schema)
        expected = [validator.is_valid(value) for value in instances]
        assert (schema, instances, ours(database, schema, instances)) == (schema, instances, expected)


@pytest.mark.parametrize("form", FORMATS)
def test_formats_are_asserted_by_the_drafts_that_do(database: psycopg.Connection, form: str) -> None:
    schema = {"$schema": DRAFTS[7], "format": form}
    validator = jsonschema_rs.validator_for(schema)
    expected = {text: validator.is_valid(text) for text in FORMATS[form]}
    assert dict(zip(expected, ours(database, schema, list(expected)), strict=True)) == expected
    assert set(ours(database, {"format": form}, list(expected))) == {True}


# Each half asks for the next one twice.
_DOUBLING = {
    "$ref": "#/$defs/a0",
    "$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} if n < 40 else {} for n in range(41)},
}
# A value for every kind of mistake, with each keyword.
_WRONG: list[Any] = [
    None,
    1,
    -1,
    1.5,
    "x",
    [],
    ["a", "a"],
    [1],
    {},
    {"a": 1},
    {"a": []},
    {"a": ["b", "b"]},
    [{}],
    True,
    "1",
]
_KEYWORDS = [
    "type", "enum", "const", "multipleOf", "maximum", "maxLength", "minItems", "uniqueItems", "required", "properties",
    "patternProperties", "additionalProperties", "propertyNames", "items", "contains", "allOf", "not", "if", "format",
    "title", "definitions", "dependencies", "$ref", "$comment", "examples", "default", "readOnly", "prefixItems",
    "$defs", "dependentRequired", "dependentSchemas", "unevaluatedItems", "minContains", "$anchor", "additionalItems",
]  # fmt: skip


@pytest.mark.parametrize("draft", [7, 2020])
@pytest.mark.parametrize("keyword", _KEYWORDS)
def test_schema_is_valid_as_its_metaschema_decides(
    database: psycopg.Connection, keyword: str, draft: int
) -> None:
    for value in _WRONG:
        for bare in ({keyword: value}, {"properties": {"p": {keyword: value}}}):
            schema = {"$schema": DRAFTS[draft], **bare}
            expected = jsonschema_rs.meta.is_valid(schema)
            assert (schema, one(database, "jsonschema_is_valid(%s)", json.dumps(schema))) == (
                schema,
                expected,
            )


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ({"maxLength": 4}, "123456789"),
        ({"type": ["string", "null"], "enum": [1, 2], "minProperties": 5, "const": {"b": [1, 2]}},
         {"a": 1, "z": ": ,"}),
        ({"properties": {"a": {"type": "string"}, "b": {"type": "number"}}, "required": ["u"]}, {"a": 1, "b": []}),
        ({"enum": [1, 2, 3, 4, 5]}, {"a": [1, {"b": ", \" :"}]}),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"a": 1, "b": 2, "c": 3}),
        ({"items": False, "contains": {"type": "string"}, "uniqueItems": True}, [1, 1]),
        ({"unevaluatedItems": False}, [1, 2]),
        ({"unevaluatedProperties": False}, {"a": 1}),
        ({"not": {"type": "integer"}, "oneOf": [{}, {}], "anyOf": [False]}, 1),
        ({"multipleOf": 0.3, "maximum": 1, "exclusiveMinimum": 5}, 4),
        ({"pattern": "^b", "minLength": 5}, "a"),
        ({"dependentRequired": {"a": ["b", "c"]}, "propertyNames": {"maxLength": 0}}, {"a": 1}),
        ({"$schema": DRAFTS[7], "format": "date", "items": [{}], "additionalItems": False}, "x"),
        ({"$schema": DRAFTS[7], "items": [{}], "additionalItems": False}, [1, 2]),
    ],
)  # fmt: skip
def test_errors_have_upstreams_words(database: psycopg.Connection, schema: Any, instance: Any) -> None:
    expected = sorted(error.message for error in jsonschema_rs.validator_for(schema).iter_errors(instance))
    found = one(database, "jsonschema_validation_errors(%s, %s)", json.dumps(schema), json.dumps(instance))
    assert sorted(found) == expected


def test_schema_that_is_none_is_an_error(database: psycopg.Connection) -> None:
    for function in ("json_matches_schema", "jsonb_matches_schema"):
        with pytest.raises(psycopg.errors.InvalidParameterValue, match='Invalid schema at path "/type"'):
            one(database, f"""{function}('{{"type": "obj"}}', '1')""")
    assert one(database, """jsonschema_validation_errors('{"type": "obj"}', '1')""") == [
        'Invalid schema at path "/type"'
    ]
    assert one(database, """jsonschema_is_valid('{"$schema": "nothing"}')""") is False
    assert one(database, "jsonb_matches_schema('true', null)") is None


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"$ref": "#"}, "lead too deep"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, "lead too deep"),
        ({"$ref": "#/nothing"}, "leads to no schema"),
        ({"$ref": "#nothing"}, "leads to no schema"),
        ({"$ref": "http://127.0.0.1:1/x"}, "none is fetched"),
        (_DOUBLING, "statement timeout"),
    ],
)  # fmt: skip
def test_reference_without_end_is_an_error(database: psycopg.Connection, schema: Any, words: str) -> None:
    database.execute("set statement_timeout = '1s'")
    try:
        with pytest.raises(psycopg.Error, match=words):
            one(database, "json_matches_schema(%s, '1')", json.dumps(schema))
    finally:
        database.execute("set statement_timeout = 0")


def test_nesting_without_end_is_an_error(database: psycopg.Connection) -> None:
    tree = json.dumps({"$ref": "#/$defs/t", "$defs": {"t": {"items": {"$ref": "#/$defs/t"}}}})
    assert one(database, "json_matches_schema(%s, %s)", tree, "[" * 30 + "]" * 30) is True
    with pytest.raises(psycopg.errors.ProgramLimitExceeded):
        one(database, "json_matches_schema(%s, %s)", tree, "[" * 3000 + "]" * 3000)
    deep = '{"not": ' * 3000 + "{}" + "}" * 3000
    with pytest.raises(psycopg.errors.ProgramLimitExceeded):
        one(database, "jsonschema_is_valid(%s)", deep)


def test_checks_and_generated_columns_are_dumped_and_restored(cluster: SchemaCluster) -> None:
    schema = '{"type": "object", "required": ["tags"]}'
    with cluster.database() as database:
        database.execute("create extension pg_jsonschema with schema extensions")
        database.execute(
            f"create table public.customers (data jsonb check (extensions.jsonb_matches_schema('{schema}', data)),"
            f" whole boolean generated always as (extensions.jsonb_matches_schema('true', data)) stored)".encode()
        )
        database.execute("""insert into public.customers values ('{"tags": []}')""")
        with pytest.raises(psycopg.errors.CheckViolation):
            database.execute("insert into public.customers values ('{}')")
        info = database.info
        dump = subprocess.run(
            [find_binaries({}).path("pg_dump"), "--table=public.customers", "--inserts", "--no-owner",
             "-h", info.host, "-p", str(info.port), "-U", "supabase_admin", info.dbname],
            env={"PGPASSWORD": "postgres"}, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        database.execute("drop table public.customers")
        statements = [line for line in dump.splitlines() if not line.startswith("\\")]
        database.execute("\n".join(statements).encode())
        assert database.execute("select data, whole from public.customers").fetchall() == [
            ({"tags": []}, True)
        ]
        with pytest.raises(psycopg.errors.CheckViolation):
            database.execute("insert into public.customers values ('{}')")
