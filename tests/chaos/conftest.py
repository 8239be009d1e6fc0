"""A separate stack for the chaos test, whose processes it may kill.

`pytest tests/chaos --full` runs the long form, `--seed N` another course of events.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.support.ports import ports_of
from tests.support.stacks import ROOT, Stack, clean_environ, read_stack, run, supabase

CHAOS_ENVIRON = {
    "SUPABASE_PROJECT_ID": "teesmith-chaos",
    **ports_of("chaos"),
    # a print shop at two hundred times its pace: a parcel's hour passes within the test
    "EMULATORS_SPEED": "200",
    "SWEEP_SECONDS": "1",
    # the lease of a killed process's jobs; no job here takes as long
    "SWEEP_LEASE_SECONDS": "12",
    # a shopper's thirty orders within minutes are the storm's, not a thief's
    "ORDERS_PER_HOUR": "100000",
    "ORDERS_PER_DAY": "100000",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", default=False, help="the long form of the chaos test")
    parser.addoption("--seed", type=int, default=None, help="another course of events")


def run_chaos_shop(*verbs: str) -> None:
    """`supabase VERBS` with the vendors' emulators, without building the web client: the test opens no page."""
    run([sys.executable, "-m", "emulators", "run", "--", *supabase(*verbs)], clean_environ(CHAOS_ENVIRON))


@pytest.fixture(scope="session")
def chaos_stack() -> Iterator[Stack]:
    """Fresh data, and everything stopped at the end."""
    run_chaos_shop("db", "reset")
    yield read_stack(ROOT, clean_environ(CHAOS_ENVIRON))
    run_chaos_shop("stop")
