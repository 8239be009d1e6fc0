"""The project for Realtime (tests/projects/realtime), and its users."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.stacks import Stack, running_project
from tests.support.users import People


@pytest.fixture(scope="session")
def realtime() -> Iterator[Stack]:
    """The running project."""
    with running_project("realtime") as running:
        yield running


@pytest.fixture(scope="session")
def members(realtime: Stack) -> People:
    """Its users."""
    return People(realtime)
