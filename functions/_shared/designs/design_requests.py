"""Validated image requests: the bodies of generate-design-image and edit-design-image."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from _shared.core.visible_text import Cleaned

TEXT_STYLES = (
    "Realistic photo", "Cartoon", "Sketch", "Watercolor", "Minimalist",
    "Vintage", "Abstract", "Doodle", "Line art", "Caricature",
)  # fmt: skip
MOODS = ("colorful", "bold", "pastel", "muted", "monochrome", "earthy", "dark", "bright", "elegant")

LONGEST_TYPOGRAPHY = 100

_Hex = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^#[0-9A-Fa-f]{6}$")]
_ColorName = Annotated[str, Cleaned, StringConstraints(min_length=1, max_length=60)]


def _option(value: Any, options: tuple[str, ...]) -> str:
    for option in options:
        if isinstance(value, str) and value.strip().lower() == option.lower():
            return option
    raise ValueError(f"is not one of: {', '.join(options)}")


class TextRequest(BaseModel):
    """generate-design-image's body. `prompt` is the idea, perhaps with a 'Text to include' sentence.

    With a `job_id` the picture is made as a job: the same id again joins it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    prompt: Annotated[str, Cleaned, StringConstraints(min_length=1, max_length=2000)]
    style: str
    mood: str
    background_color_name: _ColorName
    background_color_hex: _Hex
    has_typography: bool = False
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    job_id: UUID | None = None

    @field_validator("style", mode="before")
    @classmethod
    def _style(cls, value: Any) -> str:
        return _option(value, TEXT_STYLES)

    @field_validator("mood", mode="before")
    @classmethod
    def _mood(cls, value: Any) -> str:
        return _option(value, MOODS)


class PhotoRequest(BaseModel):
    """edit-design-image's body, besides the photo. `style` is one of the form's, or the shopper's words for Other."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    style: Annotated[str, Cleaned, StringConstraints(min_length=1, max_length=200)]
    instructions: Annotated[str, Cleaned, StringConstraints(max_length=1000)] | None = None
    typography: Annotated[str, Cleaned, StringConstraints(max_length=LONGEST_TYPOGRAPHY)] | None = None
    background_color_name: _ColorName
    background_color_hex: _Hex
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    job_id: UUID | None = None
