"""`python -m deploy restore DIRECTORY`: brings a backup into an empty shop, or with `--replace` in place of this one.

Every file is read and compared first. Then the objects, then all rows and a local shop's vendors at once: until that
moment the shop is as it was, and a restore that was killed is run again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import psycopg

from deploy import services
from deploy.backup.emulated import find_emulators, put_state
from deploy.backup.load import Load, check_role, check_schema, present_rows, wrong_totals
from deploy.backup.manifest import EMULATORS, Manifest, check_files, read_manifest
from deploy.backup.tables import Database, connect
from deploy.backup.upload import Upload, read_present
from deploy.environment import require
from deploy.errors import CommandError
from deploy.http import Api

_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="a backup's folder")
    parser.add_argument("--check", action="store_true", help="only read every file and compare its checksum")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="empty a shop that has people, designs or orders: they are lost",
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    began = time.monotonic()
    folder: Path = arguments.directory
    manifest = read_manifest(folder)
    check_files(folder, manifest)
    rows = sum(table.rows for table in manifest.tables)
    _say(f"{folder} of {manifest.made_at} is whole: {rows} rows, {manifest.object_count} objects")
    if arguments.check:
        return 0
    (url,) = require(environ, "SUPABASE_DB_URL")
    project, emulators = services.supabase(environ), find_emulators(environ)
    try:
        with connect(url) as database:
            _restore(database, project, emulators, folder, manifest, replace=arguments.replace)
            wrong = wrong_totals(database)
    except psycopg.Error as error:
        raise CommandError(
            f"The database refused the restore, and is as it was: {str(error).strip()}"
        ) from error
    if wrong:
        _say(f"totals differ from their rows, as in the backup: {', '.join(wrong)}")
        _say("count them anew, as postgres: select private.recount()")
    _say(f"done in {time.monotonic() - began:.1f} s. Everyone signs in again.")
    return 0


def _restore(
    database: Database,
    project: Api,
    emulators: Api | None,
    folder: Path,
    manifest: Manifest,
    *,
    replace: bool,
) -> None:
    tables = check_schema(database, manifest)
    check_role(database)
    upload = Upload(project, folder, manifest, _say)
    present = read_present(database)
    others = upload.others(present)
    _check_empty(present_rows(database, tables.values()), others, replace=replace)
    database.commit()
    upload.run(present)

    def finish(loading: Database) -> None:
        if different := upload.differences(read_present(loading)):
            raise CommandError(
                f"Storage has other bytes than the backup: {', '.join(different[:_SHOWN])}. Rows were not changed."
            )
        upload.set_owners(loading)
        if emulators and manifest.emulators:
            put_state(emulators, folder / EMULATORS)

    Load(database, folder, manifest, tables).run(finish, _say)
    database.commit()
    # last: until here the shop's own rows name them
    upload.remove(others)
    if others:
        _say(f"removed {len(others)} objects that the backup lacks")


def _check_empty(rows: Mapping[str, int], others: list[tuple[str, str]], *, replace: bool) -> None:
    lost = [f"{count} rows of {name}" for name, count in rows.items()]
    if others:
        lost.append(f"{len(others)} objects")
    if not lost:
        return
    if not replace:
        raise CommandError(
            f"This shop is not empty: {', '.join(lost)}. "
            "`--replace` puts the backup in their place; they are lost then."
        )
    _say(f"in place of: {', '.join(lost)}")


def _say(line: str) -> None:
    sys.stdout.write(f"restore: {line}\n")
    sys.stdout.flush()
