"""The owner's commands against the shop's stack and against vendors that a test makes up."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.shop.integration.deploy.deployed import Deployed, deployed_shop
from tests.shop.integration.deploy.owner import Owner
from tests.shop.integration.deploy.vendor import Vendor, running_vendor
from tests.support.shops import RunningShop
from tests.support.stacks import ROOT, Stack, read_stack, run_spare_shop


@pytest.fixture(scope="module")
def spare() -> Iterator[RunningShop]:
    """Another project: a catalog, and no people, designs or orders."""
    environ = run_spare_shop("db reset", {"SUPABASE_DB_SEED_ENABLED": "false"})
    shop = RunningShop(read_stack(ROOT, environ))
    shop.functions.sql((ROOT / "sql" / "seed" / "10_product_variants.sql").read_text(encoding="utf-8"))
    yield shop
    run_spare_shop("stop")
    shutil.rmtree(shop.stack.state)


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
