"""What Chromium shows of a scene is what is printed: random scenes, their SVG drawn by it against their print files.

Edges lie at most a pixel apart; elsewhere, two pixels and more from any edge, the colours of 99.9 % of pixels look
alike (CIEDE2000 up to 1); photographs are made four times smaller first. Where a model enlarges a photograph for print,
Chromium is shown what the model made.
"""

from __future__ import annotations

import base64
import functools
import io
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from _shared.designs.images import SLOTS, Picture, open_picture
from _shared.scene.layer_svg import Drawn, Href
from _shared.scene.lettering import outline
from _shared.scene.pictures import prepare
from _shared.scene.print_side import make_side
from _shared.scene.scene import DESIGN, Layer, LetteringLayer, PictureLayer, Scene
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.shop.integration.scene.color_difference import difference, lab
from tests.support.browser import FLAGS, find_browser
from tests.support.random_cases import TIMES
from tests.support.stacks import ROOT
from tools.scene.examples import AREA, random_scene, side_svg

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
QUARTER, FULL = (1125, 1275), (4500, 5100)


def has_photo(scene: Scene) -> bool:
    return any(isinstance(layer, PictureLayer) and layer.source == DESIGN for layer in scene.front)


# an ordinary run takes one of paths alone, and two with photographs: one turned, one upright and made much smaller
QUARTERS, FULLS = (range(1, 481), range(20)) if TIMES > 1 else ((1, 86, 360), ())
# of those with a photograph
ENLARGED = [seed for seed in range(1, 200) if has_photo(random_scene(seed))][: 60 if TIMES > 1 else 2]


@functools.cache
def photo_of(width: int) -> Picture:
    out = io.BytesIO()
    with Image.open(ROOT / "tests" / "support" / "photos" / "coffee.jpg") as small:
        small.resize((width, width * 2 // 3), Image.Resampling.LANCZOS).save(out, "PNG", compress_level=1)
    return open_picture(out.getvalue())


# large enough for a quarter of the print size, and too small for nearly every place
PHOTO, SMALL_PHOTO = 1800, 321
DRAWING = Picture(
    b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="70" viewBox="0 0 100 70">'
    b'<circle cx="50" cy="35" r="34" fill="#e06020"/><path d="M30 50L50 10L70 50Z" fill="#205080"/></svg>',
    "SVG",
    100,
    70,
)
_NEIGHBOURS = np.ones((3, 3), np.uint8)


def data_address(picture: Picture) -> str:
    kind = "image/svg+xml" if picture is DRAWING else "image/png"
    return f"data:{kind};base64,{picture.base64}"


def flat_address(picture: Picture, number: int) -> str:
    """A picture of one colour, in which only its own edges are edges; the next number has another."""
    if picture is DRAWING:
        return data_address(picture)
    out = io.BytesIO()
    Image.new("RGB", (picture.width // 8, picture.height // 8), (90 + 20 * number, 127, 126)).save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def enlarge(picture: Image.Image, factor: float) -> Image.Image:
    size = (round(picture.width * factor), round(picture.height * factor))
    return picture.resize(size, Image.Resampling.BILINEAR)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that has shown nothing: Chromium makes a picture smaller from a smaller one that it has kept."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def in_browser(layer: Layer, number: int, photo: Picture, width: int, flat: bool) -> tuple[Layer, Drawn]:
    """The layer and what the browser draws it with, `flat` without a photograph's own edges."""
    if isinstance(layer, LetteringLayer):
        return layer, outline(layer)
    if not isinstance(layer, PictureLayer):
        return layer, None
    picture = photo if layer.source == DESIGN else DRAWING
    if flat:
        return layer, Href(flat_address(picture, number), picture.height / picture.width)
    with SLOTS.slot():
        prepared = prepare(layer, picture, AREA, width, enlarge)[0]
    whole = layer.crop.width if layer.crop else 1
    if picture is photo and prepared.image.width > photo.width * whole + 2:
        out = io.BytesIO()
        prepared.image.convert("RGB").save(out, "PNG", compress_level=1)
        address = "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()
        return prepared.layer, Href(address, prepared.ratio)
    return layer, Href(data_address(picture), picture.height / picture.width)


def shown(page: Page, scene: Scene, size: tuple[int, int], photo: Picture, flat: bool = False) -> Pixels:
    """The front as Chromium draws it, on nothing."""
    width, height = size
    drawn = [in_browser(layer, number, photo, width, flat) for number, layer in enumerate(scene.front)]
    ways = {layer.id: way for layer, way in drawn}
    svg = side_svg([layer for layer, _ in drawn], lambda layer: ways[layer.id])
    svg = svg.replace("<svg ", f'<svg style="width:{width}px;height:{height}px" ', 1)
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(f"<style>*{{margin:0;background:none}}svg{{display:block}}</style>{svg}")
    page.evaluate("Promise.all([...document.querySelectorAll('image')].map((each) => each.decode()))")
    return np.array(Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA"))


def printed(scene: Scene, size: tuple[int, int], photo: Picture) -> Pixels:
    """The front's print file, laid on its area."""
    canvas = Image.new("RGBA", size)
    file = make_side(scene, "front", size, lambda source: photo if source == DESIGN else DRAWING, enlarge)
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


def compare(page: Page, scene: Scene, size: tuple[int, int], photo: Picture) -> tuple[bool, float]:
    """Whether edges lie at most a pixel apart, and the share of the other pixels that look alike."""
    view, file = shown(page, scene, size, photo), printed(scene, size, photo)
    # a hair thinner than a pixel is ink or none as its half falls
    ink = file[..., 3] > 0
    near = not (ink & ~spread(view[..., 3] >= 96, 1)).any()
    near = near and not ((view[..., 3] >= 160) & ~spread(ink, 1)).any()
    photos = has_photo(scene)
    borders = edges(shown(page, scene, size, photo, flat=True) if photos else view)
    calm = ink & ~spread(borders, 2)
    if not photos:
        return near, alike(view, file, calm)
    height, width = (side // 4 * 4 for side in calm.shape)
    blocks = calm[:height, :width].reshape(height // 4, 4, width // 4, 4).all(axis=(1, 3))
    return near, alike(smaller(view), smaller(file), np.asarray(blocks))


@pytest.mark.parametrize(
    ("seed", "size"),
    [*((seed, QUARTER) for seed in QUARTERS), *((seed, FULL) for seed in FULLS)],
)
def test_random_scene_is_printed_as_chromium_shows_it(page: Page, seed: int, size: tuple[int, int]) -> None:
    near, share = compare(page, random_scene(seed), size, photo_of(PHOTO))
    assert near
    assert share >= 0.999


@pytest.mark.parametrize("seed", ENLARGED)
def test_enlarged_photograph_is_printed_as_chromium_shows_what_the_model_made(page: Page, seed: int) -> None:
    near, share = compare(page, random_scene(seed), QUARTER, photo_of(SMALL_PHOTO))
    assert near
    assert share >= 0.999
