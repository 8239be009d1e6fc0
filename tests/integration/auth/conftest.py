"""Fixtures of auth's tests: a stack with every feature on."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator

import pytest

from tests.integration.auth.outside_providers import OutsideProviders, outside_providers
from tests.support.stacks import Stack, running_project

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def auth() -> Iterator[Stack]:
    """The project tests/projects/auth."""
    with running_project("auth") as running:
        yield running


@pytest.fixture
def email() -> str:
    """An address that no user has yet."""
    return f"user-{uuid.uuid4().hex[:8]}-{next(_numbers)}@example.com"


@pytest.fixture(scope="session")
def outside() -> Iterator[OutsideProviders]:
    """Providers that people sign in at."""
    with outside_providers() as running:
        yield running
