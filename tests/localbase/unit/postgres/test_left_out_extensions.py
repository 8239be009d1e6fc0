"""The extension that an error is about, and the way to it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from localbase.postgres.extensions import left_out_note, missing_remedy, user_of
from localbase.postgres.scripts.failure import Outcome, script_error
from localbase.postgres.scripts.statements import Piece


@pytest.mark.parametrize(
    ("message", "extension"),
    [
        ("function extensions.http_get(unknown) does not exist", "http"),
        ("function http(http_request) does not exist", "http"),
        ('type "extensions.http_request" does not exist', "http"),
        ("function jsonb_matches_schema(json, jsonb) does not exist", "pg_jsonschema"),
        ('schema "pgtle" does not exist', "pg_tle"),
        ('access method "pgroonga" does not exist', "pgroonga"),
        ('language "plv8" does not exist', "plv8"),
        ("function public.http_client(text) does not exist", None),
        ('relation "public.things" does not exist', None),
    ],
)
def test_missing_object_belongs_to_its_extension(message: str, extension: str | None) -> None:
    assert user_of(message) == extension


@pytest.mark.parametrize("extension", ["postgis", "vector", "no_platforms"])
def test_extension_that_tables_need_is_not_left_out(extension: str) -> None:
    assert left_out_note(extension) is None


def test_way_to_an_extension_names_the_newest_postgres_installed(tmp_path: Path) -> None:
    assert "apt-get install postgresql-15-postgis-3\n" in missing_remedy("postgis", tmp_path)
    (tmp_path / "17").mkdir()
    assert "PG_BIN=/usr/lib/postgresql/17/bin localbase start" in missing_remedy("postgis", tmp_path)


class UnknownFunction(psycopg.errors.UndefinedFunction):
    """As Postgres reports one."""

    diag = SimpleNamespace(
        message_primary="function urlencode(unknown) does not exist",
        message_detail=None,
        message_hint=None,
        context=None,
        statement_position="8",
    )  # type: ignore[assignment]


@pytest.mark.parametrize("missing", [True, False])
def test_extension_is_named_only_where_postgres_lacks_it(missing: bool) -> None:
    piece = Piece("select urlencode('a')", 1)
    error = script_error(Path("a.sql"), piece, UnknownFunction(), Outcome(), lambda _: missing)
    assert ("does not have http" in error.remedy) == missing
    assert "function urlencode(unknown) does not exist" in error.message
