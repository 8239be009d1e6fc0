"""Sends one request for the database, and reads no more of its answer than is allowed."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from localbase.core.container_addresses import local_address

if TYPE_CHECKING:
    # Imported at its first use: it would be a tenth of the gateway's start.
    import httpx

# Not all that Python decodes: the work for some grows with the square of the length.
_CHARSET = re.compile(
    r"(us-)?ascii|utf-?(8|16|32)([bl]e)?|iso-?8859-\d+|latin-?\d+|(windows-|cp)\d+|koi8-[ru]|gb\w+|big5|shift_jis|euc-\w+",
    re.IGNORECASE,
)
# gzip's or zlib's head, whichever comes.
_ANY_HEAD = 32 + zlib.MAX_WBITS


def new_client(
    connect_seconds: float | None = None,
    most_redirects: int = 20,
    proxy: str | None = None,
    *,
    verify: bool = True,
) -> httpx.AsyncClient:
    """A client without a limit on the time of a whole request: each has one of its own."""
    from http.cookiejar import CookieJar, DefaultCookiePolicy

    import httpx

    near = httpx.AsyncHTTPTransport(verify=verify)
    return httpx.AsyncClient(
        timeout=httpx.Timeout(None, connect=connect_seconds),
        max_redirects=most_redirects,
        proxy=proxy,
        verify=verify,
        # One caller's cookies are not the next one's.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        # A proxy of the system has no way to this machine.
        mounts=None if proxy else {"all://127.0.0.1": near, "all://localhost": near},
    )


async def send(
    client: httpx.AsyncClient, request: httpx.Request, most_bytes: int, *, follow: bool = True
) -> tuple[httpx.Response, bytes]:
    """The response, which is closed, and its body. Raises `httpx.HTTPError` and `ValueError`."""
    response = await client.send(request, stream=True, follow_redirects=follow)
    try:
        return response, await _read(response, most_bytes)
    finally:
        await response.aclose()


async def _read(response: httpx.Response, most_bytes: int) -> bytes:
    packed = response.headers.get("content-encoding", "") in ("gzip", "x-gzip", "deflate")
    unpacking = zlib.decompressobj(_ANY_HEAD) if packed else None
    body = bytearray()
    async for part in response.aiter_raw():
        try:
            body += unpacking.decompress(part, most_bytes + 1 - len(body)) if unpacking else part
        except zlib.error as error:
            raise ValueError(f"The answer cannot be unpacked: {error}") from error
        if len(body) > most_bytes:
            raise ValueError(f"The answer is larger than {most_bytes} bytes")
    return bytes(body)


def sendable_address(url: str, api_port: int) -> str:
    """`url`, where it names a container that of the gateway instead. Raises `ValueError` for what is no address."""
    address = local_address(url, api_port)
    if not address.startswith(("http://", "https://")):
        raise ValueError(f"URL using bad/illegal format or missing URL: {url}")
    return address


def charset_of(response: httpx.Response) -> str | None:
    """The charset that the content's type names, of those that texts of the web have."""
    charset = response.charset_encoding or ""
    return charset if _CHARSET.fullmatch(charset) else None
