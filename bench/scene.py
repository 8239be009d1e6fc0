"""The print file of a scene of ten layers in print size: three pictures, four letterings, three shapes.

In a process of its own with one thread: its processor time, and its peak of memory.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from bench.figures import Figure
from bench.picture_memory import peak

_ROOT = Path(__file__).resolve().parent.parent
_AREA = (4500, 5100)
_ARTWORK = "4b1c7a1e-58a4-4a32-9d0e-6a2f5b7c9d10"


def scene_figures() -> Iterator[Figure]:
    """Milliseconds and megabytes, each beside its limit."""
    command = [sys.executable, "-m", "bench.scene"]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    yield Figure("a print file of ten layers, 4500 × 5100", measured["ms"], 10_000, "ms")
    yield Figure("memory: a print file of ten layers", measured["MB"], 600, "MB")


def ten_layers() -> dict[str, Any]:
    """The scene, as JSON has it."""

    def layer(number: int, **fields: Any) -> dict[str, Any]:
        return {"id": f"l{number}", "x": 0.5, "y": 0.5, "scale": 0.9, "angle": 0, **fields}

    words = {
        "kind": "lettering",
        "text": "Ten layers\nof letters",
        "outline": {"color": "#ffffff", "width": 0.05},
        "shadow": {"color": "#000000", "x": 0.05, "y": 0.05},
    }
    crop = {"left": 0.1, "top": 0.1, "width": 0.7, "height": 0.6}
    faces = ("pacifico", "rye", "anton", "caveat")
    return {
        "version": 1,
        "front": [
            layer(0, kind="shape", shape="circle", color="#ffcc00", ratio=1),
            layer(1, kind="picture", source="design"),
            layer(2, kind="picture", source=_ARTWORK, scale=0.6, angle=15, color="#224466"),
            layer(3, kind="picture", source=_ARTWORK, scale=0.5, y=0.8, crop=crop),
            *(
                layer(4 + n, **words, face=face, color="#c02040", y=0.1 + 0.2 * n, angle=5 * n, curve=0.2 * n)
                for n, face in enumerate(faces)
            ),
            layer(8, kind="shape", shape="burst", color="#00aa88", ratio=1, scale=0.4),
            layer(9, kind="shape", shape="arrow", color="#0088aa", ratio=0.4, scale=0.7, angle=-20),
        ],
        "back": [],
    }


def _picture(side: int) -> bytes:
    """A disc in changing colours with grain, on nothing."""
    down, across = np.mgrid[:side, :side]
    pixels = np.zeros((side, side, 4), np.uint8)
    pixels[..., 0], pixels[..., 1] = across * 255 // side, down * 255 // side
    pixels[..., 2] = np.random.default_rng(1).integers(0, 60, (side, side))
    pixels[..., 3] = (np.hypot(across - side / 2, down - side / 2) < 0.48 * side) * 255
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _enlarged(picture: Image.Image, factor: float) -> Image.Image:
    """The model's, which works elsewhere: as cheap as possible here."""
    size = (round(picture.width * factor), round(picture.height * factor))
    return picture.resize(size, Image.Resampling.NEAREST)


def _main() -> None:
    sys.path.insert(0, str(_ROOT / "functions"))
    from _shared.designs.images import open_picture
    from _shared.scene.print_side import make_side
    from _shared.scene.scene import parse_scene

    picture = open_picture(_picture(2048))
    began = time.process_time()
    make_side(parse_scene(ten_layers()), "front", _AREA, lambda _source: picture, _enlarged)
    spent = (time.process_time() - began) * 1000
    sys.stdout.write(json.dumps({"ms": spent, "MB": peak()}))


if __name__ == "__main__":
    _main()
