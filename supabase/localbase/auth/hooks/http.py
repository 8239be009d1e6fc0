"""Hooks over HTTP: `uri = "http://…"` with `secrets`, each request signed as https://www.standardwebhooks.com has it.

Upstream: supabase/auth, `internal/hooks/hookshttp`.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
import uuid
from typing import TYPE_CHECKING, Any

from localbase.auth import errors
from localbase.core.deferred import deferred_client

if TYPE_CHECKING:
    # Imported at its first use: it would be a tenth of the gateway's start.
    import httpx

_SECONDS, _ATTEMPTS, _PAUSE_SECONDS = 5, 3, 2
_MOST_BYTES = 200 * 1024
_BUSY = (429, 503)
_WORDS = {
    400: "Invalid payload sent to hook",
    401: "Hook requires authorization token",
    **dict.fromkeys(_BUSY, "Service currently unavailable due to hook"),
}


class HttpHook:
    """A hook's address, and the secrets that sign what is sent there."""

    def __init__(self, address: str, secrets: str) -> None:
        self._address = address
        self._keys = [base64.b64decode(each.removeprefix("v1,whsec_")) for each in secrets.split("|")]
        self._client = deferred_client(_new_client)

    async def call(self, payload: dict[str, Any]) -> object:
        """The response's JSON; None for a response without one. Raises `AuthError`."""
        import httpx

        body = json.dumps(payload).encode()
        try:
            async with asyncio.timeout(_SECONDS):
                return _value_of(*await self._posted(body))
        except (TimeoutError, httpx.TimeoutException) as error:
            text = f"Failed to reach hook within maximum time of {_SECONDS:f} seconds"
            raise errors.AuthError(422, "hook_timeout", text) from error
        except httpx.HTTPError as error:
            raise errors.hook_failed(self._address, str(error) or type(error).__name__) from error

    async def close(self) -> None:
        """Closes its connections."""
        await self._client.close()

    async def _posted(self, body: bytes) -> tuple[httpx.Response, bytes]:
        """The response and its body. A hook that is busy, and says so with `retry-after`, is called anew."""
        client = await self._client.get()
        for attempt in range(1, _ATTEMPTS + 1):
            headers = self._headers(body)
            async with client.stream("POST", self._address, content=body, headers=headers) as response:
                if response.status_code not in _BUSY or "retry-after" not in response.headers:
                    return response, await _read(response)
            if attempt < _ATTEMPTS:
                await asyncio.sleep(_PAUSE_SECONDS)
        text = "Failed to reach hook after maximum retries"
        raise errors.AuthError(422, "hook_timeout_after_retry", text)

    def _headers(self, body: bytes) -> dict[str, str]:
        message, moment = str(uuid.uuid4()), str(int(time.time()))
        signed = f"{message}.{moment}.".encode() + body
        signatures = [
            f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}" for key in self._keys
        ]
        return {
            "content-type": "application/json",
            "webhook-id": message,
            "webhook-timestamp": moment,
            "webhook-signature": " ".join(signatures),
        }


def _new_client() -> httpx.AsyncClient:
    import httpx

    return httpx.AsyncClient(timeout=_SECONDS)


async def _read(response: httpx.Response) -> bytes:
    """The body, as far as its size says that it is too large."""
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > _MOST_BYTES:
            break
    return bytes(body)


def _value_of(response: httpx.Response, body: bytes) -> object:
    if response.status_code not in (200, 202, 204):
        text = _WORDS.get(
            response.status_code, f"Unexpected status code returned from hook: {response.status_code}"
        )
        raise errors.AuthError(500, "unexpected_failure", text)
    if not body:
        return None
    kind = response.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        text = f"Invalid JSON response. Received content-type: {kind}"
        raise errors.AuthError(400, "hook_payload_invalid_content_type", text)
    if len(body) > _MOST_BYTES:
        text = f"Payload size exceeded size limit of {_MOST_BYTES} bytes"
        raise errors.AuthError(422, "hook_payload_over_size_limit", text)
    try:
        value: object = json.loads(body)
    except ValueError as error:
        raise errors.AuthError(500, "unexpected_failure", "Error unmarshaling JSON output.") from error
    return value
