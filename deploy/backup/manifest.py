"""`manifest.json`: what a backup holds, with the size and SHA-256 of each file, and the check of all of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from deploy.errors import CommandError

FORMAT = 1
NAME, OBJECTS, EMULATORS = "manifest.json", "objects.jsonl", "emulators.tar.gz"
# Of an object's type and cache-control, which are a shopper's own words: each byte comes back as it was, and reads as
# Storage's rows have it.
HEADER_CHARSET = "latin-1"
_PIECE = 1 << 20


@dataclass(frozen=True)
class StoredFile:
    """`path` is relative to the backup's folder."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class StoredTable:
    """`rows_sha256` is of the rows as COPY writes them, before they are packed into `file`."""

    schema: str
    name: str
    columns: tuple[str, ...]
    rows: int
    rows_sha256: str
    file: StoredFile


@dataclass(frozen=True)
class StoredBucket:
    name: str
    public: bool
    file_size_limit: int | None
    allowed_mime_types: tuple[str, ...] | None


@dataclass(frozen=True)
class StoredObject:
    """One line of objects.jsonl. `md5` is what Storage names as an object's ETag."""

    bucket: str
    name: str
    id: str
    version: str
    updated_at: str
    file: StoredFile
    md5: str
    content_type: str
    cache_control: str
    owner: str | None
    owner_id: str | None
    created_at: str
    user_metadata: dict[str, Any] | None

    @property
    def identity(self) -> tuple[str, str, str]:
        """The same for the same bytes: a new upload has another version."""
        return self.id, self.version, self.updated_at


@dataclass(frozen=True)
class Manifest:
    """`missing` names objects with rows when the rows were read, and without bytes since."""

    made_at: str
    project: str
    server_version: int
    migrations: tuple[str, ...]
    tables: tuple[StoredTable, ...]
    sequences: dict[str, tuple[int, bool]]
    buckets: tuple[StoredBucket, ...]
    objects: StoredFile
    object_count: int
    object_bytes: int
    missing: tuple[str, ...]
    emulators: StoredFile | None
    format: int = FORMAT


def write_manifest(folder: Path, manifest: Manifest) -> None:
    content = asdict(manifest)
    with_checksum = {**content, "sha256": _checksum(content)}
    (folder / NAME).write_text(json.dumps(with_checksum, indent=1) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Raises `CommandError` for what is no complete backup."""
    if folder.name.endswith(".partial") or not (folder / NAME).is_file():
        raise CommandError(f"{folder} is no complete backup: it has no {NAME}.")
    try:
        content = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if content.get("format") != FORMAT:
            raise CommandError(f"{folder} has format {content.get('format')}; this command reads {FORMAT}.")
        checksum = content.pop("sha256")
        if checksum != _checksum(content):
            raise CommandError(f"{folder / NAME} was altered.")
        return Manifest(
            **{
                **content,
                "migrations": tuple(content["migrations"]),
                "tables": tuple(
                    StoredTable(**{**t, "columns": tuple(t["columns"]), "file": StoredFile(**t["file"])})
                    for t in content["tables"]
                ),
                "sequences": {name: (last, called) for name, (last, called) in content["sequences"].items()},
                "buckets": tuple(
                    StoredBucket(**{**b, "allowed_mime_types": _tuple_or_none(b["allowed_mime_types"])})
                    for b in content["buckets"]
                ),
                "objects": StoredFile(**content["objects"]),
                "missing": tuple(content["missing"]),
                "emulators": StoredFile(**content["emulators"]) if content["emulators"] else None,
            }
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CommandError(f"{folder / NAME} was altered: it cannot be read.") from error


def read_objects(file: Path) -> Iterator[StoredObject]:
    """The lines of an objects.jsonl. A last line that was cut off by a kill is left out."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                content = json.loads(line)
                yield StoredObject(**{**content, "file": StoredFile(**content["file"])})


def object_line(stored: StoredObject) -> str:
    return json.dumps(asdict(stored)) + "\n"


def files_of(folder: Path, manifest: Manifest) -> Iterator[StoredFile]:
    """Every file but the manifest; the list of objects before those that it names."""
    yield from (table.file for table in manifest.tables)
    if manifest.emulators:
        yield manifest.emulators
    yield manifest.objects
    yield from (stored.file for stored in read_objects(folder / OBJECTS))


def check_files(folder: Path, manifest: Manifest, most_named: int = 10) -> None:
    """Reads every file. Raises `CommandError` that names those that are missing or altered."""
    problems: list[str] = []
    for file in files_of(folder, manifest):
        if problem := _problem(folder, file):
            problems.append(f"{file.path} {problem}")
            if file == manifest.objects:
                break  # what it names cannot be relied on
    if problems:
        named = "; ".join(problems[:most_named])
        more = f"; and {len(problems) - most_named} more" if len(problems) > most_named else ""
        raise CommandError(f"{folder} cannot be restored: {named}{more}.")


def lies_inside(folder: Path, file: StoredFile) -> bool:
    """Tell whether a backup may name it: nothing beyond its own folder, links followed."""
    return (folder / file.path).resolve().is_relative_to(folder.resolve())


def describe_file(folder: Path, path: Path) -> StoredFile:
    return StoredFile(path.relative_to(folder).as_posix(), path.stat().st_size, sha256_of(path))


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _problem(folder: Path, file: StoredFile) -> str:
    path = folder / file.path
    if not lies_inside(folder, file):
        return "lies outside the backup"
    if not path.is_file():
        return "is missing"
    if path.stat().st_size != file.bytes:
        return f"has {path.stat().st_size} bytes, not {file.bytes}"
    return "" if sha256_of(path) == file.sha256 else "was altered"


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _tuple_or_none(values: Any) -> tuple[str, ...] | None:
    return None if values is None else tuple(cast("list[str]", values))
