"""One bucket of a service that speaks S3, as a client: signed requests, repeated where that is safe, and its errors."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit
from xml.etree.ElementTree import Element, ParseError

import httpx
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from localbase.core.clock import Clock, system_clock
from localbase.core.settings import ByteStoreSettings
from localbase.storage.aws.canonical import (
    ALGORITHM,
    EMPTY_SHA256,
    ReceivedRequest,
    Scope,
    canonical_query,
    signature_of,
    signing_key,
)
from localbase.storage.errors import BytesUnavailable

_log = logging.getLogger("localbase.storage")
# Putting a large object together takes the service a while, in which it says nothing.
_TIMEOUT, _SLOW = httpx.Timeout(30.0, connect=5.0), httpx.Timeout(300.0, connect=5.0)
_LIMITS = httpx.Limits(max_connections=256, max_keepalive_connections=32)
# Seconds before the second attempt, the third and the fourth.
PAUSES = (0.2, 0.6, 1.8)
_PASSING = frozenset({429, 500, 502, 503, 504})
# To wait once more for as long helps no caller.
_LATE = (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout)
_CODE = re.compile(rb"<Code>([A-Za-z0-9.]{1,64})</Code>")

Body = Callable[[], AsyncIterator[bytes]]


class S3Bucket:
    """The bucket of the settings; keys are below their prefix. All raise `BytesUnavailable`, which the log explains."""

    def __init__(
        self,
        settings: ByteStoreSettings,
        clock: Clock = system_clock,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        prefix = settings.prefix.strip("/")
        self.prefix = f"{prefix}/" if prefix else ""
        self._settings = settings
        self._clock = clock
        self._pauses = pauses
        self._base = settings.endpoint.rstrip("/")
        self._client = httpx.AsyncClient(timeout=_TIMEOUT, limits=_LIMITS, transport=transport)

    async def close(self) -> None:
        """Ends the connections."""
        await self._client.aclose()

    def source(self, name: str) -> str:
        """An object of this bucket, as `x-amz-copy-source` names it."""
        return quote(f"/{self._settings.bucket}/{self.prefix}{name}", safe="/-_.~")

    async def send(
        self,
        method: str,
        name: str | None = None,
        query: Mapping[str, str] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        body: Body | None = None,
        content: bytes = b"",
        digest: str | None = None,
        repeats: bool = True,
        missing: bool = False,
    ) -> httpx.Response:
        """One command on the object `name` or on the bucket, and its response, read whole.

        `body` gives the bytes of which `digest` is the SHA-256, anew for each attempt. `repeats` says that the command
        may be sent again after an attempt of which the end is not known; `missing` that a 404 is a response.
        """
        digest = digest or (hashlib.sha256(content).hexdigest() if content else EMPTY_SHA256)
        for pause in (*self._pauses, None) if repeats else (None,):
            request = self._request(
                *(method, name, query or {}, headers or {}, digest),
                content=body() if body else content,
                timeout=_TIMEOUT if repeats else _SLOW,
            )
            try:
                response = await self._client.send(request)
            except httpx.TransportError as error:
                reason = type(error).__name__
                passing = not isinstance(error, _LATE)
            else:
                if response.is_success and not _is_late_error(method, response):
                    return response
                if missing and response.status_code == 404:
                    return response
                reason = _reason(response.status_code, response.content)
                passing = response.status_code in _PASSING or response.is_success
            if pause is None or not passing:
                raise self._unavailable(method, reason)
            await asyncio.sleep(pause)
        raise AssertionError

    @asynccontextmanager
    async def stream(self, name: str, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        """The response to one GET, unread. Raises `httpx.TransportError` as well.

        Its status is checked by `raise_for_status`.
        """
        request = self._request("GET", name, {}, headers, EMPTY_SHA256)
        response = await self._client.send(request, stream=True)
        try:
            yield response
        finally:
            await response.aclose()

    async def raise_for_status(self, response: httpx.Response) -> None:
        """Raises for a response of `stream` that is none: `httpx.ReadError` where another attempt may succeed."""
        if response.is_success:
            return
        reason = _reason(response.status_code, await response.aread())
        if response.status_code in _PASSING:
            raise httpx.ReadError(reason)
        raise self._unavailable("GET", reason)

    async def repeat(self, attempt: int, error: httpx.TransportError) -> None:
        """Waits before another attempt; raises after the last."""
        if attempt >= len(self._pauses) or isinstance(error, _LATE):
            raise self._unavailable("GET", str(error) or type(error).__name__) from error
        await asyncio.sleep(self._pauses[attempt])

    async def document(self, response: httpx.Response) -> Element:
        """The response's XML, names without their namespace."""
        try:
            root: Element = await asyncio.to_thread(fromstring, response.content, forbid_dtd=True)
        except (ParseError, DefusedXmlException, ValueError) as error:
            raise self._unavailable(response.request.method, "an answer that is no XML") from error
        for each in root.iter():
            each.tag = each.tag.rpartition("}")[2]
        return root

    def _request(
        self,
        method: str,
        name: str | None,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        digest: str,
        *,
        content: bytes | AsyncIterator[bytes] = b"",
        timeout: httpx.Timeout = _TIMEOUT,
    ) -> httpx.Request:
        path = f"/{self._settings.bucket}" + ("" if name is None else f"/{self.prefix}{name}")
        url = f"{self._base}{quote(path, safe='/-_.~')}"
        text = canonical_query(dict(query))
        moment = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y%m%dT%H%M%SZ")
        sent = {
            "host": urlsplit(url).netloc,
            "x-amz-date": moment,
            "x-amz-content-sha256": digest,
            # Bytes count as they lie there.
            "accept-encoding": "identity",
            **headers,
        }
        signed = sorted(key for key in sent if key == "host" or key.startswith("x-amz-"))
        scope = Scope(moment[:8], self._settings.region, "s3")
        signature = signature_of(
            ReceivedRequest(method, urlsplit(url).path, text, list(sent.items())),
            signed,
            digest,
            key=signing_key(self._settings.secret_access_key, scope),
            moment=moment,
            scope=scope,
        )
        sent["authorization"] = (
            f"{ALGORITHM} Credential={self._settings.access_key_id}/{scope},"
            f" SignedHeaders={';'.join(signed)}, Signature={signature}"
        )
        return self._client.build_request(
            *(method, f"{url}?{text}" if text else url), headers=sent, content=content, timeout=timeout
        )

    def _unavailable(self, method: str, reason: str) -> BytesUnavailable:
        _log.error(
            "the objects' bytes: %s on the bucket %s at %s failed: %s",
            *(method, self._settings.bucket, self._base, reason),
        )
        return BytesUnavailable()


def _reason(status: int, body: bytes) -> str:
    code = _CODE.search(body[:4096])
    return f"{status} {code[1].decode()}" if code else str(status)


def _is_late_error(method: str, response: httpx.Response) -> bool:
    """Copying and putting together may fail after the status has been sent."""
    return method in ("PUT", "POST") and b"<Error>" in response.content[:4096]
