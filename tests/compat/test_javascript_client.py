"""The official JavaScript client against the gateway, outside a browser."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.support.stacks import ROOT, Stack
from tests.support.users import PASSWORD, Users


@pytest.fixture(scope="module")
def seen(stack: Stack, users: Users) -> dict[str, Any]:
    person = users.new("javascript")
    done = subprocess.run(
        ["node", "tests/compat/client.mjs", stack.api_url, stack.publishable_key, person.email, PASSWORD],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return {"email": person.email, **json.loads(done.stdout)}


def test_client_reads_pages_with_counts(seen: dict[str, Any]) -> None:
    assert seen["page"] == {"status": 206, "count": 8, "names": ["Black - 2XL", "Black - 3XL", "Black - 4XL"]}
    assert seen["head"] == {"status": 200, "count": 112, "data": None}


def test_client_reads_single_rows_and_errors(seen: dict[str, Any]) -> None:
    assert seen["none"] == {"data": None, "error": None}
    assert seen["many"] == {"status": 406, "code": "PGRST116"}
    assert seen["wrong"] == {
        "status": 404,
        "code": "PGRST205",
        "hint": "Perhaps you meant the table 'public.product_variants'",
    }


def test_client_signs_in_refreshes_and_signs_out(seen: dict[str, Any]) -> None:
    assert seen["refused"] == {"code": "invalid_credentials", "status": 400}
    assert seen["user"] == seen["email"]
    assert seen["renewed"] is True
    assert seen["signedOut"] is None


def test_client_writes_under_policies(seen: dict[str, Any]) -> None:
    assert seen["anonymous"] == {"status": 401, "code": "42501"}
    assert seen["made"] == {"status": 201, "name": "From the client"}
    assert seen["renamed"] == [{"name": "Renamed"}]
    assert seen["gone"] == {"status": 204, "error": None}
    assert seen["profile"] == {"id": True, "admin": False}


def test_client_calls_procedures_and_functions(seen: dict[str, Any]) -> None:
    assert seen["called"]["status"] == 200
    assert seen["zip"] == {"city": "Beverly Hills", "state": "CA"}
    assert seen["badZip"]["name"] == "FunctionsHttpError"
    assert set(seen["badZip"]["body"]) == {"code", "error"}


def test_client_reads_a_range_of_the_public_video(seen: dict[str, Any]) -> None:
    assert seen["video"] == {"status": 206, "type": "video/mp4", "text": "ftyp"}
