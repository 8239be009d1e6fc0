"""supabase/compatibility.toml has every method of the official clients for Auth, and no other, each with its proof."""

from __future__ import annotations

import inspect
import re
import subprocess
from collections import Counter
from collections.abc import Iterator

import pytest
from supabase_auth import SyncGoTrueClient

from tests.support.stacks import ROOT
from tools.compatibility import Row, read_rows

_CLIENTS = ("auth-js", "supabase_auth")
_NAMESPACES = ("admin", "mfa", "oauth", "passkey")


def rows_of(client: str) -> list[Row]:
    return [row for row in read_rows() if row.section == f"Auth: `{client}`"]


def methods_of_python(client: object, prefix: str = "") -> Iterator[str]:
    for name, value in inspect.getmembers(client):
        if name.startswith("_"):
            continue
        if inspect.ismethod(value):
            yield prefix + name
        elif name in _NAMESPACES:
            yield from methods_of_python(value, f"{prefix}{name}.")


def installed_methods(client: str) -> set[str]:
    if client == "supabase_auth":
        return set(methods_of_python(SyncGoTrueClient(url="http://127.0.0.1:1", auto_refresh_token=False)))
    done = subprocess.run(
        ["node", "tests/compat/auth_methods.mjs"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("client", _CLIENTS)
def test_table_has_each_method_of_the_installed_client_once(client: str) -> None:
    named = Counter(name for row in rows_of(client) for name in re.findall(r"`([\w.]+)`", row.feature))
    installed = installed_methods(client)
    assert len(installed) > 40
    assert installed - named.keys() == set(), "methods without a row"
    assert named.keys() - installed == set(), "rows of methods that the client does not have"
    assert [name for name, count in named.items() if count > 1] == []


@pytest.mark.parametrize("client", _CLIENTS)
def test_row_says_what_holds_and_names_a_test(client: str) -> None:
    rows = rows_of(client)
    assert rows
    for row in rows:
        assert row.state == "works" or row.difference.startswith("refused as upstream"), row
        assert len(row.proofs) == 1, row
