"""What Chromium shows of a scene is what is printed: random scenes, their SVG drawn by it against their print files.

Edges lie at most a pixel apart; elsewhere, two pixels and more from any edge, the colours of 99.9 % of pixels look
alike (CIEDE2000 up to 1), those of photographs after making both four times smaller.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from _shared.designs.images import Picture, open_picture
from _shared.scene.layer_svg import Drawn, Href
from _shared.scene.lettering import outline
from _shared.scene.print_side import make_side
from _shared.scene.scene import DESIGN, Layer, LetteringLayer, PictureLayer, Scene
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.shop.integration.scene.color_difference import difference, lab
from tests.support.browser import FLAGS, find_browser
from tests.support.random_cases import TIMES
from tests.support.stacks import ROOT
from tools.scene.examples import random_scene, side_svg

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
QUARTER, FULL = (1125, 1275), (4500, 5100)
QUARTERS, FULLS = (480, 20) if TIMES > 1 else (3, 0)


def _photo() -> Picture:
    """Large enough for a quarter of the print size: what is enlarged is redrawn by a model, and looks different."""
    out = io.BytesIO()
    with Image.open(ROOT / "tests" / "support" / "photos" / "coffee.jpg") as small:
        small.resize((1800, 1200), Image.Resampling.LANCZOS).save(out, "PNG", compress_level=1)
    return open_picture(out.getvalue())


PHOTO = _photo()
DRAWING = Picture(
    b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="70" viewBox="0 0 100 70">'
    b'<circle cx="50" cy="35" r="34" fill="#e06020"/><path d="M30 50L50 10L70 50Z" fill="#205080"/></svg>',
    "SVG",
    100,
    70,
)
_NEIGHBOURS = np.ones((3, 3), np.uint8)


def pictures(source: str) -> Picture:
    return PHOTO if source == DESIGN else DRAWING


def data_address(picture: Picture) -> str:
    kind = "image/svg+xml" if picture is DRAWING else "image/png"
    return f"data:{kind};base64,{picture.base64}"


def flat_address(picture: Picture) -> str:
    """A picture of one colour, in which only its own edges are edges."""
    if picture is DRAWING:
        return data_address(picture)
    out = io.BytesIO()
    Image.new("RGB", (picture.width // 8, picture.height // 8), "#807f7e").save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def enlarge(picture: Image.Image, factor: float) -> Image.Image:
    size = (round(picture.width * factor), round(picture.height * factor))
    return picture.resize(size, Image.Resampling.BILINEAR)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield browser.new_page()
        browser.close()


def shown(page: Page, scene: Scene, size: tuple[int, int], flat: bool = False) -> Pixels:
    """The front as Chromium draws it, on nothing."""

    def drawn_of(layer: Layer) -> Drawn:
        match layer:
            case PictureLayer():
                picture = pictures(layer.source)
                address = flat_address(picture) if flat else data_address(picture)
                return Href(address, picture.height / picture.width)
            case LetteringLayer():
                return outline(layer)
        return None

    width, height = size
    svg = side_svg(scene.front, drawn_of).replace(
        "<svg ", f'<svg style="width:{width}px;height:{height}px" ', 1
    )
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(f"<style>*{{margin:0;background:none}}svg{{display:block}}</style>{svg}")
    page.evaluate("Promise.all([...document.querySelectorAll('image')].map((each) => each.decode()))")
    return np.array(Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA"))


def printed(scene: Scene, size: tuple[int, int]) -> Pixels:
    """The front's print file, laid on its area."""
    canvas = Image.new("RGBA", size)
    file = make_side(scene, "front", size, pictures, enlarge)
    if file:
        ink = Image.open(io.BytesIO(file.picture.data))
        left = round(file.x * size[0] - ink.width / 2)
        canvas.paste(ink, (left, round(file.y * size[1] - ink.height / 2)))
    return np.array(canvas)


def spread(mask: Mask, by: int) -> Mask:
    return cv2.dilate(mask.astype(np.uint8), _NEIGHBOURS, iterations=by) > 0


def edges(pixels: Pixels) -> Mask:
    """Where neighbours differ."""
    least, most = cv2.erode(pixels, _NEIGHBOURS), cv2.dilate(pixels, _NEIGHBOURS)
    return np.asarray((most.astype(int) - least).max(axis=2) > 2)


def smaller(pixels: Pixels) -> Pixels:
    height, width = (side // 4 * 4 for side in pixels.shape[:2])
    return np.array(Image.fromarray(pixels[:height, :width, :3]).reduce(4))


def alike(one: Pixels, other: Pixels, where: Mask) -> float:
    """The share of the pixels `where` that look alike."""
    pairs = np.concatenate([one[where][:, :3], other[where][:, :3]], axis=1)
    if not len(pairs):
        return 1.0
    unique, counts = np.unique(pairs, axis=0, return_counts=True)
    return float(counts[difference(lab(unique[:, :3]), lab(unique[:, 3:])) <= 1].sum() / counts.sum())


@pytest.mark.parametrize(
    ("seed", "size"),
    [*((seed, QUARTER) for seed in range(1, QUARTERS + 1)), *((seed, FULL) for seed in range(FULLS))],
)
def test_random_scene_is_printed_as_chromium_shows_it(page: Page, seed: int, size: tuple[int, int]) -> None:
    scene = random_scene(seed)
    view, file = shown(page, scene, size), printed(scene, size)
    # a hair thinner than a pixel is ink or none as its half falls
    ink = file[..., 3] > 0
    assert not (ink & ~spread(view[..., 3] >= 96, 1)).any()
    assert not ((view[..., 3] >= 160) & ~spread(ink, 1)).any()
    photos = any(isinstance(layer, PictureLayer) and layer.source == DESIGN for layer in scene.front)
    borders = edges(shown(page, scene, size, flat=True) if photos else view)
    calm = ink & ~spread(borders, 2)
    if photos:
        height, width = (side // 4 * 4 for side in calm.shape)
        blocks = calm[:height, :width].reshape(height // 4, 4, width // 4, 4).all(axis=(1, 3))
        assert alike(smaller(view), smaller(file), np.asarray(blocks)) >= 0.999
    else:
        assert alike(view, file, calm) >= 0.999
