"""Supabase Storage as service_role: objects, and addresses that show one of them for a while."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx

from _shared.core.errors import unavailable

_TIMEOUT = httpx.Timeout(30.0, connect=5.0)


class Storage:
    """`public_url` is where others reach the project; behind a gateway of one's own it differs from `url`."""

    def __init__(
        self, url: str, public_url: str, key: str, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._public = f"{public_url}/storage/v1"
        self._http = httpx.Client(
            base_url=f"{url}/storage/v1",
            headers={"apikey": key, "authorization": f"Bearer {key}"},
            timeout=_TIMEOUT,
            transport=transport,
        )

    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None:
        """Stores `content`, in place of an older one."""
        headers = {"content-type": media_type, "x-upsert": "true", "cache-control": "max-age=3600"}
        self._send("POST", f"/object/{bucket}/{quote(name)}", content=content, headers=headers)

    def get(self, bucket: str, name: str) -> bytes | None:
        """The object's bytes; None where there is none."""
        response = self._exchange("GET", f"/object/authenticated/{bucket}/{quote(name)}")
        return None if _is_missing(response) else _checked(response).content

    def copy(self, bucket: str, name: str, target_bucket: str, target: str) -> bool:
        """Copies an object, in place of an older one; False where there is none."""
        names = {
            "bucketId": bucket,
            "sourceKey": name,
            "destinationBucket": target_bucket,
            "destinationKey": target,
        }
        response = self._exchange("POST", "/object/copy", json=names, headers={"x-upsert": "true"})
        if _is_missing(response):
            return False
        _checked(response)
        return True

    def remove(self, bucket: str, names: list[str]) -> None:
        """Removes these objects, as far as there are such."""
        self._send("DELETE", f"/object/{bucket}", json={"prefixes": names})

    def address(self, bucket: str, name: str, seconds: int) -> str:
        """A public address of the object, valid for `seconds`."""
        signed = self._send(
            "POST", f"/object/sign/{bucket}/{quote(name)}", json={"expiresIn": seconds}
        ).json()
        return f"{self._public}{signed['signedURL']}"

    def _send(self, method: str, path: str, **sent: Any) -> httpx.Response:
        return _checked(self._exchange(method, path, **sent))

    def _exchange(self, method: str, path: str, **sent: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **sent)
        except httpx.HTTPError as error:
            raise unavailable(
                "storage_unavailable", "Our storage did not answer. Please try again.", error
            ) from error


def _checked(response: httpx.Response) -> httpx.Response:
    if response.is_success:
        return response
    raise unavailable(
        "storage_unavailable",
        "Something went wrong on our side. Please try again.",
        f"Storage {response.status_code}: {response.text}",
    )


def _is_missing(response: httpx.Response) -> bool:
    """Storage's own 404 comes as 400, with the status in the body; of a missing bucket too, which is a fault."""
    if response.status_code not in (400, 404):
        return False
    try:
        body = response.json()
    except ValueError:
        return False
    return (
        isinstance(body, dict)
        and str(body.get("error")) == "not_found"
        and body.get("message") == "Object not found"
    )
