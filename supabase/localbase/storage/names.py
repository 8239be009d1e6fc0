"""Names of buckets and objects: S3's safe characters (supabase/storage, `src/storage/limits.ts`)."""

from __future__ import annotations

import re

from starlette.requests import Request

from localbase.storage import errors

_KEY = re.compile(r"[A-Za-z0-9_/!.*'() &$@=;:+,?-]{1,1024}")
_BUCKET = re.compile(r"[A-Za-z0-9_!.*'() &$@=;:+,?-]{1,100}")
_DOTS = (".", "..")


def checked_key(key: str) -> str:
    """An object's name. Raises 400 for one that no object can have.

    Unlike upstream no part of it may be dots: readers of paths would resolve them.
    """
    if not _KEY.fullmatch(key) or any(part in _DOTS for part in key.split("/")):
        raise errors.invalid_key(key)
    return key


def checked_bucket(name: str) -> str:
    """A bucket's name. Raises 400 for one that no bucket can have."""
    if not _BUCKET.fullmatch(name) or name in _DOTS or name != name.strip():
        raise errors.invalid_bucket_name()
    return name


def place_in(request: Request) -> tuple[str, str]:
    """The bucket and the object that a path names. Raises 400."""
    return checked_bucket(request.path_params["bucket"]), checked_key(request.path_params["key"])


def is_placeholder(key: str) -> bool:
    """Tell whether this object only shows a folder that is empty: it holds no bytes, and may have any type."""
    return key.endswith(".emptyFolderPlaceholder")
