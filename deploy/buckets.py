"""The shop's buckets: `[storage.buckets]` of supabase-config.toml, the one table of them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from deploy.environment import ROOT
from deploy.errors import CommandError

_CONFIG = ROOT / "supabase-config.toml"
# paths in the file are relative to this folder
_SUPABASE = ROOT / "supabase"
# the demonstration's rows and pictures, which no live project gets
_SEED = ROOT / "sql" / "seed"
_SIZE = re.compile(r"(\d+)\s*(B|KB|MB|GB|KIB|MIB|GIB)?", re.IGNORECASE)
# as the official command line reads them: KB and KiB are the same
_POWERS = {"": 0, "B": 0, "K": 1, "M": 2, "G": 3}


@dataclass(frozen=True)
class Bucket:
    """`objects` is the folder of the objects that belong into it, None where there are none but the demonstration's."""

    name: str
    public: bool
    file_size_limit: int | None
    allowed_mime_types: tuple[str, ...]
    objects: Path | None


def read_buckets(config: Path = _CONFIG) -> list[Bucket]:
    tables = tomllib.loads(config.read_text(encoding="utf-8"))["storage"]["buckets"]
    return [
        Bucket(
            name=name,
            public=bool(table.get("public", False)),
            file_size_limit=bytes_of(table["file_size_limit"]) if "file_size_limit" in table else None,
            allowed_mime_types=tuple(table.get("allowed_mime_types", ())),
            objects=_objects(table.get("objects_path", "")),
        )
        for name, table in tables.items()
    ]


def _objects(path: str) -> Path | None:
    folder = (_SUPABASE / path).resolve()
    return folder if path and not folder.is_relative_to(_SEED) else None


def bytes_of(size: str | int) -> int:
    """'50MiB' → 52,428,800."""
    match = _SIZE.fullmatch(str(size).strip())
    if match is None:
        raise CommandError(f"supabase-config.toml: {size!r} is no size like 50MiB")
    power = _POWERS[(match[2] or "").upper()[:1]]
    return int(match[1]) * int(1024**power)


def object_files(bucket: Bucket) -> list[tuple[str, Path]]:
    """Object name → file, for what the bucket is filled with."""
    if bucket.objects is None:
        return []
    files = sorted(path for path in bucket.objects.rglob("*") if path.is_file() and path.name[0] != ".")
    return [(path.relative_to(bucket.objects).as_posix(), path) for path in files]
