"""The memory of a function's process for pictures that are small as files and huge as pixels.

Each case runs in a process of its own, through the functions' code, with models that answer at once: what is measured
is the process's peak beyond what it takes before the first picture.
"""

from __future__ import annotations

import base64
import io
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

from bench.figures import Figure

_ROOT = Path(__file__).resolve().parent.parent
# what a case is called, and its limit
CASES: dict[str, tuple[str, float]] = {
    "refused": ("a photo of 64 megapixels, refused", 10),
    "png": ("a photo of 25 megapixels (PNG)", 160),
    "jpeg": ("a photo of 25 megapixels (JPEG)", 100),
    "gif": ("a photo of 25 megapixels (GIF)", 80),
    "webp": ("a photo of 12 megapixels (WebP)", 220),
    "avif": ("a photo of 12 megapixels (AVIF)", 160),
    "four": ("four of 25 megapixels (PNG) at once", 350),
    "print": ("a print file of a design of 25 megapixels", 450),
}
# the most pixels that are accepted, as a square
_SIDE = 5000


def memory_figures() -> Iterator[Figure]:
    """Megabytes, each beside its limit."""
    for case, (name, limit) in CASES.items():
        yield Figure(f"memory: {name}", measure(case), limit, "MB")


def measure(case: str) -> float:
    """Megabytes that a process of its own takes for `case`."""
    command = [sys.executable, "-m", "bench.picture_memory", case]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))


def _main(case: str) -> None:
    sys.path.insert(0, str(_ROOT / "functions"))
    work = _WORK[case]()
    before = peak()
    work()
    sys.stdout.write(json.dumps(peak() - before))


# Options of a file that is made quickly, with the same pixels.
QUICK: dict[str, dict[str, int]] = {
    "PNG": {"compress_level": 1},
    "WEBP": {"method": 0},
    "AVIF": {"speed": 10},
}


def _photo(kind: str, side: int = _SIDE) -> str:
    """A picture of one colour, base64: huge as pixels, small as a file. Made elsewhere: it would count here."""
    code = (
        "import io, sys; from PIL import Image; out = io.BytesIO(); "
        f"Image.new('RGB', ({side}, {side}), 'teal').save(out, {kind!r}, **{QUICK.get(kind, {})!r}); "
        "sys.stdout.buffer.write(out.getvalue())"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    return base64.b64encode(made).decode()


class _Models:
    """Replicate, which answers at once."""

    def __init__(self, output: bytes) -> None:
        self._output = output

    def upload(self, picture: bytes, media_type: str) -> str:
        return f"{media_type}, {len(picture)} bytes"

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        del model, inputs
        return self._output


def _restyling(kind: str, *, side: int = _SIDE, at_once: int = 1) -> Callable[[], None]:
    from _shared.core.errors import ShopError
    from _shared.designs.design_requests import PhotoRequest
    from _shared.designs.image_generation import ImageGenerator, ModelNames
    from _shared.designs.images import decode_picture

    out = io.BytesIO()
    Image.new("RGBA", (1024, 1024)).save(out, "PNG")
    models = ModelNames("a/b", "a/b", "black-forest-labs/flux-kontext-pro", "a/b")
    generator = ImageGenerator(_Models(out.getvalue()), models)
    photo = _photo(kind, side)
    request = PhotoRequest(style="Cartoon", background_color_name="Black", background_color_hex="#000000")

    def restyle(_number: int) -> None:
        try:
            generator.from_photo(request, decode_picture(photo))
        except ShopError as problem:
            if problem.code != "image_too_large":
                raise

    small = base64.b64encode(out.getvalue()).decode()
    generator.from_photo(request, decode_picture(small))  # codecs are loaded at first use

    def work() -> None:
        with ThreadPoolExecutor(at_once) as threads:
            list(threads.map(restyle, range(at_once)))

    return work


def _printing() -> Callable[[], None]:
    from _shared.designs.images import decode_picture
    from _shared.designs.print_file import make_print_file

    design = _photo("PNG")
    small = decode_picture(_photo("PNG", 600))
    make_print_file(small, lambda _width, _height: 2.0, lambda picture, _factor: picture)

    def work() -> None:
        make_print_file(
            decode_picture(design), lambda _width, _height: 14.0, lambda picture, _factor: picture
        )

    return work


_WORK: dict[str, Callable[[], Callable[[], None]]] = {
    "refused": lambda: _restyling("PNG", side=8000),
    "png": lambda: _restyling("PNG"),
    "jpeg": lambda: _restyling("JPEG"),
    "webp": lambda: _restyling("WEBP", side=3400),
    "avif": lambda: _restyling("AVIF", side=3400),
    "gif": lambda: _restyling("GIF"),
    "four": lambda: _restyling("PNG", at_once=4),
    "print": _printing,
}


def peak() -> float:
    """Megabytes, as the system accounts them."""
    status = Path("/proc/self/status")
    if status.is_file():
        # `getrusage` begins with the peak of the process that started this one: beside a large one all would be none.
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # bytes, on macOS


if __name__ == "__main__":
    _main(sys.argv[1])
