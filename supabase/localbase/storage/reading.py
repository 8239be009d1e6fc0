"""Reading an object's bytes while it may be replaced: the row comes first, and its bytes may have gone by then."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from localbase.storage import errors
from localbase.storage.rows import StoredObject

Answer = TypeVar("Answer")
# How often an object may be replaced while it is being found.
_ATTEMPTS = 3


async def with_bytes(
    find: Callable[[], Awaitable[StoredObject]], answer: Callable[[StoredObject], Awaitable[Answer]]
) -> Answer:
    """What `answer` makes of the object that `find` finds.

    Where it raises `FileNotFoundError`, the row that has come in the place of the first one counts. Raises 404.
    """
    for _ in range(_ATTEMPTS):
        found = await find()
        with suppress(FileNotFoundError):
            return await answer(found)
    raise errors.object_not_found()


async def opened(body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same bytes, of a file that is open already: it stays, though it is removed meanwhile.

    Raises `FileNotFoundError` at once, before the head of an answer is sent.
    """
    return _continued(await anext(body, b""), body)


async def _continued(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk
