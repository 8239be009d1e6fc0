"""Design pictures from words or photos: prompt, the model for the task, a transparent background, PNG."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from _shared.core.errors import ShopError, unavailable
from _shared.designs.design_requests import PhotoRequest, TextRequest
from _shared.designs.image_models import ImageModels, ImageRequest, inputs_for, longest_prompt
from _shared.designs.images import SLOTS, Picture, to_model_input, to_png
from _shared.designs.moderation import check_photo_request, check_text_request
from _shared.designs.prompts import is_lettered, keeps_background, photo_prompt, text_prompt

# below it a picture counts as filled to its edges: stray transparent pixels are no background
_LEAST_TRANSPARENT = 0.01
# if less of the image is left, the cut-out has lost its subject
_LEAST_SUBJECT = 0.02


def random_seed() -> int:
    """A seed that all models take."""
    return secrets.randbelow(2**31)


def prepare_photo(photo: Picture) -> tuple[bytes, str]:
    """A shopper's photo as a model takes it, and its media type; 400 where it is damaged."""
    with SLOTS.slot():
        return to_model_input(photo)


@dataclass(frozen=True)
class ModelNames:
    """The models of each task, as "owner/name"; `cutout` removes backgrounds."""

    text: str
    lettering: str
    photo: str
    cutout: str


class ImageGenerator:
    """Generates images from text and from photos."""

    def __init__(
        self, models: ImageModels, model_names: ModelNames, new_seed: Callable[[], int] = random_seed
    ) -> None:
        self._models = models
        self._model_names = model_names
        self._new_seed = new_seed

    def from_text(self, request: TextRequest) -> Picture:
        """PNG with a transparent background.

        422 when our own list or the model refuses the idea, 400 for text beyond 100 letters.
        """
        check_text_request(request)
        lettered = is_lettered(request)
        model = self._model_names.lettering if lettered else self._model_names.text
        prompt = text_prompt(request, longest_prompt(model))
        image_request = ImageRequest(prompt, self._seed(request.seed), is_lettered=lettered)
        return self._cut_out(*self._run_model(model, image_request))

    def from_photo(self, request: PhotoRequest, photo: Picture) -> Picture:
        """PNG; 400 where the photo is damaged, 422 where the words are refused."""
        check_photo_request(request)
        return self.restyle(request, *prepare_photo(photo))

    def restyle(self, request: PhotoRequest, photo: bytes, media_type: str) -> Picture:
        """As `from_photo`, of a photo that was prepared."""
        address = self._models.upload(photo, media_type)
        image_request = ImageRequest(
            photo_prompt(request), self._seed(request.seed), address, bool(request.typography)
        )
        image, transparent_share = self._run_model(self._model_names.photo, image_request)
        return image if keeps_background(request) else self._cut_out(image, transparent_share)

    def _seed(self, requested_seed: int | None) -> int:
        # A repeated request is one for another picture: without a seed in it, each attempt gets a new one.
        return self._new_seed() if requested_seed is None else requested_seed

    def _run_model(self, model: str, image_request: ImageRequest) -> tuple[Picture, float]:
        return self._read(self._models.picture(model, inputs_for(model, image_request)))

    def _cut_out(self, picture: Picture, transparent_share: float) -> Picture:
        """The image with a transparent background; unchanged if it has one, or if nothing would be left."""
        if transparent_share > _LEAST_TRANSPARENT:
            return picture
        address = self._models.upload(picture.data, "image/png")
        cutout, cut_share = self._read(self._models.picture(self._model_names.cutout, {"image": address}))
        return cutout if cut_share < 1 - _LEAST_SUBJECT else picture

    def _read(self, output: bytes) -> tuple[Picture, float]:
        """The output as PNG, and the share of it that is transparent."""
        try:
            with SLOTS.paid_slot():
                return to_png(output)
        except ShopError as problem:  # not the shopper's error: the model's output cannot be read
            raise unavailable(
                "artist_unavailable", "Something went wrong generating the image. Please try again.", problem
            ) from problem
