"""`storage cp`: files into Storage, objects out of it, and objects within it."""

from __future__ import annotations

import argparse
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.storage_client import Address, StorageClient, parse_address
from localbase.cli.transfer import Transfer, copies, downloads, run_all, uploads
from localbase.core.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """From where to where, and how."""
    parser.add_argument("src", help="a file, a folder or ss:///bucket/path")
    parser.add_argument("dst", help="the same; one of the two lies in Storage")
    parser.add_argument("--recursive", "-r", action="store_true", help="a whole folder")
    parser.add_argument("--cache-control", default="max-age=3600", help="of what is uploaded (max-age=3600)")
    parser.add_argument("--content-type", default="", help="of what is uploaded (by the file's name)")
    parser.add_argument("--jobs", "-j", type=int, default=1, help="how many at once (1)")


def run(call: Call) -> int:
    """Copies. An object that exists is no target: `storage rm` removes it."""
    options = call.options
    source, target = parse_address(options.src), parse_address(options.dst)
    for address in (source, target):
        if address is not None and not address.bucket:
            raise UserError(f"{address} names no bucket.", "Write ss:///bucket/path.")
    with StorageClient(call.project) as client:
        transfers = _transfers(client, options, source, target)

        def work(transfer: Transfer) -> None:
            if isinstance(transfer.source, Path) and isinstance(transfer.target, Address):
                client.upload(
                    transfer.source,
                    transfer.target,
                    content_type=options.content_type,
                    cache_control=options.cache_control,
                )
            elif isinstance(transfer.source, Address) and isinstance(transfer.target, Path):
                client.download(transfer.source, transfer.target)
            elif isinstance(transfer.source, Address) and isinstance(transfer.target, Address):
                client.copy(transfer.source, transfer.target, moves=False)

        run_all(transfers, work, options.jobs)
    call.output.show([transfer.data for transfer in transfers], "")
    return 0


def _transfers(
    client: StorageClient, options: argparse.Namespace, source: Address | None, target: Address | None
) -> list[Transfer]:
    recursive: bool = options.recursive
    if source is None and target is None:
        raise UserError("Neither of both lies in Storage.", "One is written ss:///bucket/path.")
    if source is None and target is not None:
        return uploads(Path(options.src), target, recursive=recursive)
    assert source is not None
    if target is None:
        return downloads(client, source, Path(options.dst), recursive=recursive)
    return copies(client, source, target, recursive=recursive)
