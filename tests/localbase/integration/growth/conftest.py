"""A stack with every door: the project for auth, storage and functions, with Studio."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.localbase.integration.growth.measure import Server
from tests.support.stacks import Stack, running_project
from tests.support.users import Users


@pytest.fixture(scope="session")
def doors() -> Iterator[Stack]:
    """The stack."""
    with running_project("services", {"SUPABASE_STUDIO_ENABLED": "true"}, stack="growth") as running:
        yield running


@pytest.fixture(scope="session")
def token(doors: Stack) -> str:
    """A user's."""
    return Users(doors).new("grower").token


@pytest.fixture(scope="session")
def servers(doors: Stack) -> dict[str, Server]:
    """The stack's servers by the first word of their doors' names."""
    # Studio's process begins at the first connection.
    httpx.get(f"{doors.studio_url}/live", timeout=60).raise_for_status()
    processes = json.loads((doors.state / "supervisor.json").read_text())["processes"]
    gateway = Server(doors.api_url, processes["gateway"])
    own = {
        "mailbox": Server(doors.mailbox_url, processes["gateway"]),
        "studio": Server(doors.studio_url, processes["studio"]),
    }
    return {
        **dict.fromkeys(("auth", "storage", "s3", "rest", "functions", "realtime", "gateway"), gateway),
        **own,
    }
