"""Mockup pictures: `/mockup/{product}/{variant}/{view}/{name}.jpg?s=800`, drawn once and cached on disk."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

from emulators.core.inputs import read_number
from emulators.printify import catalog
from emulators.printify.mockup_task import Print, photograph
from emulators.printify.products import Products
from emulators.printify.uploads import Uploads
from emulators.render_pool import RenderPool

# Part of every stored picture's name: pictures of a studio that drew differently are not shown again.
_EDITION = 2
_SIZES = (200, 400, 600, 800, 1200, 1600, 2048)


def nearest_size(requested: str | None) -> int:
    """The side in pixels that is drawn for `?s=`: the next size up, so that few pictures are stored."""
    side = read_number(requested or "", _SIZES[-1])
    width = 1200 if side is None else side
    return next((size for size in _SIZES if size >= width), _SIZES[-1])


class Mockups:
    def __init__(self, products: Products, uploads: Uploads, render_pool: RenderPool, folder: Path) -> None:
        self._products = products
        self._uploads = uploads
        self._render_pool = render_pool
        self._folder = folder
        self._drawing: dict[Path, asyncio.Future[None]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    async def picture(self, product_id: str, variant_id: int, view_id: int, size: int) -> Path | None:
        """The file of the picture, drawn if need be; None when there is no such variant or view."""
        variant = catalog.variants().get(variant_id)
        if variant is None or view_id not in catalog.VIEWS:
            return None
        view, position = catalog.VIEWS[view_id]
        product = self._products.get(product_id)
        image = self._products.placed_image(product, variant_id, position)
        placed = None
        if image is not None:
            placed = Print(
                str(self._uploads.preview(image["id"])),
                image["x"],
                image["y"],
                image["scale"],
                image["angle"],
            )
        return await self._draw(view, variant.hex, placed, size)

    async def blank(self, view_id: int) -> Path | None:
        """A white shirt without a print, for the blueprint's own pictures."""
        if view_id not in catalog.VIEWS:
            return None
        return await self._draw(catalog.VIEWS[view_id][0], "#FFFFFF", None, 800)

    async def _draw(self, view: str, colour: str, placed: Print | None, size: int) -> Path:
        name = hashlib.sha256(repr((_EDITION, view, colour, placed, size)).encode()).hexdigest()[:32]
        path = self._folder / f"{name}.jpg"
        if path.exists():
            return path
        running = self._drawing.get(path)
        if running is None:
            # One drawing for all requests at once; it goes on when the first of them hangs up.
            running = asyncio.ensure_future(
                self._render_pool.run(photograph, view, colour, placed, size, str(path))
            )
            self._drawing[path] = running
            running.add_done_callback(lambda _: self._drawing.pop(path, None))
        await asyncio.shield(running)
        return path
