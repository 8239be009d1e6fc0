"""Image generation: the model for the task, a transparent background, always PNG, a new seed for each attempt."""

import io
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from _shared.core.errors import ShopError
from _shared.designs.design_requests import PhotoRequest, TextRequest
from _shared.designs.image_generation import ImageGenerator, ModelNames
from _shared.designs.images import decode_picture
from _shared.designs.prompts import photo_prompt, text_prompt
from PIL import Image

MODEL_NAMES = ModelNames(
    "openai/gpt-image-1.5", "ideogram-ai/ideogram-v3-turbo", "black-forest-labs/flux-kontext-pro", "cut/out"
)
WORDS = TextRequest(
    prompt="A cat", style="Sketch", mood="dark", background_color_name="Black", background_color_hex="#1A1A1A"
)
LETTERED = WORDS.model_copy(update={"prompt": 'A cat. Text to include: "Meow"', "has_typography": True})


def png(clear: float, kind: str = "PNG") -> bytes:
    """A picture of 100 × 10 pixels, its left part transparent."""
    image = Image.new("RGBA", (100, 10), "red")
    image.paste((0, 0, 0, 0), (0, 0, int(100 * clear), 10))
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


class FakeModels:
    """Returns prepared bytes for each model; the address of an upload names its media type."""

    def __init__(self, **outputs: bytes) -> None:
        self.runs: list[tuple[str, dict[str, Any]]] = []
        self._outputs = outputs

    def upload(self, picture: bytes, media_type: str) -> str:
        assert picture
        return f"address of {media_type}"

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        self.runs.append((model, dict(inputs)))
        return self._outputs["cut" if model == MODEL_NAMES.cutout else "made"]

    @property
    def models(self) -> list[str]:
        return [model for model, _ in self.runs]


def generator(models: FakeModels) -> ImageGenerator:
    seeds = iter(range(100, 200))
    return ImageGenerator(models, MODEL_NAMES, lambda: next(seeds))


def photo(instructions: str = "") -> PhotoRequest:
    return PhotoRequest(
        style="Pop art",
        instructions=instructions,
        background_color_name="White",
        background_color_hex="#FFFFFF",
    )


def test_text_request_uses_the_transparent_model() -> None:
    models = FakeModels(made=png(0.5))
    assert generator(models).from_text(WORDS).data == png(0.5)
    ((model, inputs),) = models.runs
    assert model == MODEL_NAMES.text
    assert (inputs["prompt"], inputs["seed"]) == (text_prompt(WORDS), 100)
    assert (inputs["background"], inputs["quality"]) == ("transparent", "medium")


def test_lettering_uses_its_model_and_loses_the_background() -> None:
    models = FakeModels(made=png(0), cut=png(0.4))
    assert generator(models).from_text(LETTERED).data == png(0.4)
    assert models.models == [MODEL_NAMES.lettering, MODEL_NAMES.cutout]
    assert models.runs[1][1] == {"image": "address of image/png"}


def test_each_attempt_has_a_new_seed_unless_one_is_requested() -> None:
    models = FakeModels(made=png(0.5))
    drawing = generator(models)
    for request in (WORDS, WORDS, WORDS.model_copy(update={"seed": 7})):
        drawing.from_text(request)
    assert [inputs["seed"] for _, inputs in models.runs] == [100, 101, 7]


def test_photo_request_uses_the_photo_model(picture: Callable[..., str]) -> None:
    models = FakeModels(made=png(0), cut=png(0.3))
    request = photo()
    assert generator(models).from_photo(request, decode_picture(picture("JPEG"))).data == png(0.3)
    (model, inputs), (cutout, _) = models.runs
    assert (model, cutout, inputs["prompt"]) == (MODEL_NAMES.photo, MODEL_NAMES.cutout, photo_prompt(request))
    assert inputs["input_image"] == "address of image/jpeg"


def test_requested_background_stays(picture: Callable[..., str]) -> None:
    models = FakeModels(made=png(0), cut=png(0.3))
    request = photo("keep the background please")
    assert generator(models).from_photo(request, decode_picture(picture("JPEG"))).data == png(0)
    assert models.models == [MODEL_NAMES.photo]


def test_cut_out_that_lost_its_subject_is_not_used() -> None:
    assert generator(FakeModels(made=png(0), cut=png(0.99))).from_text(LETTERED).data == png(0)


def test_other_output_formats_become_png() -> None:
    made = generator(FakeModels(made=png(0.5, "WEBP"))).from_text(WORDS)
    with Image.open(io.BytesIO(made.data)) as image:
        assert (image.format, image.size) == (made.format, (made.width, made.height)) == ("PNG", (100, 10))


def test_unreadable_model_output_is_a_vendor_error() -> None:
    with pytest.raises(ShopError) as caught:
        generator(FakeModels(made=b"<html>")).from_text(WORDS)
    assert (caught.value.status, caught.value.code) == (502, "artist_unavailable")
