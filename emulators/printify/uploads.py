"""Uploads: https://developers.printify.com/#uploads. Content-addressed: the same bytes are the same image."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
from pathlib import Path
from typing import Any

from emulators.core.store import Document, Store
from emulators.printify.errors import PrintifyError
from emulators.printify.paging import Page, moment

# wider than any print on a mockup
_PREVIEW_SIDE = 1400
# a print file of the largest area, twice: more is no print file
_MOST_PIXELS = 40_000_000
_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}


class Uploads:
    """Contents lie in `folder` under the upload's id."""

    def __init__(self, store: Store, folder: Path, base_url: str) -> None:
        self._store = store
        self._folder = folder
        self._base_url = base_url
        folder.mkdir(parents=True, exist_ok=True)

    async def create(self, body: dict[str, Any]) -> Document:
        name = body.get("file_name")
        if not isinstance(name, str) or not name:
            raise PrintifyError.invalid("file_name", "The file name field is required.")
        content = await self._content(body)
        from PIL import Image, UnidentifiedImageError

        try:
            with Image.open(io.BytesIO(content)) as picture:
                width, height, format = picture.width, picture.height, picture.format or ""
        except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
            raise PrintifyError.invalid("contents", "The file is not a supported image.") from error
        if width * height > _MOST_PIXELS:
            raise PrintifyError.invalid("contents", "The file has too many pixels.")
        if format not in _TYPES:
            raise PrintifyError.invalid("contents", f"{format} images are not supported.")
        id = hashlib.sha256(content).hexdigest()[:24]
        stored = self._store.get("printify.upload", id)
        if stored is not None:
            return stored
        (self._folder / id).write_bytes(content)
        if max(width, height) > _PREVIEW_SIDE:
            await asyncio.to_thread(_write_preview, content, self._preview(id))
        return self._store.put(
            "printify.upload",
            {
                "id": id,
                "file_name": name,
                "height": height,
                "width": width,
                "size": len(content),
                "mime_type": _TYPES[format],
                "preview_url": f"{self._base_url}/uploads/{id}",
                "upload_time": moment()[:19],
            },
        )

    async def _content(self, body: dict[str, Any]) -> bytes:
        if isinstance(body.get("contents"), str):
            try:
                return base64.b64decode(body["contents"], validate=True)
            except ValueError as error:
                raise PrintifyError.invalid("contents", "The contents field must be base64.") from error
        if not isinstance(body.get("url"), str):
            raise PrintifyError.invalid("contents", "The contents field is required when url is not present.")
        import httpx  # only pictures that lie elsewhere need it

        try:
            async with httpx.AsyncClient(timeout=20, follow_redirects=True) as client:
                response = await client.get(body["url"])
                response.raise_for_status()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise PrintifyError.invalid("url", "The file could not be downloaded.") from error
        return response.content

    def get(self, id: str) -> Document:
        return self._store.require("printify.upload", id, PrintifyError.missing)

    def content(self, id: str) -> bytes:
        self.get(id)
        return (self._folder / id).read_bytes()

    def path(self, id: str) -> Path:
        return self._folder / id

    def preview(self, id: str) -> Path:
        """The picture at a size that mockups need: print files are ten times as large."""
        preview = self._preview(id)
        return preview if preview.exists() else self.path(id)

    def _preview(self, id: str) -> Path:
        return self._folder / f"{id}.preview"

    def page(self, page: Page) -> dict[str, Any]:
        rows = self._store.list("printify.upload", limit=page.limit, offset=page.offset)
        return page.body(rows, self._store.count("printify.upload"))


def _write_preview(content: bytes, path: Path) -> None:
    from PIL import Image

    with Image.open(io.BytesIO(content)) as opened:
        picture = opened if opened.mode in ("RGB", "RGBA") else opened.convert("RGBA")
        picture.thumbnail((_PREVIEW_SIDE, _PREVIEW_SIDE), Image.Resampling.LANCZOS, reducing_gap=3)
        scratch = path.with_suffix(".part")
        picture.save(scratch, "PNG", compress_level=1)
    scratch.replace(path)
