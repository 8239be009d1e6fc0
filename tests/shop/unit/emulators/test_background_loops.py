"""The vendors' loops, in the emulators as they run: they end with the process, whatever they wait for."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from starlette.applications import Starlette

from emulators.app import Emulators
from emulators.core.settings import read_settings

_SECONDS = 5


@pytest.mark.parametrize("turns", range(6))
def test_loops_that_are_woken_in_the_moment_of_the_end_end(turns: int, tmp_path: Path) -> None:
    async def live() -> None:
        emulators = Emulators(read_settings({"LOCALBASE_DATA": str(tmp_path)}, {}))
        for vendor in ("stripe", "replicate", "printify"):
            emulators.store.put(f"{vendor}.delivery", {"id": vendor, "due": time.time() + 60})
        async with asyncio.timeout(_SECONDS), emulators.running(Starlette()):
            await asyncio.sleep(0.01)
            for wake in emulators.store.on_replaced:
                wake()
            # so many of the event loop's turns lie between the two
            for _ in range(turns):
                await asyncio.sleep(0)

    asyncio.run(live())
