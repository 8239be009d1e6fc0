"""The prompt for every style and model: all that the shopper chose, and what a print needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from _shared.core.errors import ShopError
from _shared.designs.design_requests import MOODS, TEXT_STYLES, PhotoRequest, TextRequest
from _shared.designs.image_generation import ImageGenerator, ModelNames
from _shared.designs.images import decode_picture

from tests.shop.unit.functions.designs.test_image_generation import FakeModels, png
from tests.shop.unit.functions.designs.test_image_models import DRAWERS, EDITORS

PHOTO_STYLES = (
    "Caricature", "Cartoon", "Line art", "Pop art", "Watercolor", "Sketch", "Vintage", "Ghibli", "Stained glass",
)  # fmt: skip
PRINT = ("isolated", "no border", "no shirt", "no watermark")
LONG = "a fox in a raincoat riding a bicycle " * 48


def sent_from_words(model: str, **changes: object) -> str:
    request = {
        "prompt": 'A fox. Text to include: "Go on"', "style": "Sketch", "mood": "dark", "has_typography": True,
        "background_color_name": "Navy", "background_color_hex": "#1F2A44",
    }  # fmt: skip
    models = FakeModels(made=png(0.5))
    names = ModelNames(model, model, "none", "cut/out")
    ImageGenerator(models, names).from_text(TextRequest.model_validate(request | changes))
    return str(models.runs[0][1]["prompt"])


@pytest.mark.parametrize("idea", ["A fox", LONG])
@pytest.mark.parametrize("style", TEXT_STYLES)
@pytest.mark.parametrize("model", DRAWERS)
def test_prompt_for_words_holds_the_standard(model: str, style: str, idea: str) -> None:
    prompt = sent_from_words(model, prompt=f'{idea}. Text to include: "Go on"', style=style)
    lines = prompt.splitlines()
    labels = [line.partition(":")[0] for line in lines]
    assert labels[1:] == [
        "Idea", "Style", "Tone", "Shirt colour", "Lettering", "Look", "Palette", "Typography", "Print",
    ]  # fmt: skip
    assert lines[2:6] == [
        f"Style: {style}",
        "Tone: dark",
        "Shirt colour: Navy (#1F2A44)",
        'Lettering: "Go on"',
    ]
    assert all(rule in prompt for rule in PRINT)
    assert lines[-1].endswith("no watermark or signature")
    drawn = lines[1].removeprefix("Idea: ")
    if idea == LONG and "recraft" in model:
        assert 960 < len(prompt) <= 1000
        assert f"{idea} ".startswith(f"{drawn} ")
    else:
        assert drawn == idea.strip()


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("style", TEXT_STYLES)
def test_limit_leaves_room_for_an_idea_in_every_style_and_mood(style: str, mood: str) -> None:
    prompt = f'{LONG}. Text to include: "{"x" * 100}"'
    sent = sent_from_words(DRAWERS[-1], prompt=prompt, style=style, mood=mood, background_color_name="N" * 60)
    assert len(sent) <= 1000
    assert sent.splitlines()[1].startswith("Idea: a fox in a raincoat riding a bicycle")
    assert sent.endswith("no watermark or signature")


def test_word_that_never_ends_is_cut_within() -> None:
    sent = sent_from_words(DRAWERS[-1], prompt="x" * 1900, has_typography=False)
    assert len(sent) == 1000
    assert set(sent.splitlines()[1].removeprefix("Idea: ")) == {"x"}


def test_text_that_is_too_long_to_print_is_refused_rather_than_cut() -> None:
    with pytest.raises(ShopError) as caught:
        sent_from_words(DRAWERS[0], prompt=f'A fox. Text to include: "{"x" * 101}"')
    assert (caught.value.status, caught.value.code) == (400, "lettering_too_long")


@pytest.mark.parametrize("instructions", ["bigger ears", "keep the background"])
@pytest.mark.parametrize("style", PHOTO_STYLES)
@pytest.mark.parametrize("model", EDITORS)
def test_prompt_for_a_photo_holds_the_standard(
    picture: Callable[..., str], model: str, style: str, instructions: str
) -> None:
    request = PhotoRequest(
        style=style, instructions=instructions, typography="Go on",
        background_color_name="Navy", background_color_hex="#1F2A44",
    )  # fmt: skip
    models = FakeModels(made=png(0.5))
    ImageGenerator(models, ModelNames("none", "none", model, "cut/out")).from_photo(
        request, decode_picture(picture("JPEG"))
    )
    prompt = str(models.runs[0][1]["prompt"])
    lines = prompt.splitlines()
    assert lines[1:5] == [
        f"Style: {style}", f"Instructions: {instructions}", "Shirt colour: Navy (#1F2A44)", 'Lettering: "Go on"',
    ]  # fmt: skip
    keeps = "keep the background" in instructions
    assert [rule for rule in PRINT if rule in prompt] == list(PRINT[1:] if keeps else PRINT)
    assert lines[5].startswith("Look: ") and len(lines[5]) > 40
