"""Limits of Realtime: each in a stack of its own with low ones; a client that never reads."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.stacks import Stack, running_project

LOW = {
    "MAX_CONCURRENT_USERS": "3",
    "MAX_CHANNELS_PER_CLIENT": "2",
    "MAX_JOINS_PER_SECOND": "4",
    "MAX_EVENTS_PER_SECOND": "10",
    "MAX_PAYLOAD_SIZE_IN_KB": "1",
    "MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW": "5",
}


@pytest.fixture(scope="module")
def low() -> Iterator[Stack]:
    environ = {f"SUPABASE_REALTIME_{name}": value for name, value in LOW.items()}
    with running_project("realtime_limits", environ) as running:
        yield running
