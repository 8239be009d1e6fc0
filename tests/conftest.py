"""Fixtures for all tests: the shop's stack, a laboratory project for localbase, and people who use them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.people import People
from tests.stacks import (
    ROOT,
    Stack,
    clean_environ,
    read_stack,
    start_project,
    start_shop,
    stop_project,
    stop_shop,
)


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """The whole shop, as `make start` starts it, with fresh data; with TEESMITH_STACK=running the one that runs."""
    if os.environ.get("TEESMITH_STACK") == "running":
        yield read_stack(ROOT, clean_environ({}))
        return
    yield start_shop()
    stop_shop()


@pytest.fixture(scope="session")
def lab() -> Iterator[Stack]:
    """A second project (tests/lab): a schema made to try the services on."""
    root = ROOT / "tests" / "lab"
    yield start_project(root)
    stop_project(root)


@pytest.fixture(scope="session")
def services() -> Iterator[Stack]:
    """A third project (tests/services): auth, storage, functions and mailbox to try."""
    root = ROOT / "tests" / "services"
    environ = {"TEST_GREETING": "Good day"}
    yield start_project(root, environ)
    stop_project(root, environ)


@pytest.fixture(scope="session")
def people(stack: Stack) -> People:
    """Makes verified users of the shop, each with a client that is signed in."""
    return People(stack)
