"""`python -m deploy buckets`: makes the shop's buckets with their limits, and uploads what belongs into them."""

from __future__ import annotations

import argparse
import hashlib
import mimetypes
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from deploy import services
from deploy.buckets import Bucket, object_files, read_buckets
from deploy.errors import CommandError
from deploy.http import Api

# the bytes' MD5; of an object that was uploaded in parts it is something else
_MD5 = re.compile(r"[0-9a-f]{32}")


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """None: the buckets are those of supabase-config.toml."""


def run(_arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    project = services.supabase(environ)
    stored = stored_buckets(project)
    for bucket in read_buckets():
        _make(project, bucket, stored.get(bucket.name))
        for name, file in object_files(bucket):
            _upload(project, bucket, name, file)
    return 0


def stored_buckets(project: Api) -> dict[str, dict[str, Any]]:
    return {bucket["id"]: bucket for bucket in project.call("GET", "/storage/v1/bucket")}


def bucket_settings(bucket: Bucket) -> dict[str, Any]:
    return {
        "public": bucket.public,
        "file_size_limit": bucket.file_size_limit,
        "allowed_mime_types": list(bucket.allowed_mime_types) or None,
    }


def differs(bucket: Bucket, stored: Mapping[str, Any]) -> list[str]:
    """The settings that are not as the file has them."""
    settings = bucket_settings(bucket)
    return [name for name, value in settings.items() if (stored.get(name) or None) != (value or None)]


def object_differs(project: Api, bucket: Bucket, name: str, file: Path) -> bool:
    """Tell whether the object is missing or holds other bytes."""
    response = project.send("GET", f"/storage/v1/object/info/{bucket.name}/{quote(name)}")
    # Storage answers 400 with the code 404 for an object that does not exist
    if response.status_code in (400, 404):
        return True
    if response.status_code != 200:
        raise CommandError(f"Supabase refused to describe {bucket.name}/{name}: {response.text[:300]}")
    described = response.json()
    if described.get("size") != file.stat().st_size:
        return True
    etag = str(described.get("etag") or "").strip('"')
    content = hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()
    return bool(_MD5.fullmatch(etag)) and etag != content


def _make(project: Api, bucket: Bucket, stored: Mapping[str, Any] | None) -> None:
    settings = bucket_settings(bucket)
    if stored is None:
        project.call("POST", "/storage/v1/bucket", json={"id": bucket.name, "name": bucket.name, **settings})
        _say(f"{bucket.name}: made, {'public' if bucket.public else 'private'}")
    elif changed := differs(bucket, stored):
        project.call("PUT", f"/storage/v1/bucket/{bucket.name}", json=settings)
        _say(f"{bucket.name}: changed {', '.join(changed)}")
    else:
        _say(f"{bucket.name}: nothing to change")


def _upload(project: Api, bucket: Bucket, name: str, file: Path) -> None:
    if not object_differs(project, bucket, name, file):
        _say(f"{bucket.name}/{name}: nothing to change")
        return
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    project.call(
        "POST",
        f"/storage/v1/object/{bucket.name}/{quote(name)}",
        content=file.read_bytes(),
        headers={"content-type": kind, "x-upsert": "true", "cache-control": "max-age=3600"},
    )
    _say(f"{bucket.name}/{name}: uploaded, {file.stat().st_size} bytes")


def _say(line: str) -> None:
    sys.stdout.write(f"buckets: {line}\n")
