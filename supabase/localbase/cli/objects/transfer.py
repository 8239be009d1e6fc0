"""The objects to copy or move: the pairs of source and target of `storage cp` and `storage mv`, and their transfer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from localbase.cli.objects.client import Address, StorageClient
from localbase.cli.terminal import say
from localbase.core.errors import UserError


@dataclass(frozen=True, slots=True)
class Transfer:
    """One object or file, and what it becomes."""

    source: Address | Path
    target: Address | Path

    @property
    def data(self) -> dict[str, str]:
        """For programs."""
        return {"from": str(self.source), "to": str(self.target)}


def uploads(source: Path, target: Address, *, recursive: bool) -> list[Transfer]:
    """A file, or all files below a folder. As with `cp`, what is copied into a folder has its name there."""
    if not source.exists():
        raise UserError(f"There is no file {source}.", "Name a file or a folder.")
    if not source.is_dir():
        return [Transfer(source, _inside(target, source.name))]
    if not recursive:
        raise UserError(f"{source} is a folder.", "Add -r to copy all that is in it.")
    root = _inside(target, source.resolve().name).path
    files = sorted(path for path in source.rglob("*") if path.is_file())
    return [
        Transfer(path, Address(target.bucket, f"{root}/{path.relative_to(source).as_posix()}"))
        for path in files
    ]


def downloads(client: StorageClient, source: Address, target: Path, *, recursive: bool) -> list[Transfer]:
    """An object, or all below a folder."""
    name = PurePosixPath(source.path).name or source.bucket
    if not recursive:
        if source.is_folder:
            raise UserError(f"{source} is a folder.", "Add -r to copy all that is in it.")
        return [Transfer(source, target / name if target.is_dir() else target)]
    root = target / name if target.is_dir() else target
    return [
        Transfer(Address(source.bucket, path), _below(root, path[len(prefix) :]))
        for prefix, path in _paths_below(client, source)
    ]


def copies(client: StorageClient, source: Address, target: Address, *, recursive: bool) -> list[Transfer]:
    """An object, or all below a folder, within Storage."""
    if not recursive:
        if source.is_folder:
            raise UserError(f"{source} is a folder.", "Add -r for all that is in it.")
        return [Transfer(source, _inside(target, PurePosixPath(source.path).name))]
    root = target.path.rstrip("/")
    return [
        Transfer(
            Address(source.bucket, path), Address(target.bucket, f"{root}/{path[len(prefix) :]}".lstrip("/"))
        )
        for prefix, path in _paths_below(client, source)
    ]


def run_all(transfers: Iterable[Transfer], work: Callable[[Transfer], object], jobs: int) -> None:
    """Does them, so many at once, and says each. The first error ends it."""

    def one(transfer: Transfer) -> None:
        work(transfer)
        say(f"{transfer.source} => {transfer.target}")

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = [pool.submit(one, transfer) for transfer in transfers]
        try:
            for future in futures:
                future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _inside(target: Address, name: str) -> Address:
    return Address(target.bucket, f"{target.path}{name}") if target.is_folder else target


def _paths_below(client: StorageClient, source: Address) -> list[tuple[str, str]]:
    prefix = source.path if source.is_folder else f"{source.path}/"
    paths = [(prefix, path) for path in client.objects(source.bucket, prefix)]
    if not paths:
        raise UserError(f"There is nothing below {source}.", "`storage ls -r` shows what there is.")
    return paths


def _below(root: Path, relative: str) -> Path:
    """The file of an object. A name such as `../a` must not leave the folder."""
    path = root / relative
    if ".." in PurePosixPath(relative).parts or not path.is_relative_to(root):
        raise UserError(f"The object {relative!r} has no place below {root}.", "Download it by itself.")
    return path
