"""Storage's pictures beside libvips: the processor time of a photo of 12 megapixels as one of 500 pixels.

Ours is that of gateway and drawing process together, through the Storage API, where no answer comes from the cache;
theirs a `vipsthumbnail` for each picture, its start included.
"""

from __future__ import annotations

import io
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
from localbase.cli.stack.stack import report
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from PIL import Image

from bench.figures import Figure
from bench.load import processor_seconds
from bench.scratch import scratch_stack
from bench.tools import debian_program
from emulators.gallery import PHOTOS

_SIZE = (4000, 3000)
_WIDTH, _PICTURES = 500, 20
_BUCKET = "insert into storage.buckets (id, name, public) values ('photos', 'photos', true);"


def thumbnail_figures() -> Iterator[Figure]:
    """Our processor time by theirs."""
    program = debian_program("vipsthumbnail", "libvips-tools")
    if program is None:
        return
    photo = _photo()
    with scratch_stack("thumbnails", _BUCKET) as project, Progress().step("thumbnails"):
        ours = _by_storage(project, photo)
    theirs = _by_vips(program, photo)
    name = f"12 MP JPEG as {_WIDTH} px ({ours:.0f} ms) ÷ vipsthumbnail ({theirs:.0f} ms)"
    yield Figure(name, ours / theirs, 1.5, "")


def _by_storage(project: Project, photo: bytes) -> float:
    """Milliseconds of a picture."""
    gateway = report(project)["processes"]["gateway"]
    key = project.settings.keys.service_role
    headers = {"apikey": key, "authorization": f"Bearer {key}", "content-type": "image/jpeg"}
    with httpx.Client(
        base_url=f"{project.settings.api_url}/storage/v1", headers=headers, timeout=60
    ) as client:
        client.post("/object/photos/photo.jpg", content=photo).raise_for_status()

        def draw(width: int) -> None:
            query = {"width": str(width), "resize": "contain"}
            client.get("/render/image/public/photos/photo.jpg", params=query).raise_for_status()

        # The first starts the process that draws.
        draw(_WIDTH - 1)
        used = processor_seconds(gateway)
        for number in range(_PICTURES):
            draw(_WIDTH + number)
        return (processor_seconds(gateway) - used) / _PICTURES * 1000


def _by_vips(program: str, photo: bytes) -> float:
    """Milliseconds of a picture."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "photo.jpg").write_bytes(photo)
        before = _children_seconds()
        for number in range(_PICTURES):
            size = f"{_WIDTH + number}x"
            command = [program, "photo.jpg", "--size", size, "--output", "small.jpg[Q=80]"]
            subprocess.run(command, cwd=folder, check=True)
        return (_children_seconds() - before) / _PICTURES * 1000


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _photo() -> bytes:
    out = io.BytesIO()
    with Image.open(PHOTOS / "astronaut.jpg") as small:
        small.convert("RGB").resize(_SIZE, Image.Resampling.LANCZOS).save(out, "JPEG", quality=90)
    return out.getvalue()
