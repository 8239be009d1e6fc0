"""`storage mv`: objects to other paths or buckets."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.storage_client import Address, StorageClient, require_address
from localbase.cli.transfer import Transfer, copies, run_all
from localbase.core.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """From where to where."""
    parser.add_argument("src", help="ss:///bucket/path")
    parser.add_argument("dst", help="ss:///bucket/path")
    parser.add_argument("--recursive", "-r", action="store_true", help="a whole folder")


def run(call: Call) -> int:
    """Moves them."""
    source, target = require_address(call.options.src), require_address(call.options.dst)
    if not source.bucket or not target.bucket:
        raise UserError("Both addresses need a bucket.", "Write ss:///bucket/path.")
    with StorageClient(call.project) as client:
        transfers = copies(client, source, target, recursive=call.options.recursive)

        def work(transfer: Transfer) -> None:
            assert isinstance(transfer.source, Address)
            assert isinstance(transfer.target, Address)
            client.copy(transfer.source, transfer.target, moves=True)

        run_all(transfers, work, 1)
    call.output.show([transfer.data for transfer in transfers], "")
    return 0
