"""The models that the shop can be set to use, and what each takes."""

import pytest
from _shared.designs.image_models import ImageRequest, UnknownModelError, inputs_for, longest_prompt

WORDS = ImageRequest("a cat", 7)
PHOTO = ImageRequest("a cat", 7, photo="https://files/cat.jpg")
DRAWERS = (
    "openai/gpt-image-1.5", "black-forest-labs/flux-kontext-pro", "black-forest-labs/flux-2-pro",
    "google/nano-banana-2", "black-forest-labs/flux-1.1-pro", "ideogram-ai/ideogram-v3-quality",
    "recraft-ai/recraft-v3",
)  # fmt: skip
EDITORS = DRAWERS[:4]


@pytest.mark.parametrize("model", DRAWERS)
def test_every_model_family_takes_the_prompt_and_returns_png(model: str) -> None:
    inputs = inputs_for(model, WORDS)
    assert inputs["prompt"] == "a cat"
    assert inputs.get("output_format", "png") == "png"


@pytest.mark.parametrize("model", EDITORS)
def test_photo_model_takes_the_photo(model: str) -> None:
    inputs = inputs_for(model, PHOTO)
    assert PHOTO.photo in [value[0] if isinstance(value, list) else value for value in inputs.values()]


@pytest.mark.parametrize("model", [*DRAWERS[4:], "somebody/something"])
def test_model_that_cannot_work_from_a_photo_is_refused_with_those_that_can(model: str) -> None:
    with pytest.raises(UnknownModelError, match="flux-kontext"):
        inputs_for(model, PHOTO)


def test_lettering_uses_high_quality() -> None:
    lettered = ImageRequest("a cat", 7, is_lettered=True)
    assert inputs_for("openai/gpt-image-1.5", lettered)["quality"] == "high"
    assert inputs_for("openai/gpt-image-1.5", WORDS)["quality"] == "medium"


def test_limit_of_a_prompt_is_known_where_there_is_one() -> None:
    assert [longest_prompt(model) for model in DRAWERS] == [None] * 6 + [1000]
