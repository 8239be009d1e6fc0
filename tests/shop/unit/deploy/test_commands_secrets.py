"""Secrets in the owner's `.env`: one line each, for the owner's eyes alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.environment import read_environ
from deploy.secret_file import store_secret


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "KEY=new\n"),
        ("", "KEY=new\n"),
        ("A=1\nKEY=old\nB=2\n", "A=1\nKEY=new\nB=2\n"),
        ("A=1\nKEY=\n", "A=1\nKEY=new\n"),
        ("export KEY = old\n", "KEY=new\n"),
        ("#KEY=example\nOTHER_KEY=1", "#KEY=example\nOTHER_KEY=1\nKEY=new\n"),
    ],
)
def test_secret_takes_one_line_and_leaves_the_others(tmp_path: Path, before: str | None, after: str) -> None:
    file = tmp_path / ".env"
    if before is not None:
        file.write_text(before, encoding="utf-8")
        file.chmod(0o644)
    store_secret(file, "KEY", "new")
    assert file.read_text(encoding="utf-8") == after
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [".env"]


def test_secret_with_a_backslash_is_written_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("KEY=old\n", encoding="utf-8")
    store_secret(file, "KEY", r"a\1b")
    assert read_environ({}, file) == {"KEY": r"a\1b"}


def test_environment_wins_over_the_file_and_empty_values_count_as_missing(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=file\nB=file\nC=\n", encoding="utf-8")
    assert read_environ({"A": "process", "B": "", "D": ""}, file) == {"A": "process", "B": "file"}
