"""`storage …`: files in Storage's buckets."""

from __future__ import annotations

import argparse
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.objects.client import Address, StorageClient, parse_address, require_address
from localbase.cli.objects.transfer import Transfer, copies, downloads, run_all, uploads
from localbase.cli.terminal import confirmed, say
from localbase.core.errors import UserError

# `storage ls`: buckets, folders and objects.


def ls_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the folder."""
    parser.add_argument("path", nargs="?", default="ss:///", help="ss:///bucket/folder/ (all buckets)")
    parser.add_argument("--recursive", "-r", action="store_true", help="all that is below")


def run_ls(call: Call) -> int:
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
    if not entries:
        say("There are no buckets." if not address.bucket else "Nothing is there.")
    call.output.show(entries, "\n".join(entries))
    return 0


# `storage cp`: files into Storage, objects out of it, and objects within it.


def cp_arguments(parser: argparse.ArgumentParser) -> None:
    """From where to where, and how."""
    parser.add_argument("src", help="a file, a folder or ss:///bucket/path")
    parser.add_argument("dst", help="the same; one of the two lies in Storage")
    parser.add_argument("--recursive", "-r", action="store_true", help="a whole folder")
    parser.add_argument("--cache-control", default="max-age=3600", help="of what is uploaded (max-age=3600)")
    parser.add_argument("--content-type", default="", help="of what is uploaded (by the file's name)")
    parser.add_argument("--jobs", "-j", type=int, default=1, help="how many at once (1)")


def run_cp(call: Call) -> int:
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


# `storage mv`: objects to other paths or buckets.


def mv_arguments(parser: argparse.ArgumentParser) -> None:
    """From where to where."""
    parser.add_argument("src", help="ss:///bucket/path")
    parser.add_argument("dst", help="ss:///bucket/path")
    parser.add_argument("--recursive", "-r", action="store_true", help="a whole folder")


def run_mv(call: Call) -> int:
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


# `storage rm`: objects, folders and whole buckets.


def rm_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the objects."""
    parser.add_argument("file", nargs="+", help="ss:///bucket/path")
    parser.add_argument("--recursive", "-r", action="store_true", help="all below it; of a bucket, it too")


def run_rm(call: Call) -> int:
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
