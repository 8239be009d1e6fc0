"""This folder's tests on a Supabase that is only known by its address and keys (`make compat URL=…`)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import pytest

from tests.support.remote import remote_project
from tests.support.stacks import ROOT, Stack


def run_compat(*tests: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COMPAT_"))
    }
    # The parent's measuring of what the tests run is not this process's.
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--numprocesses", "0"]
    with tempfile.TemporaryDirectory() as folder:
        # Of its own: pytest closes the folder that all its sessions share to other users, and Postgres is one.
        base = f"--basetemp={folder}/base"
        return subprocess.run(
            [*command, base, *(f"tests/compat/{test}" for test in tests)],
            cwd=ROOT,
            env=environ | settings,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@pytest.mark.skipif("COMPAT_URL" in os.environ, reason="it is running by address already")
def test_shop_is_tested_by_its_address_and_keys(stack: Stack) -> None:
    done = run_compat(
        "test_javascript_client.py",
        "test_storage_clients.py::test_javascript_client_makes_changes_and_deletes_buckets",
        COMPAT_URL=f"{stack.api_url}/",
        COMPAT_PUBLISHABLE_KEY=stack.publishable_key,
        COMPAT_SECRET_KEY=stack.secret_key,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed, 1 skipped" in done.stdout
    assert f"{stack.api_url} was made of shop; this needs storage (COMPAT_PROJECT=storage)" in done.stdout


def test_project_without_keys_is_an_error_that_names_them() -> None:
    environ = {"COMPAT_URL": "https://project.example", "COMPAT_SECRET_KEY": "sb_secret_x"}
    with pytest.raises(pytest.UsageError, match=r"^COMPAT_PUBLISHABLE_KEY must be set: the keys of https://"):
        remote_project("shop", environ)


def test_no_address_means_a_stack_of_the_tests_own() -> None:
    assert remote_project("library", {}) is None
