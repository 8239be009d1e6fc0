"""The owner's commands against the shop's stack and against vendors that a test makes up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.integration.deploy.deployed import Deployed, deployed_shop
from tests.integration.deploy.owner import Owner
from tests.integration.deploy.vendor import Vendor, running_vendor
from tests.support.stacks import Stack


@pytest.fixture
def owner(stack: Stack) -> Owner:
    return Owner(stack)


@pytest.fixture
def vendor() -> Iterator[Vendor]:
    with running_vendor() as made_up:
        yield made_up


@pytest.fixture
def sql(stack: Stack) -> Iterator[psycopg.Connection[dict[str, object]]]:
    """The stack's database, each statement committed at once."""
    with psycopg.connect(stack.db_url, autocommit=True, row_factory=dict_row) as connection:
        yield connection


@pytest.fixture
def deployed(
    stack: Stack, owner: Owner, sql: psycopg.Connection[dict[str, object]], tmp_path: Path
) -> Deployed:
    return deployed_shop(stack, owner, sql, tmp_path)
