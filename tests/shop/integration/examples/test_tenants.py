"""The example `examples/tenants`: its script, and its own tests of the policies."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.support.stacks import Stack, clean_environ, run, running_example, supabase


@pytest.fixture(scope="module")
def tenants() -> Iterator[Stack]:
    with running_example("tenants") as running:
        yield running


def test_script_shows_who_sees_which_project(tenants: Stack) -> None:
    settings = {"SUPABASE_URL": tenants.api_url, "SUPABASE_KEY": tenants.publishable_key}
    done = run([sys.executable, str(tenants.root / "demo.py")], clean_environ(settings))
    assert done.stdout.splitlines() == [
        "Ada sees ['Acme: Rocket']",
        "Ben sees ['Globex: Reactor']",
        "Ben, a member of Acme now, sees ['Globex: Reactor', 'Acme: Rocket']",
    ]


def test_policies_hold_by_the_examples_own_tests(tenants: Stack) -> None:
    done = run(supabase("test", "db", "--workdir", tenants.root), tenants.environ)
    assert "Result: PASS" in done.stdout
    assert "Tests=14" in done.stdout
