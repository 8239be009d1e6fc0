"""The artist: the right model, the right inputs, always a PNG, and another picture at every attempt."""

import base64
import io
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from _shared.artist import Artist
from _shared.errors import ShopError
from _shared.prompts import PhotoRequest, TextRequest, photo_prompt, text_prompt
from PIL import Image

WORDS = TextRequest(
    prompt="A cat", style="Sketch", mood="dark", background_color_name="Black", background_color_hex="#1A1A1A"
)


class ModelsStandIn:
    """Answers every run with the same bytes."""

    def __init__(self, output: bytes) -> None:
        self.runs: list[tuple[str, dict[str, Any]]] = []
        self._output = output

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        self.runs.append((model, dict(inputs)))
        return self._output


def artist(models: ModelsStandIn) -> Artist:
    seeds = iter(range(100, 200))
    return Artist(models, "openai/gpt-image-1.5", "black-forest-labs/flux-kontext-pro", lambda: next(seeds))


def bytes_of(picture: Callable[..., str], kind: str) -> bytes:
    return base64.b64decode(picture(kind))


def test_words_go_to_the_model_that_draws_on_nothing(picture: Callable[..., str]) -> None:
    models = ModelsStandIn(bytes_of(picture, "PNG"))
    assert artist(models).draw(WORDS) == picture("PNG")
    assert models.runs == [
        (
            "openai/gpt-image-1.5",
            {
                "prompt": text_prompt(WORDS),
                "aspect_ratio": "1:1",
                "background": "transparent",
                "output_format": "png",
                "quality": "medium",
                "number_of_images": 1,
                "seed": 100,
            },
        )
    ]


def test_every_attempt_is_another_picture_unless_a_seed_is_asked_for(picture: Callable[..., str]) -> None:
    models = ModelsStandIn(bytes_of(picture, "PNG"))
    drawing = artist(models)
    for ask in (WORDS, WORDS, WORDS.model_copy(update={"seed": 7})):
        drawing.draw(ask)
    assert [inputs["seed"] for _, inputs in models.runs] == [100, 101, 7]


def test_a_photo_goes_to_the_model_that_restyles(picture: Callable[..., str]) -> None:
    models = ModelsStandIn(bytes_of(picture, "PNG"))
    ask = PhotoRequest(
        image=picture("JPEG"), style="Pop art", background_color_name="White", background_color_hex="#FFFFFF"
    )
    assert artist(models).restyle(ask) == picture("PNG")
    ((model, inputs),) = models.runs
    assert (model, inputs["prompt"]) == ("black-forest-labs/flux-kontext-pro", photo_prompt(ask))
    assert inputs["input_image"].startswith("data:image/jpeg;base64,")


def test_other_formats_leave_as_png(picture: Callable[..., str]) -> None:
    answer = artist(ModelsStandIn(bytes_of(picture, "WEBP"))).draw(WORDS)
    with Image.open(io.BytesIO(base64.b64decode(answer))) as image:
        assert (image.format, image.size) == ("PNG", (40, 20))


def test_a_models_broken_picture_is_not_the_shoppers_mistake() -> None:
    with pytest.raises(ShopError) as caught:
        artist(ModelsStandIn(b"<html>")).draw(WORDS)
    assert (caught.value.status, caught.value.code) == (502, "artist_unavailable")
