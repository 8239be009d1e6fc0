"""ICC profiles of imagined printers, made for the tests."""

from __future__ import annotations

import io
import struct
from pathlib import Path

from PIL import Image, ImageCms

_D50 = (0.9642, 1.0, 0.8249)
# of a lattice: both ends of each ink are enough from ink to Lab, the way back needs more
_FINE = 9


def profile(kind: bytes, space: bytes, tags: dict[bytes, bytes]) -> bytes:
    """ICC.1:2001: a header, the table of tags, the tags."""
    tags = {b"wtpt": _xyz(_D50), b"cprt": b"text" + bytes(4) + b"none\0", **tags}
    tags[b"desc"] = b"desc" + bytes(4) + struct.pack(">I", 5) + b"test\0" + bytes(78)
    at, table, body = 128 + 4 + 12 * len(tags), b"", b""
    for name, data in tags.items():
        padded = data + bytes(-len(data) % 4)
        table += struct.pack(">4sII", name, at + len(body), len(data))
        body += padded
    size = at + len(body)
    pcs = b"Lab " if b"A2B0" in tags else b"XYZ "
    header = (
        struct.pack(">I4sI4s4s4s", size, b"", 0x02400000, kind, space, pcs) + bytes(12) + b"acsp" + bytes(28)
    )
    header += b"".join(struct.pack(">i", round(value * 65536)) for value in _D50)
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


def pale_rgb(kind: bytes = b"prtr", space: bytes = b"RGB ") -> bytes:
    """Half as colourful as sRGB."""
    red, green, blue = (0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141)

    def pale(colorant: tuple[float, float, float]) -> bytes:
        return _xyz(tuple((value + white / 3) / 2 for value, white in zip(colorant, _D50, strict=True)))

    gamma = b"curv" + bytes(4) + struct.pack(">IH", 1, round(2.2 * 256))
    tags = {b"rXYZ": pale(red), b"gXYZ": pale(green), b"bXYZ": pale(blue)}
    return profile(kind, space, {**tags, b"rTRC": gamma, b"gTRC": gamma, b"bTRC": gamma})


def dull_cmyk() -> bytes:
    """Four inks of which the black is grey: nothing prints darker than L* 40."""
    to_lab = b""
    for index in range(16):
        cyan, magenta, yellow, black = (index >> bit & 1 for bit in (3, 2, 1, 0))
        lightness = 100 - 60 * max(black, (cyan + magenta + yellow) / 3)
        to_lab += _lab8(lightness, 30 * (magenta - cyan), 40 * (yellow - (cyan + magenta) / 2))
    from_lab = b""
    for light in range(_FINE):
        black = round(255 * min((1 - light / (_FINE - 1)) / 0.6, 1))
        from_lab += bytes((0, 0, 0, black)) * (_FINE * _FINE)
    return profile(b"prtr", b"CMYK", {b"A2B0": _lut8(4, 3, 2, to_lab), b"B2A0": _lut8(3, 4, _FINE, from_lab)})


def write(folder: Path, data: bytes) -> Path:
    file = folder / "ink.icc"
    file.write_bytes(data)
    # a mistake here would be taken for a refusal of the code under test
    ImageCms.ImageCmsProfile(io.BytesIO(data))
    return file


def flat(color: str) -> Image.Image:
    return Image.new("RGBA", (4, 4), color)


def _xyz(values: tuple[float, ...]) -> bytes:
    return b"XYZ " + bytes(4) + b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def _lab8(lightness: float, a: float, b: float) -> bytes:
    return bytes((round(lightness * 2.55), round(a + 128), round(b + 128)))


def _lut8(inputs: int, outputs: int, grid: int, table: bytes) -> bytes:
    head = b"mft1" + bytes(4) + bytes((inputs, outputs, grid, 0))
    matrix = b"".join(struct.pack(">i", 65536 * (row == column)) for row in range(3) for column in range(3))
    straight = bytes(range(256))
    return head + matrix + straight * inputs + table + straight * outputs
