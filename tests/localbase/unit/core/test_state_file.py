"""SQLite files of local state: a damaged one is set aside with a warning; what a user must repair is one line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from localbase.core import state_file
from localbase.core.state_file import StateFileError, explain, open_state_file

SCHEMA = """create table if not exists things (id text primary key, body text);
create index if not exists i on things (body);"""


def fill(path: Path) -> None:
    connection, warning = open_state_file(path, SCHEMA)
    assert warning == ""
    connection.executemany("insert into things values (?, ?)", [(str(n), "x" * 500) for n in range(200)])
    connection.close()


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def zeros(path: Path) -> None:
    path.write_bytes(bytes(8192))


def header_only(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\x00")


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def torn_page(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8192:12288] = os.urandom(4096)
    path.write_bytes(content)


def another_program(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("create table things (other integer)")
    connection.close()


@pytest.mark.parametrize("damage", [garbage, zeros, header_only, cut_short, torn_page, another_program])
def test_damaged_file_is_set_aside_and_replaced(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "state" / "mail.sqlite"
    fill(path)
    damage(path)
    content = path.read_bytes()
    connection, warning = open_state_file(path, SCHEMA)
    (aside,) = [one for one in path.parent.iterdir() if ".damaged-" in one.name and one.name.count("-") == 2]
    assert aside.read_bytes() == content
    assert warning.startswith(f"{path} is damaged (")
    assert warning.endswith(f"). It was put aside as {aside.name}, and a new one was begun.")
    assert connection.execute("select count(*) from things").fetchone() == (0,)
    connection.close()
    again, warning = open_state_file(path, SCHEMA)
    assert warning == ""
    again.close()


def test_intact_file_is_used(tmp_path: Path) -> None:
    path = tmp_path / "mail.sqlite"
    fill(path)
    connection, warning = open_state_file(path, SCHEMA)
    assert (warning, connection.execute("select count(*) from things").fetchone()) == ("", (200,))
    connection.close()


def test_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mail.sqlite"
    path.mkdir()
    with pytest.raises(StateFileError) as caught:
        open_state_file(path, SCHEMA)
    assert str(caught.value) == f"{path} is a folder, not a file. Move it away and try again."
    assert path.is_dir()


def test_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    path = tmp_path / "state" / "mail.sqlite"
    with pytest.raises(StateFileError) as caught:
        open_state_file(path, SCHEMA)
    assert str(caught.value).startswith(f"Cannot open {path}: ")
    assert str(caught.value).endswith(". Check who may write there.")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_file_of_another_user_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "mail.sqlite"
    fill(path)
    content = path.read_bytes()
    code = (
        "import importlib.util, os, pathlib, sys\n"
        "spec = importlib.util.spec_from_file_location('state_file', sys.argv[1])\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
        "path = pathlib.Path(sys.argv[2])\n"
        "os.chdir(path.parent)\n"
        "os.chmod('.', 0o755)\n"
        "os.setuid(65534)\n"
        "try:\n    module.open_state_file(pathlib.Path(path.name), 'create table t (i)')\n"
        "except module.StateFileError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(state_file.__file__), str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("Cannot open mail.sqlite: ")
    assert "(chown) and try again." in done.stdout
    assert path.read_bytes() == content


def test_full_disk_is_named() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (body text)")
    connection.execute("pragma max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.execute("insert into t values (?)", ("x" * 100_000,))
    assert explain(Path("/state/mail.sqlite"), caught.value) == (
        "Cannot write /state/mail.sqlite: the disk is full. Free some space on it and try again."
    )
