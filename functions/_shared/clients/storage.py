"""Storage: objects, and addresses that show one of them for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import httpx
from storage3._sync.file_api import SyncBucketProxy
from storage3.exceptions import StorageApiError
from storage3.types import FileOptions

from _shared.core.errors import unavailable
from supabase import Client

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
_ROOT = "/storage/v1/"


class Storage:
    """`public_url` is where others reach the project; behind a gateway of one's own it differs from the client's."""

    def __init__(self, supabase: Client, public_url: str) -> None:
        self._client = supabase.storage
        self._public = public_url

    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None:
        """Stores `content`, in place of an older one."""
        options: FileOptions = {"content-type": media_type, "x-upsert": "true"}
        _checked(self._client.from_(bucket).upload, name, content, options)

    def get(self, bucket: str, name: str) -> bytes | None:
        """The object's bytes; None where there is none."""
        return _found(self._client.from_(bucket).download, name)

    def copy(self, bucket: str, name: str, target_bucket: str, target: str) -> bool:
        """Copies an object, in place of an older one; False where there is none."""
        return _found(_copy, self._client.from_(bucket), name, target_bucket, target) is not None

    def remove(self, bucket: str, names: list[str]) -> None:
        """Removes these objects, as far as there are such."""
        _checked(self._client.from_(bucket).remove, names)

    def address(self, bucket: str, name: str, seconds: int) -> str:
        """A public address of the object, valid for `seconds`."""
        signed = _checked(self._client.from_(bucket).create_signed_url, name, seconds)
        # the signature is the path's: the host is ours to choose
        return f"{self._public}{_ROOT}{str(signed['signedURL']).partition(_ROOT)[2]}"


def _copy(bucket: SyncBucketProxy, name: str, target_bucket: str, target: str) -> httpx.Response:
    """The request of storage3's `copy`, which itself stays within the bucket and replaces nothing."""
    names = {
        "bucketId": bucket.id,
        "sourceKey": name,
        "destinationBucket": target_bucket,
        "destinationKey": target,
    }
    return bucket._request("POST", ["object", "copy"], json=names, headers={"x-upsert": "true"})


def _found(
    call: Callable[Arguments, Result], *sent: Arguments.args, **named: Arguments.kwargs
) -> Result | None:
    """The call's result; None where the object does not exist. A missing bucket is a fault."""

    def attempt() -> Result | None:
        try:
            return call(*sent, **named)
        except StorageApiError as error:
            if error.code == "not_found" and error.message == "Object not found":
                return None
            raise

    return _checked(attempt)


def _checked(call: Callable[Arguments, Result], *sent: Arguments.args, **named: Arguments.kwargs) -> Result:
    try:
        return call(*sent, **named)
    except httpx.HTTPError as error:
        raise unavailable(
            "storage_unavailable", "Our storage did not answer. Please try again.", error
        ) from error
    except (StorageApiError, KeyError, ValueError) as error:  # the last two: a body that is not Storage's
        raise unavailable(
            "storage_unavailable", "Something went wrong on our side. Please try again.", error
        ) from error
