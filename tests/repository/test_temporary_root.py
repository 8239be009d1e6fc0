"""The folder below which pytest makes those of the tests."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.support.temporary_root import use_own_temporary_root


def root_of(checkout: Path, memory: Path = Path("/nowhere"), available: int = 0) -> Path:
    figures = checkout.with_name("figures")
    figures.write_text(f"MemTotal: 99999999 kB\nMemAvailable:   {available << 20} kB\n")
    environ: dict[str, str] = {}
    use_own_temporary_root(environ, checkout, memory, figures)
    assert environ["TMPDIR"] == environ["PYTEST_DEBUG_TEMPROOT"]
    return Path(environ["TMPDIR"])


def test_checkouts_have_different_roots_that_every_user_may_enter(tmp_path: Path) -> None:
    roots = [root_of(tmp_path / name) for name in ("first", "second", "first")]
    try:
        assert roots[0] == roots[2] != roots[1]
        for root in roots:
            assert root.parent == Path(tempfile.gettempdir())
            assert root.stat().st_mode & 0o777 == 0o755
    finally:
        for root in set(roots):
            root.rmdir()


def test_root_lies_in_memory_where_the_machine_has_much(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    roots = [root_of(tmp_path / "checkout", memory, gigabytes) for gigabytes in (7, 8)]
    roots.append(root_of(tmp_path / "checkout", tmp_path / "missing", 8))
    try:
        assert [root.parent for root in roots] == [Path(tempfile.gettempdir()), memory, roots[0].parent]
    finally:
        roots[0].rmdir()


def test_folder_that_the_environment_names_for_all_programs_is_not_left(tmp_path: Path) -> None:
    environ = {"TMPDIR": tempfile.gettempdir()}
    use_own_temporary_root(environ, tmp_path / "checkout")
    root = Path(environ["PYTEST_DEBUG_TEMPROOT"])
    root.rmdir()
    assert root.parent == Path(tempfile.gettempdir())


def test_root_that_the_environment_names_is_used() -> None:
    environ = {"PYTEST_DEBUG_TEMPROOT": "/elsewhere"}
    use_own_temporary_root(environ, Path("/checkout"))
    assert environ == {"PYTEST_DEBUG_TEMPROOT": "/elsewhere"}


def test_link_in_place_of_the_root_is_rejected(tmp_path: Path) -> None:
    root = root_of(tmp_path)
    root.rmdir()
    root.symlink_to(tmp_path)
    try:
        with pytest.raises(PermissionError, match="not this user's own folder"):
            root_of(tmp_path)
    finally:
        root.unlink()


def test_folders_of_tests_lie_below_the_own_root(tmp_path: Path) -> None:
    assert tmp_path.is_relative_to(os.environ["PYTEST_DEBUG_TEMPROOT"])
