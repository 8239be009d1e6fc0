"""Visitors with open sessions, who look at the gallery: `python -m tests.many.browsers SETTINGS`, a process of its own.

SETTINGS is JSON: `host`, `port`, `key`, `sessions`, `pause` (seconds between two looks of one visitor), `seed`,
`target` (the file of what was seen). Each visitor holds a connection of their own, looks when it suits them, and opens
another one when theirs ends. Each line of the file is one look: when it began, its seconds, its status (0 for none).
It ends at the end of its standard input.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO

_PATIENCE = 15.0
_CARDS = "id,user_id,created_at,like_count,designs!inner(id,name,has_thumbnail,thumbnail_url,created_at)"
# As a visit goes: mostly pages of the gallery, its number, names, now and then a search.
_LOOKS: Sequence[tuple[int, str]] = (
    (5, f"/rest/v1/public_designs?select={_CARDS}&order=created_at.desc,id.asc&limit=25"),
    (2, "/rest/v1/rpc/count_public_designs?search="),
    (2, "/rest/v1/profiles?select=id,public_name&limit=24"),
    (1, f"/rest/v1/rpc/search_public_designs?search=fox&page_size=25&select={_CARDS}"),
    (2, "/rest/v1/product_variants?select=id,name,color_hex&order=name.asc"),
)


@dataclass
class Look:
    began: float
    seconds: float
    status: int


class Visitor:
    """One open session."""

    def __init__(self, settings: dict[str, Any], number: int, out: TextIO) -> None:
        self._settings = settings
        self._chance = random.Random(f"{settings['seed']}:{number}")
        self._out = out
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def browse(self, until: asyncio.Event) -> None:
        pause = float(self._settings["pause"])
        await _sleep(until, self._chance.uniform(0, pause))
        while not until.is_set():
            look = await self._look()
            self._out.write(f"{look.began:.3f} {look.seconds:.4f} {look.status}\n")
            await _sleep(until, self._chance.uniform(0.5, 1.5) * pause)
        if self._writer is not None:
            self._writer.close()

    async def _look(self) -> Look:
        """A server may end an idle connection just as the request is sent: it is sent once more, as browsers do."""
        (path,) = self._chance.choices([path for _, path in _LOOKS], [weight for weight, _ in _LOOKS])
        began, clock = time.time(), time.perf_counter()
        status = 0
        for _ in range(2):
            fresh = self._writer is None
            try:
                async with asyncio.timeout(_PATIENCE):
                    status = await self._get(path)
                break
            except (OSError, EOFError, ValueError, TimeoutError):
                self._drop()
                if fresh:
                    break
        return Look(began, time.perf_counter() - clock, status)

    def _drop(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def _get(self, path: str) -> int:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                self._settings["host"], self._settings["port"]
            )
        key = self._settings["key"]
        head = f"GET {path} HTTP/1.1\r\nHost: shop\r\napikey: {key}\r\nAuthorization: Bearer {key}\r\n\r\n"
        self._writer.write(head.encode())
        received = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        fields = dict(line.split(": ", 1) for line in received.split("\r\n")[1:] if ": " in line)
        if "content-length" in fields:
            await self._reader.readexactly(int(fields["content-length"]))
        elif fields.get("transfer-encoding") == "chunked":
            while size := int((await self._reader.readline()).split(b";")[0], 16):
                await self._reader.readexactly(size + 2)
            await self._reader.readline()
        return int(received.split(" ", 2)[1])


async def _sleep(until: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await until.wait()
    except TimeoutError:
        return


async def browse(settings: dict[str, Any]) -> None:
    until = asyncio.Event()
    loop = asyncio.get_running_loop()
    with open(settings["target"], "w", buffering=1) as out:  # noqa: ASYNC230, PTH123 - one line at a time
        loop.run_in_executor(None, lambda: (sys.stdin.read(), loop.call_soon_threadsafe(until.set)))
        async with asyncio.TaskGroup() as group:
            for number in range(settings["sessions"]):
                group.create_task(Visitor(settings, number, out).browse(until))


if __name__ == "__main__":
    asyncio.run(browse(json.loads(sys.argv[1])))
