"""The Python that the tests run with: the first, unless another of its version is far faster."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.interpreter import fastest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, output in {
        "slow": "3 11 1.7",
        "fast": "3 11 1.0",
        "hardly_faster": "3 11 1.5",
        "other_version": "3 12 0.5",
    }.items():
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\necho {output}\n")
        path.chmod(0o755)
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 3 11 0.1\nexit 1\n")
    broken.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("programs", "expected"),
    [
        (["slow", "fast"], "fast"),
        (["fast", "slow"], "fast"),
        (["slow", "hardly_faster"], "slow"),
        (["slow", "other_version"], "slow"),
        (["slow", "broken"], "slow"),
        (["slow", "missing"], "slow"),
        (["slow", "hardly_faster", "fast"], "fast"),
        # `make` says what is wrong with it.
        (["missing", "fast"], "missing"),
        (["slow"], "slow"),
    ],
)
def test_interpreter_is_the_first_unless_another_is_far_faster(
    folder: Path, programs: list[str], expected: str
) -> None:
    assert fastest(str(folder / name) for name in programs) == str(folder / expected)


def test_interpreter_measures_this_python() -> None:
    assert fastest([sys.executable, sys.executable]) == sys.executable
    assert fastest([sys.executable, "/bin/false"]) == sys.executable
