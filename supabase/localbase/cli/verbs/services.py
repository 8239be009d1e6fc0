"""`services`: what answers here, and which version of which upstream service it follows."""

from __future__ import annotations

import importlib.metadata

from localbase.cli.call import Call
from localbase.cli.terminal import aligned
from localbase.postgres.binaries import find_binaries

# The upstream releases that the services' behaviour was last compared with (November 2026).
_FOLLOWED = (
    ("rest", "PostgREST", "16.1"),
    ("auth", "GoTrue", "2.196.0"),
    ("storage", "storage-api", "1.74.0"),
    ("realtime", "realtime", "2.134.10"),
    ("cli", "supabase", "3.1.0"),
)


def run_services(call: Call) -> int:
    """Shows the versions; nothing has to run."""
    own = importlib.metadata.version("localbase")
    binaries = find_binaries(call.environ)
    rows = [
        {"service": "localbase", "version": own, "follows": ""},
        {"service": "postgres", "version": str(binaries.major), "follows": ""},
        *(
            {"service": name, "version": own, "follows": f"{upstream} {version}"}
            for name, upstream, version in _FOLLOWED
        ),
    ]
    call.output.show(
        rows, aligned([("SERVICE", "VERSION", "FOLLOWS"), *(tuple(row.values()) for row in rows)])
    )
    return 0
