"""The project for Realtime (tests/projects/realtime), and its users."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.stacks import (
    ROOT,
    Stack,
    project_environ,
    running_project,
    start_project,
    stop_project,
)
from tests.support.users import Users


@pytest.fixture(scope="session")
def realtime() -> Iterator[Stack]:
    """The running project."""
    with running_project("realtime") as running:
        yield running


@pytest.fixture(scope="session")
def members(realtime: Stack) -> Users:
    """Its users."""
    return Users(realtime)


@contextmanager
def copy_of_the_project(root: Path, stack: str, environ: Mapping[str, str]) -> Iterator[Stack]:
    """The same project in the folder `root`, with settings and ports of its own."""
    shutil.copytree(ROOT / "tests" / "projects" / "realtime", root)
    environ = {**project_environ("realtime", stack), **environ}
    try:
        yield start_project(root, environ)
    finally:
        stop_project(root, environ)
