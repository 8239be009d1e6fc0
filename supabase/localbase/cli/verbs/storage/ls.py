"""`storage ls`: buckets, folders and objects."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.storage_client import StorageClient, require_address


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where."""
    parser.add_argument("path", nargs="?", default="ss:///", help="ss:///bucket/folder/ (all buckets)")
    parser.add_argument("--recursive", "-r", action="store_true", help="all that is below")


def run(call: Call) -> int:
    """Lists names; with `-r` whole paths. A path without `/` at its end lists what begins so."""
    address = require_address(call.options.path)
    with StorageClient(call.project) as client:
        if not address.bucket or (not address.path and not call.options.path.endswith("/")):
            buckets = [name for name in client.buckets() if name.startswith(address.bucket)]
            entries = [f"{name}/" for name in buckets]
            if call.options.recursive:
                entries = [f"/{name}/{path}" for name in buckets for path in client.objects(name, "")]
        elif call.options.recursive:
            entries = [f"/{address.bucket}/{path}" for path in client.objects(address.bucket, address.path)]
        else:
            folder, _, search = address.path.rpartition("/")
            entries = list(client.entries(address.bucket, f"{folder}/" if folder else "", search))
    call.output.show(entries, "\n".join(entries))
    return 0
