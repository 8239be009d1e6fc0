"""Design pictures from words or photos: prompt, the model for the task, a clear ground, PNG."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from _shared.design_requests import PhotoRequest, TextRequest
from _shared.errors import ShopError, unavailable
from _shared.models import Models, Wish, inputs_for
from _shared.moderation import check_photo_request, check_text_request
from _shared.pictures import SLOTS, Picture, decode_picture, finished, for_artist
from _shared.prompts import is_lettered, keeps_background, photo_prompt, text_prompt

# below it a picture counts as filled to its edges: stray clear pixels are no ground
_CLEAR_ENOUGH = 0.01
# a cut-out that leaves less has lost its subject
_LEAST_SUBJECT = 0.02


def _any_seed() -> int:
    return secrets.randbelow(2**31)


@dataclass(frozen=True)
class Crew:
    """Who does what: models' names as "owner/name". `cutter` takes backgrounds away."""

    text: str
    lettering: str
    photo: str
    cutter: str


class Artist:
    """Draws from words and restyles photos."""

    def __init__(self, models: Models, crew: Crew, dice: Callable[[], int] = _any_seed) -> None:
        self._models = models
        self._crew = crew
        self._dice = dice

    def draw(self, ask: TextRequest) -> str:
        """Base64 PNG on a clear ground; 422 when our own list or the model refuses the idea."""
        check_text_request(ask)
        lettered = is_lettered(ask)
        model = self._crew.lettering if lettered else self._crew.text
        wish = Wish(text_prompt(ask), self._seed(ask.seed), is_lettered=lettered)
        return self._cut_out(*self._make(model, wish)).base64

    def restyle(self, ask: PhotoRequest) -> str:
        """Base64 PNG; 413 or 400 when the photo is too large or no picture, 422 when it is refused."""
        check_photo_request(ask)
        with SLOTS.slot():
            photo, media_type = for_artist(decode_picture(ask.image))
        address = self._models.hand_over(photo, media_type)
        wish = Wish(photo_prompt(ask), self._seed(ask.seed), address, bool(ask.typography))
        made, clear = self._make(self._crew.photo, wish)
        return (made if keeps_background(ask) else self._cut_out(made, clear)).base64

    def _seed(self, wished: int | None) -> int:
        # Asking again is asking for another picture, so without a wish each attempt gets a seed of its own.
        return self._dice() if wished is None else wished

    def _make(self, model: str, wish: Wish) -> tuple[Picture, float]:
        return self._read(self._models.picture(model, inputs_for(model, wish)))

    def _cut_out(self, picture: Picture, clear: float) -> Picture:
        """The image with a transparent background; unchanged if it has one, or if nothing would be left."""
        if clear > _CLEAR_ENOUGH:
            return picture
        address = self._models.hand_over(picture.data, "image/png")
        cut, cut_clear = self._read(self._models.picture(self._crew.cutter, {"image": address}))
        return cut if cut_clear < 1 - _LEAST_SUBJECT else picture

    def _read(self, output: bytes) -> tuple[Picture, float]:
        """The output as PNG, and the share of it that is clear."""
        try:
            with SLOTS.paid_slot():
                return finished(output)
        except ShopError as problem:  # a picture of ours that cannot be read is no mistake of the shopper's
            raise unavailable(
                "artist_unavailable", "Something went wrong generating the image. Please try again.", problem
            ) from problem
