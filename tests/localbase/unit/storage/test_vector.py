"""storage.images.vector: SVG documents as pixels, with nothing from outside them."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from localbase.storage.images.vector import drawn, is_svg
from PIL import Image

_NAMESPACES = b"xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"


def svg(inside: bytes = b"", attributes: bytes = b"width='20' height='10'") -> bytes:
    return b"<svg %b %b>%b</svg>" % (_NAMESPACES, attributes, inside)


@pytest.mark.parametrize(
    "data",
    [
        b"<svg/>",
        b"\xef\xbb\xbf <?xml version='1.0'?>\n<!-- a --><!DOCTYPE svg PUBLIC 'a' 'b'>\n<svg width='1'>",
        b"<s:svg xmlns:s='http://www.w3.org/2000/svg'/>",
    ],
)
def test_document_is_recognised_by_its_beginning(data: bytes) -> None:
    assert is_svg(data)


@pytest.mark.parametrize(
    "data", [b"", b"<svgs/>", b"<html><svg/></html>", b"svg", b"<!--" * 2000, b" " * 5000 + b"<svg/>"]
)
def test_other_files_are_none(data: bytes) -> None:
    assert not is_svg(data)


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        (b"width='20' height='10'", (20, 10)),
        (b"width='1in' height='2in'", (96, 192)),
        (b"viewBox='0 0 30 60'", (30, 60)),
        (b"width='10' viewBox='0,0,30,60'", (10, 20)),
        (b"width='100%' height='50%' viewBox='0 0 8 4'", (8, 4)),
        (b"", (100, 100)),
        (b"width='1e9' height='nan'", (100, 100)),
        (b"width='999999999' height='999999999'", (50, 50)),
        (b"width='999999999' height='1'", (50, 1)),
        (b"width='0' height='0' viewBox='0 0 0 0'", (100, 100)),
    ],
    ids=str,
)
def test_size_is_the_documents_own_within_the_limit(attributes: bytes, size: tuple[int, int]) -> None:
    limit = 50 if b"999999999" in attributes else 4000
    assert drawn(svg(attributes=attributes), limit).size == size


def test_nothing_from_outside_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "secret.png"
    Image.new("RGB", (20, 10), "red").save(file)
    for reference in (str(file), file.as_uri(), "../secret.png", f"data:image/svg+xml,{file}", f" {file}"):
        for name in (b"href", b"xlink:href"):
            picture = drawn(svg(b"<image width='20' height='10' %b='%b'/>" % (name, reference.encode())), 100)
            assert picture.getchannel("A").getextrema() == (0, 0), reference


def test_picture_within_the_document_is_drawn() -> None:
    out = io.BytesIO()
    Image.new("RGB", (20, 10), "red").save(out, "PNG")
    reference = b"data:image/png;base64," + base64.b64encode(out.getvalue())
    picture = drawn(svg(b"<image width='20' height='10' xlink:href='%b'/>" % reference), 100)
    assert picture.getpixel((10, 5)) == (255, 0, 0, 255)


@pytest.mark.parametrize(
    "data",
    [
        b"<svg",
        b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>",
        b"<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg><text>&a;</text></svg>",
        b"<svg>" + b"<g>" * 50_000 + b"</g>" * 50_000 + b"</svg>",
        b"<?xml version='1.0' encoding='no-such'?><svg/>",
    ],
    ids=["open", "entity", "external entity", "deep", "encoding"],
)
def test_document_that_cannot_be_drawn_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        drawn(data, 100)
