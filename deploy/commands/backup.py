"""`python -m deploy backup DIRECTORY`: the shop's rows, its objects and a local shop's vendors, in a folder.

Rows first, as they are at one moment; then the objects that these rows name, so that no row of a backup waits for a
picture that came later; the emulators last, for they may know more than the rows, never less. The folder has its name
once it is complete; until then it ends in `.partial`, and the next run goes on with it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from deploy import services
from deploy.backup.download import Download
from deploy.backup.emulated import find_emulators, save_state
from deploy.backup.manifest import EMULATORS, OBJECTS, Manifest, describe_file, read_manifest, write_manifest
from deploy.backup.rows import save_rows
from deploy.environment import require
from deploy.errors import CommandError

_OWNER_ONLY = 0o077
_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="a folder that does not exist yet")
    parser.add_argument(
        "--since",
        type=Path,
        metavar="BACKUP",
        help="an earlier backup: its unchanged objects are linked, not fetched",
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    (url,) = require(environ, "SUPABASE_DB_URL")
    project, emulators = services.supabase(environ), find_emulators(environ)
    target: Path = arguments.directory
    if target.exists():
        raise CommandError(f"{target} exists; name a new folder.")
    if arguments.since:
        read_manifest(arguments.since)
    # password hashes and addresses: for the owner's eyes only
    os.umask(_OWNER_ONLY)
    folder = target.with_name(f"{target.name}.partial")
    folder.mkdir(parents=True, exist_ok=True)
    made_at = datetime.now(UTC)
    rows = save_rows(url, folder, _say)
    download = Download(project, folder, _say)
    download.run(arguments.since)
    if emulators:
        save_state(emulators, folder / EMULATORS)
        _say("the emulators' state")
    manifest = Manifest(
        made_at=made_at.isoformat(timespec="seconds"),
        project=environ["SUPABASE_URL"],
        server_version=rows.server_version,
        migrations=rows.migrations,
        tables=rows.tables,
        sequences=rows.sequences,
        buckets=rows.buckets,
        objects=describe_file(folder, folder / OBJECTS),
        object_count=download.count,
        object_bytes=download.size,
        missing=tuple(download.missing),
        emulators=describe_file(folder, folder / EMULATORS) if emulators else None,
    )
    write_manifest(folder, manifest)
    folder.rename(target)
    _report(target, manifest, download, (datetime.now(UTC) - made_at).total_seconds())
    return 0


def _report(target: Path, manifest: Manifest, download: Download, seconds: float) -> None:
    if manifest.missing:
        shown = ", ".join(manifest.missing[:_SHOWN])
        more = ", …" if len(manifest.missing) > _SHOWN else ""
        _say(f"{len(manifest.missing)} objects were removed meanwhile: {shown}{more}")
    packed = sum(table.file.bytes for table in manifest.tables)
    _say(
        f"{target} is complete: {sum(table.rows for table in manifest.tables)} rows ({packed / 1e6:.1f} MB), "
        f"{manifest.object_count} objects ({manifest.object_bytes / 1e6:.1f} MB, {download.fetched} fetched), "
        f"{seconds:.1f} s"
    )


def _say(line: str) -> None:
    sys.stdout.write(f"backup: {line}\n")
    sys.stdout.flush()
