"""How a snapshot is shown."""

from __future__ import annotations

from typing import Any

from localbase.cli.snapshot_store import Snapshot


def described(snapshot: Snapshot) -> dict[str, Any]:
    """For a program."""
    return {
        "name": snapshot.name,
        "saved_at": snapshot.saved_at,
        "bytes": snapshot.bytes,
        "localbase": snapshot.localbase,
        "postgres": snapshot.postgres,
        "migrations": list(snapshot.migrations),
    }


def size_text(count: int) -> str:
    """For a person."""
    return f"{count / 1_000_000:.1f} MB"
