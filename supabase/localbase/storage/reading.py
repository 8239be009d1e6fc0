"""Reading an object's bytes while it may be replaced: the row comes first, and its bytes may have gone by then."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from localbase.storage import errors
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
