"""A reset that is killed at any moment leaves all of the old data or all of the new."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from localbase.cli.swap import DataSwap


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
