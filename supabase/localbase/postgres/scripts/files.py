"""The project's files of SQL: its migrations, by the official CLI's rule of names, its seeds and its schema files."""

from __future__ import annotations

import glob
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.core.text_files import read_text

# Postgres takes no message of a gigabyte, and the record of a migration holds each quote twice.
LARGEST_FILE = 500_000_000
_MIGRATION_NAME = re.compile(r"([0-9]+)_(.*)\.sql")
# The first migration of the official CLI's early versions, which made the platform's own schema.
_PLATFORM_MIGRATION = re.compile(r"([0-9]{14})_init\.sql")
_PLATFORM_BEFORE = "20211209000000"
_DECLARED_ENCODING = re.compile(
    rb"""^\s*(?:set\s+client_encoding\s*(?:=|\bto\b)|set\s+names|\\encoding)\s*'?([\w-]+)'?\s*;?\s*$""",
    re.IGNORECASE | re.MULTILINE,
)
_WINDOWS = re.compile(r"win(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Migration:
    """A file `<version>_<name>.sql` below `supabase/migrations`."""

    version: str
    name: str
    path: Path


def local_migrations(project: Project) -> list[Migration]:
    """The project's migrations, oldest first. Raises `UserError` where two files have one version."""
    found = [each for each in _in_folder(project) if isinstance(each, Migration)]
    migrations = sorted(found, key=lambda migration: migration.version)
    for first, second in itertools.pairwise(migrations):
        if first.version == second.version:
            raise UserError(
                f"Two migrations have the version {first.version}: {first.path.name}, {second.path.name}.",
                "Give one of them a later version. None of the two has run.",
            )
    return migrations


def skipped_files(project: Project) -> list[str]:
    """Return what lies among the migrations and is none, each with the reason."""
    return [each for each in _in_folder(project) if isinstance(each, str)]


def _in_folder(project: Project) -> Iterator[Migration | str]:
    folder = project.supabase / "migrations"
    paths = sorted(folder.iterdir(), key=lambda path: path.name.encode()) if folder.is_dir() else []
    for index, path in enumerate(paths):
        match = _MIGRATION_NAME.fullmatch(path.name)
        first = _PLATFORM_MIGRATION.search(path.name) if index == 0 else None
        if path.is_dir():
            if path.name.endswith(".sql"):
                yield f"skipped {path.name}: it is a folder"
        elif first and first[1] < _PLATFORM_BEFORE:
            yield f"skipped {path.name}: the platform's schema is there; rename the file to apply it"
        elif match:
            yield Migration(match[1], match[2], path)
        elif not path.name.startswith("."):
            yield f"skipped {path.name}: a migration's name is <timestamp>_<name>.sql"


def seed_files(project: Project) -> list[Path]:
    """The files of `[db.seed] sql_paths`, in its order."""
    return list(_files(project, project.settings.db.seed.sql_paths))


def schema_files(project: Project) -> list[Path]:
    """The files of `[db.migrations] schema_paths`, in its order."""
    return list(_files(project, project.settings.db.migrations.schema_paths))


def _files(project: Project, patterns: tuple[str, ...]) -> dict[Path, None]:
    found: dict[Path, None] = {}
    for pattern in patterns:
        full = str(project.supabase / pattern)
        names = sorted(glob.glob(full, recursive=True))  # noqa: PTH207 - the pattern may climb out of supabase/
        for path in (Path(name).resolve() for name in names):
            found |= dict.fromkeys(sorted(path.rglob("*.sql")) if path.is_dir() else [path])
    return found


def read_sql(path: Path) -> str:
    """The file's text. Raises `UserError` where there is none that Postgres could take."""
    if path.exists() and not path.is_file():
        raise UserError(f"{path} is no regular file.", "Put a file of SQL there.")
    if path.is_file() and (size := path.stat().st_size) > LARGEST_FILE:
        raise UserError(
            f"{path} has {size / 1e6:,.0f} MB; more than {LARGEST_FILE / 1e6:,.0f} MB are not read at once.",
            "Put its rows into a file of their own, and load that with psql.",
        )
    return read_text(path, _declared_encoding)


def _declared_encoding(data: bytes) -> str | None:
    """Python's name of the encoding that a dump says that it has."""
    match = _DECLARED_ENCODING.search(data)
    if match is None or match[1].upper() in (b"SQL_ASCII", b"UTF8", b"UTF-8"):
        return None
    return _WINDOWS.sub(r"cp\1", match[1].decode("ascii"))
