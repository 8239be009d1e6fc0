"""A reset that is killed at any moment leaves all of the old data or all of the new."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from localbase.cli.data.exchange import DataSwap


class _Killed(BaseException):
    """Ends the swap as a kill would: no handler catches it."""


def make(root: Path, *, inside: bool) -> tuple[DataSwap, Path]:
    state = root / "state"
    data = state / "postgres" if inside else root / "elsewhere" / "other-1234"
    for folder in (state / "storage", state / "logs", data):
        folder.mkdir(parents=True)
    (state / "storage" / "picture").write_text("old")
    (state / "mail.sqlite").write_text("old")
    (state / "logs" / "gateway.log").write_text("stays")
    (state / "supervisor.lock").write_text("stays")
    (data / "PG_VERSION").write_text("old")
    swap = DataSwap(state, data)
    fresh = swap.new_folder(7)
    fresh.mkdir()
    (fresh / "PG_VERSION").write_text("new")
    return swap, fresh


def stored(swap: DataSwap) -> dict[str, str]:
    """Every file that is left, without unfinished databases."""
    roots = {swap.state, swap.data.parent}
    return {
        path.relative_to(swap.state.parent).as_posix(): path.read_text()
        for root in roots
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".new-" not in path.as_posix()
    }


def old(swap: DataSwap) -> dict[str, str]:
    data = swap.data.relative_to(swap.state.parent).as_posix()
    return {
        f"{data}/PG_VERSION": "old",
        "state/logs/gateway.log": "stays",
        "state/mail.sqlite": "old",
        "state/storage/picture": "old",
        "state/supervisor.lock": "stays",
    }


def new(swap: DataSwap) -> dict[str, str]:
    data = swap.data.relative_to(swap.state.parent).as_posix()
    return {
        f"{data}/PG_VERSION": "new",
        "state/logs/gateway.log": "stays",
        "state/supervisor.lock": "stays",
    }


@pytest.mark.parametrize("inside", [True, False])
def test_swap_replaces_all_stored_data(tmp_path: Path, inside: bool) -> None:
    swap, fresh = make(tmp_path, inside=inside)
    swap.apply(fresh)
    swap.discard_old()
    assert stored(swap) == new(swap)
    assert swap.abandoned() == []


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("renames_before", range(4))
def test_swap_killed_between_two_renames_is_undone(tmp_path: Path, inside: bool, renames_before: int) -> None:
    swap, fresh = make(tmp_path, inside=inside)
    done = 0

    def rename_or_die(path: Path, target: Path) -> Path:
        nonlocal done
        if done == renames_before:
            raise _Killed
        done += 1
        return path.rename(target)

    with pytest.raises(_Killed):
        replace(swap, rename=rename_or_die).apply(fresh)
    swap.recover()
    assert stored(swap) == old(swap)
    assert swap.abandoned() == [fresh]


def with_files(swap: DataSwap, fresh: Path) -> dict[str, str]:
    """Stages files that come with the database. Returns what there is when all is in place."""
    staged = swap.stage(fresh, 7)
    (staged / "storage").mkdir()
    (staged / "storage" / "picture").write_text("new")
    (staged / "mail.sqlite").write_text("new")
    return new(swap) | {"state/mail.sqlite": "new", "state/storage/picture": "new"}


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("renames_before", range(7))
def test_swap_with_files_killed_anywhere_leaves_all_old_or_all_new(
    tmp_path: Path, inside: bool, renames_before: int
) -> None:
    swap, fresh = make(tmp_path, inside=inside)
    expected = with_files(swap, fresh)
    done = 0

    def rename_or_die(path: Path, target: Path) -> Path:
        nonlocal done
        if done == renames_before:
            raise _Killed
        done += 1
        return path.rename(target)

    try:
        replace(swap, rename=rename_or_die).apply(fresh)
    except _Killed:
        assert renames_before < 6
    swap.recover()
    for path in swap.abandoned():
        shutil.rmtree(path)
    # The fourth rename puts the database in place: it decides on all.
    assert stored(swap) == (old(swap) if renames_before < 4 else expected)


def test_staged_files_that_a_database_in_place_names_are_not_abandoned(tmp_path: Path) -> None:
    swap, fresh = make(tmp_path, inside=True)
    with_files(swap, fresh)
    assert swap.abandoned() == [fresh, swap.state / "staged-7"]
    fresh.rename(swap.data.with_name("elsewhere"))
    (swap.data / "localbase-staged").write_text("staged-7")
    assert swap.abandoned() == []


@pytest.mark.parametrize("name", ["../../elsewhere", "logs", "staged-/../logs", "staged-8", ""])
def test_staged_folder_of_a_foreign_name_is_left_alone(tmp_path: Path, name: str) -> None:
    swap, _ = make(tmp_path, inside=True)
    (swap.data / "localbase-staged").write_text(name)
    swap.recover()
    assert stored(swap) == old(swap)


@pytest.mark.parametrize("inside", [True, False])
def test_swap_killed_after_the_last_rename_is_complete(tmp_path: Path, inside: bool) -> None:
    swap, fresh = make(tmp_path, inside=inside)
    swap.apply(fresh)
    swap.recover()
    assert stored(swap) == new(swap)


def test_failed_swap_is_undone_at_once(tmp_path: Path) -> None:
    swap, fresh = make(tmp_path, inside=True)
    with pytest.raises(OSError, match=r"new-8"):
        swap.apply(fresh.with_name("postgres.new-8"))
    assert stored(swap) == old(swap)
