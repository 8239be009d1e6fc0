"""Renders pictures off the loop: a few processes, each picture with a time limit, and a bounded cache on disk.

What is cached under a key was drawn from that version with these options: a version's bytes never change.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import sys
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from localbase.storage.backend.disk import Files
from localbase.storage.errors import BytesUnavailable, StorageError, too_large
from localbase.storage.images.options import Transformation
from localbase.storage.reading import opened
from localbase.storage.rows import StoredObject

MOST_SOURCE_BYTES = 25 << 20
_MOST_CACHED_BYTES = 256 << 20
_MOST_WAITING = 64
_SECONDS = 10.0
# A process that nothing was asked of for so long ends: it holds some 40 MB.
_IDLE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A rendered picture. `key` names source and options."""

    key: str
    mime: str
    data: bytes


class Renderer:
    """Draws pictures from `files`. `folder` is this process's own, for the cache; what lies there before goes."""

    def __init__(self, files: Files, folder: Path, *, processes: int = 1, seconds: float = _SECONDS) -> None:
        self._files = files
        self._folder = folder
        self._seconds = seconds
        self._free = asyncio.Semaphore(processes)
        self._idle: list[_Worker] = []
        self._cached: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._cached_bytes = 0
        self._storing = threading.Lock()
        self._running: dict[str, asyncio.Task[Picture]] = {}
        self._waiting = 0

    async def render(self, stored: StoredObject, options: Transformation, *, takes_webp: bool) -> Picture:
        """The picture. Raises 400 for what is none or is beyond the limits, 429 when too many wait already."""
        key = hashlib.sha256(f"{stored.version} {takes_webp} {options.line()}".encode()).hexdigest()
        cached = await self._from_cache(key)
        if cached is not None:
            return cached
        task = self._running.get(key)
        if task is None:
            if self._waiting >= _MOST_WAITING:
                raise StorageError(429, "SlowDown", "Too many requests", http_status=429)
            task = asyncio.create_task(self._draw(key, stored.version, options, takes_webp=takes_webp))
            self._running[key] = task
            task.add_done_callback(lambda _: self._running.pop(key, None))
        # One caller who goes must not end what others wait for.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Ends the processes."""
        for task in list(self._running.values()):
            task.cancel()
        while self._idle:
            await self._idle.pop().end()

    async def _draw(self, key: str, version: str, options: Transformation, *, takes_webp: bool) -> Picture:
        self._waiting += 1
        try:
            # Not the row's size, which SQL can set.
            size = await self._files.size(version)
            if size is None:
                raise FileNotFoundError(version)
            if size > MOST_SOURCE_BYTES:
                raise image_error("The source image file is too large to process")
            async with aclosing(self._files.read(version)) as body:
                # Open before its turn comes: the object may be replaced any number of times meanwhile.
                source = await opened(body)
                async with self._free:
                    mime, data = await self._drawn(source, size, options, takes_webp=takes_webp)
        finally:
            self._waiting -= 1
        await asyncio.to_thread(self._store, key, mime, data)
        return Picture(key, mime, data)

    async def _drawn(
        self, source: AsyncIterator[bytes], size: int, options: Transformation, *, takes_webp: bool
    ) -> tuple[str, bytes]:
        worker = self._idle.pop() if self._idle else await _Worker.start()
        try:
            async with asyncio.timeout(self._seconds):
                drawn = await worker.draw(source, size, options, takes_webp)
        except BytesUnavailable:
            # It waits for the rest of the picture.
            await worker.end()
            raise
        except StorageError:
            # It has answered: the picture is at fault, not the process.
            self._rest(worker)
            raise
        except BaseException as error:
            await worker.end()
            if isinstance(error, _Oversized):
                raise too_large() from error
            if isinstance(error, TimeoutError):
                raise image_error("Image request timed out") from error
            if isinstance(error, EOFError | ConnectionError | ValueError):
                # It died of what it was given: of its limit of memory, most likely.
                raise image_error("The source image resolution is too large to process") from error
            raise
        self._rest(worker)
        return drawn

    def _rest(self, worker: _Worker) -> None:
        self._idle.append(worker)
        worker.rest_until(_IDLE_SECONDS, lambda: self._idle.remove(worker))

    async def _from_cache(self, key: str) -> Picture | None:
        entry = self._cached.get(key)
        if entry is None:
            return None
        try:
            data = await asyncio.to_thread((self._folder / key).read_bytes)
        except OSError:
            # Someone tidied up: it is drawn again.
            self._drop(key)
            return None
        if key in self._cached:
            self._cached.move_to_end(key)
        return Picture(key, entry[0], data)

    def _store(self, key: str, mime: str, data: bytes) -> None:
        # Runs in threads, of which the first one clears the folder.
        with self._storing:
            if not self._cached:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / key).write_bytes(data)
            self._cached[key] = (mime, len(data))
            self._cached_bytes += len(data)
            while self._cached_bytes > _MOST_CACHED_BYTES:
                oldest = next(iter(self._cached))
                self._drop(oldest)
                (self._folder / oldest).unlink(missing_ok=True)

    def _drop(self, key: str) -> None:
        _, size = self._cached.pop(key, ("", 0))
        self._cached_bytes -= size


class _Oversized(Exception):
    """A picture that is too large to be sent. Its process is of no further use."""


class _Worker:
    """One process that draws (`images.worker`)."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._timer: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls) -> _Worker:
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "localbase.storage.images.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                # Nothing of the service's settings is its business.
                env={"PYTHONPATH": os.pathsep.join(sys.path)},
                limit=1 << 20,
            )
        )

    async def draw(
        self, chunks: AsyncIterator[bytes], size: int, options: Transformation, takes_webp: bool
    ) -> tuple[str, bytes]:
        if self._timer is not None:
            self._timer.cancel()
        source, target = self._process.stdin, self._process.stdout
        assert source is not None
        assert target is not None
        order = f'{{"size": {size}, "webp": {json.dumps(takes_webp)}, "options": {options.line()}}}\n'
        source.write(order.encode())
        async for chunk in chunks:
            source.write(chunk)
            await source.drain()
        await source.drain()
        response = json.loads(await target.readline() or b"{}")
        if "error" in response:
            raise image_error(response["error"])
        if "mime" not in response:
            raise EOFError
        if response["size"] > MOST_SOURCE_BYTES:
            # It stays unread: what is left in the pipe would be taken for the next response.
            raise _Oversized
        return response["mime"], await target.readexactly(response["size"])

    def rest_until(self, seconds: float, forget: Callable[[], None]) -> None:
        def end() -> None:
            forget()
            self._ending = asyncio.create_task(self.end())

        self._timer = asyncio.get_running_loop().call_later(seconds, end)

    async def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


def image_error(message: str) -> StorageError:
    """A picture that is not drawn."""
    return StorageError(400, "InvalidRequest", message)
