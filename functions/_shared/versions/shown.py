"""What pages show of a version: each side as one picture, and a small one of the front on the shirt's colour."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Protocol

from PIL import Image

from _shared.core.data import Data
from _shared.designs.designs import Design
from _shared.designs.images import SLOTS, Picture, decode
from _shared.designs.placement import Size, ink_box
from _shared.designs.stored_pictures import BUCKET
from _shared.scene.print_side import Pictures, draw_side
from _shared.scene.scene import DESIGN, SIDES, Scene, Side

# of a side, drawn before it is cut to its ink; and of the picture that is stored
_DRAWN_WIDTH, _LONGEST_SIDE = 3000, 1536
_THUMBNAIL_SIDE, _THUMBNAIL_QUALITY = 256, 80
_NO_COLOR = "#CCCCCC"
# in a flat scene: the picture that a copy brings along for its back
BACK = "00000000-0000-4000-8000-000000000000"


class Store(Protocol):
    """`clients.storage.Storage`."""

    def put(self, bucket: str, name: str, content: bytes, media_type: str) -> None: ...


class ShownPictures:
    """Makes and stores them as the service."""

    def __init__(self, data: Data, store: Store) -> None:
        self._data = data
        self._store = store

    def store_first(self, design: Design, picture: Picture) -> tuple[str, str]:
        """The names of the design's own picture and thumbnail; what a row from before holds is put into the bucket."""
        if design.image_url:
            row = self._data.row("designs", "thumbnail_url", {"id": design.id})
            thumbnail = str(row["thumbnail_url"] or "") if row else ""
            if thumbnail:
                return design.first_picture, thumbnail
        folder = f"{design.user_id}/{design.id}"
        if not design.image_url:
            self._put(f"{folder}/picture.png", picture.data)
        with SLOTS.slot():
            small = decode(picture, _LONGEST_SIDE)
        self._put(f"{folder}/thumbnail.jpg", self._thumbnail(design, small))
        return f"{folder}/picture.png", f"{folder}/thumbnail.jpg"

    def store(
        self, design: Design, scene: Scene, number: int, areas: Mapping[Side, Size], pictures: Pictures
    ) -> dict[str, Any]:
        """Their names and the flat scene, as columns of design_versions."""
        name = f"{design.user_id}/{design.id}/v{number}"
        shown: dict[Side, Image.Image] = {}
        flat: dict[str, Any] = {"version": 1, "front": [], "back": []}
        for side in SIDES:
            if side not in areas:
                continue
            drawn = draw_side(scene, side, areas[side], _DRAWN_WIDTH, pictures)
            if box := ink_box(drawn):
                shown[side] = drawn.crop(box)
                flat[side] = [_flat_layer(side, box, drawn.size)]
        picture = shown.get("front") or shown["back"]
        picture.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), Image.Resampling.LANCZOS)
        self._put(f"{name}.png", _png(picture))
        self._put(f"{name}.jpg", self._thumbnail(design, picture))
        columns = {"image_url": f"{name}.png", "thumbnail_url": f"{name}.jpg", "flat_scene": flat}
        if back := shown.get("back"):
            back.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), Image.Resampling.LANCZOS)
            self._put(f"{name}-back.png", _png(back))
            columns["back_url"] = f"{name}-back.png"
        return columns

    def _thumbnail(self, design: Design, picture: Image.Image) -> bytes:
        """On the shirt's colour, as the browser makes it."""
        rows = (
            self._data.select_in("product_variants", "id, color_hex", "id", [design.selected_colors[0]])
            if design.selected_colors
            else []
        )
        small = picture.convert("RGBA")
        small.thumbnail((_THUMBNAIL_SIDE, _THUMBNAIL_SIDE), Image.Resampling.LANCZOS)
        ground = Image.new("RGB", small.size, str(rows[0]["color_hex"]) if rows else _NO_COLOR)
        ground.paste(small, mask=small.getchannel("A"))
        out = io.BytesIO()
        ground.save(out, "JPEG", quality=_THUMBNAIL_QUALITY)
        return out.getvalue()

    def _put(self, name: str, content: bytes) -> None:
        self._store.put(BUCKET, name, content, "image/jpeg" if name.endswith(".jpg") else "image/png")


def _flat_layer(side: Side, box: tuple[int, int, int, int], size: tuple[int, int]) -> dict[str, Any]:
    left, top, right, bottom = box
    return {
        "id": side,
        "kind": "picture",
        "source": DESIGN if side == "front" else BACK,
        "x": round((left + right) / 2 / size[0], 6),
        "y": round((top + bottom) / 2 / size[1], 6),
        "scale": max(round((right - left) / size[0], 6), 0.005),
        "angle": 0,
    }


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()
