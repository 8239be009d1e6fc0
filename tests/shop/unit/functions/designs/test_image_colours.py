"""Colours of pictures: profiles and depths become the eight bits of sRGB."""

import base64
import io
import struct
import zlib

import numpy as np
import pytest
from _shared.designs.images import decode, decode_picture, open_picture, to_model_input, to_png
from PIL import Image, ImageCms


def swapped() -> bytes:
    """A profile whose red and blue are swapped: red in the file means blue."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    first, third = profile.index(b"rXYZ", 128), profile.index(b"bXYZ", 128)
    profile[first : first + 4], profile[third : third + 4] = b"bXYZ", b"rXYZ"
    return bytes(profile)


def s15(value: float) -> bytes:
    return struct.pack(">i", round(value * 65536))


def xyz(*values: float) -> bytes:
    return b"XYZ \0\0\0\0" + b"".join(s15(value) for value in values)


def profile_of(kind: bytes, space: bytes, connection: bytes, tags: dict[bytes, bytes]) -> bytes:
    """A profile (ICC.1:2010, version 2) with just these tags."""
    place, table, body = 132 + 12 * len(tags), b"", b""
    for name, tag in tags.items():
        padded = tag + b"\0" * (-len(tag) % 4)
        table += name + struct.pack(">II", place + len(body), len(tag))
        body += padded
    size = place + len(body)
    head = struct.pack(">I", size) + bytes(4) + b"\x02\x40\0\0" + kind + space + connection + bytes(12)
    head += b"acsp" + bytes(28) + s15(0.9642) + s15(1.0) + s15(0.8249) + bytes(48)
    return head + struct.pack(">I", len(tags)) + table + body


def grey(gamma: float) -> bytes:
    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256))
    return profile_of(b"mntr", b"GRAY", b"XYZ ", {b"wtpt": xyz(0.9642, 1, 0.8249), b"kTRC": curve})


def four_inks() -> bytes:
    """A printer whose black is a middle grey and whose other inks are clear."""
    ramp = struct.pack(">2H", 0, 65535)
    corners = b"".join(
        struct.pack(">3H", 0x8000 if number % 2 else 0xFF00, 0x8000, 0x8000) for number in range(16)
    )
    identity = b"".join(s15(value) for value in (1, 0, 0, 0, 1, 0, 0, 0, 1))
    table = (
        b"mft2\0\0\0\0"
        + bytes((4, 3, 2, 0))
        + identity
        + struct.pack(">2H", 2, 2)
        + ramp * 4
        + corners
        + ramp * 3
    )
    return profile_of(b"prtr", b"CMYK", b"Lab ", {b"wtpt": xyz(0.9642, 1, 0.8249), b"A2B0": table})


def model_sees(image: Image.Image, kind: str, profile: bytes) -> tuple[int, ...]:
    """One pixel of what a model gets, which has no profile any more."""
    out = io.BytesIO()
    image.save(out, kind, icc_profile=profile)
    data, _ = to_model_input(decode_picture(base64.b64encode(out.getvalue()).decode()))
    with Image.open(io.BytesIO(data)) as seen:
        assert "icc_profile" not in seen.info
        return tuple(int(value) for value in np.asarray(seen.convert("RGBA"))[10, 10])


@pytest.mark.parametrize(
    ("side", "mode", "kind"),
    [(40, "RGB", kind) for kind in ("JPEG", "WEBP", "AVIF")]
    + [(side, mode, "PNG") for side in (40, 2000) for mode in ("RGB", "RGBA", "P")],
)
def test_colour_profile_is_converted_before_a_model_sees_the_picture(side: int, mode: str, kind: str) -> None:
    seen = model_sees(Image.new("RGB", (side, side), "red").convert(mode), kind, swapped())
    assert seen[::2] == pytest.approx((0, 255), abs=6)


def test_transparency_outlives_the_colour_profile() -> None:
    half = Image.new("RGBA", (40, 40), (255, 0, 0, 128))
    assert model_sees(half, "PNG", swapped())[2:] == pytest.approx((255, 128), abs=2)
    assert model_sees(Image.new("LA", (40, 40), (128, 128)), "PNG", grey(1.0))[3] == 128


@pytest.mark.parametrize("side", [40, 2000])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_grey_profile_is_converted(side: int, kind: str) -> None:
    """Half the light is 188 of 255 in sRGB, and 128 to a reader that overlooks the profile."""
    seen = model_sees(Image.new("L", (side, side), 128), kind, grey(1.0))
    assert seen[:3] == pytest.approx((188, 188, 188), abs=3)


@pytest.mark.parametrize("side", [40, 2000])
def test_profile_of_four_inks_is_converted(side: int) -> None:
    """To a reader that overlooks the profile half of black is 127, and all of cyan is cyan."""
    black, cyan = (
        model_sees(Image.new("CMYK", (side, side), inks), "JPEG", four_inks())[:3]
        for inks in ((0, 0, 0, 128), (255, 0, 0, 0))
    )
    assert black == pytest.approx((163, 163, 163), abs=6)
    assert cyan == pytest.approx((255, 255, 255), abs=6)


@pytest.mark.parametrize(
    ("mode", "profile"), [("RGB", b"no profile at all"), ("RGB", four_inks()), ("CMYK", swapped())]
)
def test_profile_that_is_broken_or_of_other_colours_leaves_them_as_they_are(
    mode: str, profile: bytes
) -> None:
    picture = Image.new("RGB", (40, 40), "red").convert(mode)
    seen = model_sees(picture, "JPEG" if mode == "CMYK" else "PNG", profile)
    assert seen[:3] == pytest.approx((254, 0, 0), abs=2)


def test_model_output_with_a_colour_profile_becomes_a_png_without() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (40, 40), "red").save(out, "PNG", icc_profile=swapped())
    picture, _ = to_png(out.getvalue())
    with Image.open(io.BytesIO(picture.data)) as seen:
        assert "icc_profile" not in seen.info
        assert np.asarray(seen)[10, 10].tolist() == pytest.approx([0, 0, 255, 255], abs=4)


def sixteen_bits(kind: int, pixels: list[int], clear: list[int]) -> bytes:
    """A PNG of two pixels with 16 bits a channel; `clear` is the colour that counts as transparent."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        )

    head = struct.pack(">IIBBBBB", 2, 1, 16, kind, 0, 0, 0)
    row = b"\0" + struct.pack(f">{len(pixels)}H", *pixels)
    transparency = chunk(b"tRNS", struct.pack(f">{len(clear)}H", *clear)) if clear else b""
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + transparency + chunk(b"IDAT", zlib.compress(row))
        + chunk(b"IEND", b"")
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "pixels", "clear", "seen"),
    [
        (0, [0x8034, 0xFFFF], [], [[128, 128, 128], [255, 255, 255]]),
        (0, [0x8034, 0xFFFF], [0x8034], [[128, 128, 128, 0], [255, 255, 255, 255]]),
        (2, [0x8034, 0, 0, 0, 0xFFFF, 0], [], [[128, 0, 0], [0, 255, 0]]),
        (2, [0x8034, 0, 0, 0, 0xFFFF, 0], [0x8034, 0, 0], [[128, 0, 0, 0], [0, 255, 0, 255]]),
        (4, [0x8034, 0x4000, 0xFFFF, 0xFFFF], [], [[128, 128, 128, 64], [255, 255, 255, 255]]),
        (6, [0x8034, 0, 0, 0x4000, 0, 0xFFFF, 0, 0xFFFF], [], [[128, 0, 0, 64], [0, 255, 0, 255]]),
    ],
    ids=["grey", "grey, one shade clear", "RGB", "RGB, one colour clear", "grey and alpha", "RGBA"],
)
def test_sixteen_bits_a_channel_keep_their_shades_and_their_transparency(
    kind: int, pixels: list[int], clear: list[int], seen: list[list[int]]
) -> None:
    assert np.asarray(decode(open_picture(sixteen_bits(kind, pixels, clear)))).tolist() == [seen]
