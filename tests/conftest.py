"""Fixtures for all tests: the shop's stack, a project for localbase's Data API, and users."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack

import pytest
from hypothesis import settings

from tests.support.authorities import trust_one_authority
from tests.support.remote import remote_project
from tests.support.scheduling import order_of, pytest_xdist_make_scheduler
from tests.support.stacks import (
    ROOT,
    Stack,
    bytes_settings,
    clean_environ,
    read_stack,
    running_project,
    start_shop,
    stop_shop,
)
from tests.support.temporary_root import use_own_temporary_root
from tests.support.users import Users

__all__ = ["pytest_xdist_make_scheduler"]

# A shell ignores it for what it runs in the background, and so would every command that a test interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
trust_one_authority(os.environ)
use_own_temporary_root(os.environ, ROOT)

# Deadlines fail at random on a shared machine.
settings.register_profile("teesmith", deadline=None)
settings.load_profile("teesmith")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--lite", action="store_true", help="run tests/compat/lite too (make compat-lite)")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are processors: a worker waits for pages, starts and clocks two fifths of its time."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Looks for no garbage while fifteen thousand tests are made, nor among them afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long begin first, so that no worker of a parallel run is left alone with one at the end."""
    items.sort(key=lambda item: order_of(item.nodeid))


@pytest.fixture(scope="session")
def stack() -> Iterator[Stack]:
    """The whole shop, as `make start` starts it, with fresh data; with TEESMITH_STACK=running the one that runs.

    With COMPAT_URL a shop anywhere (tests/support/remote.py).
    """
    if remote := remote_project("shop"):
        yield remote
        return
    if os.environ.get("TEESMITH_STACK") == "running":
        yield read_stack(ROOT, clean_environ({}))
        return
    yield start_shop()
    stop_shop()


@pytest.fixture(scope="session")
def library() -> Iterator[Stack]:
    """A second project (tests/projects/library): a library's schema for the Data API."""
    yield from _project("library")


@pytest.fixture(scope="session")
def services() -> Iterator[Stack]:
    """A third project (tests/projects/services): auth, storage, functions and mailbox to try."""
    yield from _project("services")


@pytest.fixture(scope="session")
def storage() -> Iterator[Stack]:
    """A fourth project (tests/projects/storage): buckets and policies of every kind.

    With STORAGE_BYTES=s3 its bytes lie on the S3 of another project; tests that look at the disk fail then.
    """
    with ExitStack() as stack:
        environ: dict[str, str] = {}
        if os.environ.get("STORAGE_BYTES") == "s3":
            service = stack.enter_context(running_project("bytes_service"))
            environ = bytes_settings(f"{service.api_url}/storage/v1/s3")
        yield from _project("storage", environ)


def _project(name: str, extra: Mapping[str, str] | None = None) -> Iterator[Stack]:
    if remote := remote_project(name):
        yield remote
        return
    with running_project(name, extra) as running:
        yield running


@pytest.fixture(scope="session")
def users(stack: Stack) -> Users:
    """Makes verified users of the shop, each with a client that is signed in."""
    return Users(stack)
