"""Reading an object's bytes while it may be replaced: the row comes first, and its bytes may have gone by then.

A file of this machine goes past this process's memory where the server can send it so: ASGI's extension for that is
`http.response.zerocopysend`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import BinaryIO, TypeVar

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from localbase.storage import errors
from localbase.storage.backend.disk import Files
from localbase.storage.conditions import Span
from localbase.storage.rows import StoredObject

Result = TypeVar("Result")


async def with_bytes(
    find: Callable[[], Awaitable[StoredObject]], respond: Callable[[StoredObject], Awaitable[Result]]
) -> Result:
    """Return what `respond` makes of the object that `find` finds.

    Where it raises `FileNotFoundError`, the row that has come in the place of the first one counts, however often the
    object is replaced meanwhile: bytes are removed after the row that names others is committed, so a version found
    twice without its bytes has none. Raises 404.
    """
    missing: str | None = None
    while (stored := await find()).version != missing:
        missing = stored.version
        with suppress(FileNotFoundError):
            return await respond(stored)
    raise errors.object_not_found()


async def opened(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes, of a file that is open already: it stays, though it is removed meanwhile.

    Raises `FileNotFoundError` at once, before the head of a response is sent.
    """
    return _continued(await anext(body, b""), body)


async def _continued(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk


@asynccontextmanager
async def version_bytes(files: Files, version: str) -> AsyncIterator[VersionBytes]:
    """A version that is there, for the block. Raises `FileNotFoundError`."""
    file = await files.local(version)
    size = os.fstat(file.fileno()).st_size if file else await files.size(version)
    if size is None:
        raise FileNotFoundError(version)
    found = VersionBytes(files, version, size, file)
    try:
        yield found
    finally:
        found.close()


class VersionBytes:
    """A version's bytes and their `size`: a file that is open, where they lie on this machine."""

    def __init__(self, files: Files, version: str, size: int, file: BinaryIO | None) -> None:
        self._files = files
        self._version = version
        self._file = file
        self.size = size

    def close(self) -> None:
        """Closes the file, unless a response has it."""
        if self._file is not None:
            self._file.close()

    async def response(self, span: Span, status: int, headers: Mapping[str, str]) -> Response:
        """A part of them, open already. Its length stands in `headers`. Raises `FileNotFoundError`."""
        file, self._file = self._file, None
        if file is not None:
            return _FileResponse(file, span, status, headers)
        body = await opened(self._files.read(self._version, span.start, span.length))
        return StreamingResponse(body, status, dict(headers))


class _FileResponse(Response):
    """A part of an open file, which it closes."""

    def __init__(self, file: BinaryIO, span: Span, status: int, headers: Mapping[str, str]) -> None:
        self._file = file
        self._span = span
        self.status_code = status
        self.background = None
        self.init_headers(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's signature
        start, length = self._span
        with self._file as file:
            await send(
                {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
            )
            if "http.response.zerocopysend" in scope.get("extensions", {}):
                place = {"file": file.fileno(), "offset": start, "count": length}
                await send({"type": "http.response.zerocopysend", **place, "more_body": False})
            else:
                body = await asyncio.to_thread(os.pread, file.fileno(), length, start)
                await send({"type": "http.response.body", "body": body})
