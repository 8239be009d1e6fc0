"""Copies of data: the same bytes, rights and times, and nothing that leads outside."""

from __future__ import annotations

import os
import socket
import struct
from pathlib import Path

import pytest
from localbase.cli.data.copies import copy_data, copy_database, copy_tree, dig_holes, remove_tree, tree_bytes
from localbase.cli.data.exchange import DataSwap


def test_copy_has_the_bytes_rights_and_times_of_the_original(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "empty").mkdir(parents=True)
    (source / "empty").chmod(0o750)
    file = source / "file"
    file.write_bytes(os.urandom(100_000))
    file.chmod(0o640)
    os.utime(file, ns=(1_000_000_000, 2_000_000_000))
    copy_tree(source, tmp_path / "copy")
    copied = tmp_path / "copy" / "file"
    assert copied.read_bytes() == file.read_bytes()
    assert (copied.stat().st_mode & 0o7777, copied.stat().st_mtime_ns) == (0o640, 2_000_000_000)
    assert (tmp_path / "copy" / "empty").stat().st_mode & 0o7777 == 0o750
    assert not copied.samefile(file)
    assert tree_bytes(tmp_path / "copy") == 100_000


@pytest.mark.parametrize("text", [b"", b"\0" * 200_000, b"x" * 70_000 + b"\0" * 130_000])
def test_holes_of_a_file_stay_holes(tmp_path: Path, text: bytes) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "file").write_bytes(text)
    dig_holes(source)
    copy_tree(source, tmp_path / "copy")
    copied = tmp_path / "copy" / "file"
    assert copied.read_bytes() == text
    assert copied.stat().st_blocks * 512 < 100_000


def test_holes_between_data_stay_holes(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        for begin in (0, 1 << 20, 3 << 20):
            file.seek(begin)
            file.write(b"data")
        file.truncate(5 << 20)
    copy_tree(tmp_path / "file", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "file").read_bytes()
    assert (tmp_path / "copy").stat().st_blocks * 512 < 1 << 20


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_copy_belongs_to_the_owner_of_the_original(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    os.chown(tmp_path / "file", 65534, 65534)
    copy_tree(tmp_path / "file", tmp_path / "copy")
    assert ((tmp_path / "copy").stat().st_uid, (tmp_path / "copy").stat().st_gid) == (65534, 65534)


def test_links_are_copied_as_links_and_sockets_left_out(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "link").symlink_to("/etc/passwd")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(source / "socket"))
        copy_tree(source, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["link"]
    assert (tmp_path / "copy" / "link").readlink() == Path("/etc/passwd")


def test_stored_objects_get_a_second_name_and_unfinished_ones_are_copied(tmp_path: Path) -> None:
    swap = DataSwap(tmp_path / "state", tmp_path / "state" / "postgres")
    (swap.data).mkdir(parents=True)
    (swap.data / "postmaster.pid").write_text("1")
    (swap.data / "PG_VERSION").write_text("18")
    objects = swap.state / "storage" / "ab"
    objects.mkdir(parents=True)
    (objects / "whole").write_text("whole")
    (objects / "begun.part").write_text("part")
    (swap.state / "mail.sqlite").write_text("mails")
    (swap.state / "logs").mkdir()
    target = tmp_path / "target"
    target.mkdir()
    copy_data(swap, target)
    paths = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert paths == {
        "postgres/PG_VERSION",
        "state/mail.sqlite",
        "state/storage/ab/begun.part",
        "state/storage/ab/whole",
    }
    assert (target / "state" / "storage" / "ab" / "whole").samefile(objects / "whole")
    assert not (target / "state" / "storage" / "ab" / "begun.part").samefile(objects / "begun.part")
    assert not (target / "state" / "mail.sqlite").samefile(swap.state / "mail.sqlite")


def test_segments_of_the_log_that_hold_nothing_yet_are_left_out(tmp_path: Path) -> None:
    log = tmp_path / "data" / "pg_wal"
    (log / "archive_status").mkdir(parents=True)
    size = 1 << 20

    def segment(name: str, place: int) -> None:
        (log / name).write_bytes(struct.pack("=HHIQ", 0xD118, 2, 1, place).ljust(size, b"x"))

    segment("0000000100000002000000A7", (2 << 32) + 0xA7 * size)
    segment("0000000100000002000000A8", (2 << 32) + 0x93 * size)  # renamed for later use
    segment("0000000100000002000000A9", 0)  # made ahead
    # Of a timeline that began within it.
    segment("0000000200000002000000A7", (2 << 32) + 0xA7 * size)
    segment("00000002.history", 0)
    copy_database(tmp_path / "data", tmp_path / "copy")
    assert sorted(path.name for path in (tmp_path / "copy" / "pg_wal").iterdir()) == [
        "0000000100000002000000A7",
        "00000002.history",
        "0000000200000002000000A7",
        "archive_status",
    ]


def test_link_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    remove_tree(tmp_path / "link")
    assert not (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder").is_dir()
