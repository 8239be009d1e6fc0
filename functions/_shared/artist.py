"""Design pictures from words or photos: prompt, model, PNG."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Protocol

from _shared.errors import ShopError, unavailable
from _shared.pictures import as_png, decode_picture, for_artist, open_picture
from _shared.prompts import PhotoRequest, TextRequest, photo_prompt, text_prompt


def _any_seed() -> int:
    return secrets.randbelow(2**31)


class Models(Protocol):
    """`Replicate.picture`."""

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes: ...


class Artist:
    """Two models: one draws from words on a transparent ground, one restyles a photo."""

    def __init__(
        self, models: Models, text_model: str, photo_model: str, dice: Callable[[], int] = _any_seed
    ) -> None:
        self._models = models
        self._text_model = text_model
        self._photo_model = photo_model
        self._dice = dice

    def draw(self, ask: TextRequest) -> str:
        """Base64 PNG."""
        inputs: dict[str, object] = {
            "prompt": text_prompt(ask),
            "aspect_ratio": "1:1",
            "background": "transparent",
            "output_format": "png",
            "quality": "medium",
            "number_of_images": 1,
        }
        return self._run(self._text_model, inputs, ask.seed)

    def restyle(self, ask: PhotoRequest) -> str:
        """Base64 PNG; 413 or 400 when the photo is too large or no picture."""
        inputs: dict[str, object] = {
            "prompt": photo_prompt(ask),
            "input_image": for_artist(decode_picture(ask.image)),
            "aspect_ratio": "match_input_image",
            "output_format": "png",
        }
        return self._run(self._photo_model, inputs, ask.seed)

    def _run(self, model: str, inputs: dict[str, object], seed: int | None) -> str:
        # Asking again is asking for another picture, so without a wish each attempt gets a seed of its own.
        inputs["seed"] = self._dice() if seed is None else seed
        output = self._models.picture(model, inputs)
        try:
            return as_png(open_picture(output)).base64
        except ShopError as problem:  # a picture of ours that cannot be read is no mistake of the shopper's
            raise unavailable(
                "artist_unavailable", "Something went wrong generating the image.", problem
            ) from problem
