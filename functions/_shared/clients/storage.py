"""Supabase Storage as service_role: private objects, and addresses that show one of them for a while."""

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
        self._send(f"/object/{bucket}/{quote(name)}", content=content, headers=headers)

    def address(self, bucket: str, name: str, seconds: int) -> str:
        """A public address of the object, valid for `seconds`."""
        signed = self._send(f"/object/sign/{bucket}/{quote(name)}", json={"expiresIn": seconds}).json()
        return f"{self._public}{signed['signedURL']}"

    def _send(self, path: str, **sent: Any) -> httpx.Response:
        try:
            answer = self._http.post(path, **sent)
            answer.raise_for_status()
        except httpx.HTTPStatusError as error:
            raise unavailable(
                "storage_unavailable",
                "Something went wrong on our side. Please try again.",
                f"Storage {error.response.status_code}: {error.response.text}",
            ) from error
        except httpx.HTTPError as error:
            raise unavailable(
                "storage_unavailable", "Our storage did not answer. Please try again.", error
            ) from error
        return answer
