"""Wishes that the sample artist cannot meet, from the shopper's words to the response: once, at no cost, and why."""

from __future__ import annotations

import pytest

from tests.shop.integration.functions.conftest import Functions, png
from tests.support.users import Person, Users

WORDS = {
    "prompt": "A fox",
    "style": "Cartoon",
    "mood": "bold",
    "background_color_name": "White",
    "background_color_hex": "#FFFFFF",
}
PHOTO = {
    "image": png((300, 200), "#0a0"),
    "style": "Sketch",
    "background_color_name": "White",
    "background_color_hex": "#FFFFFF",
}


@pytest.fixture(scope="module")
def polyglot(users: Users) -> Person:
    return users.new("polyglot")


def counted(functions: Functions, person: Person) -> list[dict[str, object]]:
    return functions.sql("select 1 from private.usage_events where user_id = %s", person.id)


@pytest.mark.parametrize(
    ("slug", "body", "code"),
    [
        ("generate-design-image", WORDS | {"prompt": "un chat qui danse sous la pluie"}, "idea_not_english"),
        ("generate-design-image", WORDS | {"prompt": "雨の中で踊る猫"}, "idea_not_english"),
        ("edit-design-image", PHOTO | {"instructions": "ohne den Hintergrund bitte"}, "idea_not_english"),
        (
            "generate-design-image",
            WORDS | {"prompt": 'A fox. Text to include: "Hi 𓀀"', "has_typography": True},
            "lettering_not_drawable",
        ),
        ("edit-design-image", PHOTO | {"typography": "𓀀"}, "lettering_not_drawable"),
    ],
)
def test_refusal_is_an_answer_of_one_attempt(
    functions: Functions, polyglot: Person, slug: str, body: dict[str, object], code: str
) -> None:
    before = len(functions.predictions())
    assert functions.error_of(slug, body, polyglot.token) == (422, code)
    assert len(functions.predictions()) == before + 1
    assert counted(functions, polyglot) == []


def test_moderation_reads_other_languages_before_the_artist_does(
    functions: Functions, polyglot: Person
) -> None:
    before = functions.predictions()
    for idea in ("une femme nue sous la pluie", "裸の女", "голая женщина на велосипеде"):
        body = WORDS | {"prompt": idea}
        assert functions.error_of("generate-design-image", body, polyglot.token) == (422, "prompt_refused")
    assert functions.predictions() == before


def test_text_in_another_script_is_drawn(functions: Functions, polyglot: Person) -> None:
    body = WORDS | {"prompt": 'A fox. Text to include: "مرحبا 日本"', "has_typography": True}
    functions.body_of("generate-design-image", body, polyglot.token)
