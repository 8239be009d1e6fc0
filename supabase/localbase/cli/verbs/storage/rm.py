"""`storage rm`: objects, folders and whole buckets."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.storage_client import Address, StorageClient, require_address
from localbase.cli.terminal import confirmed, say
from localbase.core.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which ones."""
    parser.add_argument("file", nargs="+", help="ss:///bucket/path")
    parser.add_argument("--recursive", "-r", action="store_true", help="all below it; of a bucket, it too")


def run(call: Call) -> int:
    """Deletes them. A person at a terminal confirms it first, unless `--yes` is given."""
    options = call.options
    addresses = [require_address(text) for text in options.file]
    for address in addresses:
        if not address.bucket:
            raise UserError("All of Storage cannot be removed at once.", "Name a bucket: ss:///bucket.")
        if address.is_folder and not options.recursive:
            raise UserError(f"{address} is a folder.", "Add -r to remove all that is in it.")
    if not confirmed(f"Remove {', '.join(map(str, addresses))}?", yes=options.yes):
        say("Nothing was removed.")
        return 1
    removed: list[str] = []
    with StorageClient(call.project) as client:
        for address in addresses:
            removed += _remove(client, address, recursive=options.recursive)
    for name in removed:
        say(f"removed {name}")
    call.output.show(removed, "")
    return 0


def _remove(client: StorageClient, address: Address, *, recursive: bool) -> list[str]:
    paths = [address.path]
    if recursive:
        prefix = address.path if address.is_folder else f"{address.path}/"
        paths = list(client.objects(address.bucket, prefix)) or paths
    removed = client.remove(address.bucket, [path for path in paths if path])
    addresses = [str(Address(address.bucket, path)) for path in removed]
    if not address.path:
        client.delete_bucket(address.bucket)
        addresses.append(str(address))
    elif not addresses:
        raise UserError(f"There is nothing at {address}.", "`storage ls -r` shows what there is.")
    return addresses
