"""The ports of the tests' stacks: a range for each of them, so that any two can run at once.

All lie below those that the system hands out to outgoing connections (from 32768 on Linux): such a connection could
occupy a higher port.
"""

from __future__ import annotations

import os

# pytest-xdist's workers run at once, each with stacks of its own: its number is in the ports and in the folders.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

# The shop, and a second one beside it; the shop that the chaos tests kill; and a small project for each test in turn.
_SHOPS = ("shop", "spare", "chaos", "small")
# Below `tests/projects/`.
_PROJECTS = (
    *("library", "services", "quoted_names", "auth", "storage", "bytes_service", "remote_bytes"),
    *("realtime", "realtime_limits", "realtime_workers", "changes_workers"),
    *("studio", "studio_pages"),
)
# Below `examples/`.
_EXAMPLES = ("todo", "tenants", "files", "picture")
# Written by the tests themselves.
_WRITTEN = ("foreign", "places", "signed", "crowd", "oauth_server", "replacement", "growth", "external")

STACKS = (*_SHOPS, *_PROJECTS, *_EXAMPLES, *_WRITTEN)
FIRST, OF_A_STACK, OF_A_WORKER = 20000, 400, 40


def first_port(stack: str, worker: int = WORKER) -> int:
    """Return where the forty begin that a test worker has for `stack`, one of STACKS."""
    return FIRST + OF_A_STACK * STACKS.index(stack) + OF_A_WORKER * worker


def ports_of(stack: str) -> dict[str, str]:
    """The stack's ports, as settings in its environment."""
    first = first_port(stack)
    return {
        "SUPABASE_API_PORT": str(first + 21),
        "SUPABASE_DB_PORT": str(first + 22),
        "SUPABASE_STUDIO_PORT": str(first + 23),
        "SUPABASE_LOCAL_SMTP_PORT": str(first + 24),
        "SUPABASE_LOCAL_SMTP_SMTP_PORT": str(first + 25),
        "SUPABASE_AUTH_SITE_URL": f"http://127.0.0.1:{first}",
        "EMULATORS_PORT": str(first + 30),
    }
