"""The local artist's reading of prompts and ideas: things, numbers, colours, relations, lettering."""

from __future__ import annotations

import pytest

from emulators.artist import Brief, draw, read_brief
from emulators.artist.lexicon import ACTIVITIES, SYNONYMS, emoji_in_words, stem
from tests.shop.unit.emulators.drawings import ASSETS, cast, icons

PROMPT = (
    "T-shirt print design, isolated on a transparent background.\nIdea: two red foxes under the moon\n"
    'Style: Vintage\nTone: earthy\nShirt colour: Navy (#1F2A44)\nLettering: "Night shift"'
)
FOXES = Brief("two red foxes under the moon", "vintage", "earthy", "#1F2A44", "Night shift", 7, "Vintage")


def names(idea: str) -> list[str]:
    return [actor.icon.partition(":")[2] for actor in cast(idea).actors]


def test_labelled_lines_of_a_prompt_are_read() -> None:
    assert read_brief(PROMPT, 7) == FOXES


def test_lines_with_other_labels_are_no_part_of_the_idea() -> None:
    noted = PROMPT.replace("\nStyle:", "\nDesign brief: bold shapes, a dragon\nmore of the brief\nStyle:")
    assert read_brief(noted, 7) == FOXES


def test_plain_sentence_is_an_idea_with_style_and_mood() -> None:
    brief = read_brief("a watercolor design of a penguin in pastel colours", 1)
    assert (brief.style, brief.mood) == ("watercolor", "pastel")
    assert names(brief.idea) == ["penguin"]


@pytest.mark.parametrize(
    ("idea", "rest", "lettering"),
    [
        ('a dog. Text to include: "Good boy"', "a dog", "Good boy"),
        ("a dog that says “Woof”", "a dog that says", "Woof"),
        ("a dog", "a dog", ""),
    ],
)
def test_words_to_letter_are_found_in_the_idea(idea: str, rest: str, lettering: str) -> None:
    brief = read_brief(f"Idea: {idea}\nStyle: Cartoon", 1)
    assert (brief.idea, brief.lettering) == (rest, lettering)


@pytest.mark.parametrize(
    ("idea", "things"),
    [
        ("three cats", [("cat", 3)]),
        ("puppies", [("dog", 1)]),
        ("a T-Rex riding a bicycle", [("t-rex", 1), ("bicycle", 1)]),
        ("two pandas and a mug of coffee", [("panda", 2), ("hot-beverage", 1)]),
        ("3 red foxes and 2 owls under a blue moon", [("fox", 3), ("owl", 2), ("full-moon", 1)]),
        ("a dozen donuts", [("doughnut", 12)]),
        ("grandma's sourdough club", [("old-woman", 1), ("bread", 1)]),
        ("never trust an atom", [("atom", 1)]),
        ("firefighter", [("firefighter", 1)]),
        ("my cat Luna is the boss", [("cat", 1)]),
        ("schrodinger", [("schrodingers-cat-alive", 1)]),
        ("black cat with a witch hat", [("black-cat", 1), ("pointy-hat", 1)]),
        ("rubber duck debugging", [("plastic-duck", 1)]),
        ("dragon guarding a castle", [("dragon", 1), ("castle", 1)]),
        ("honey badger", [("badger", 1)]),
        ("a blue whale in a cup of tea", [("spouting-whale", 1), ("teacup-without-handle", 1)]),
        ("tiger and lotus flower", [("tiger", 1), ("lotus", 1)]),
    ],
)
def test_things_are_read_with_their_number(idea: str, things: list[tuple[str, int]]) -> None:
    assert [(actor.icon.partition(":")[2], actor.count) for actor in cast(idea).actors] == things


@pytest.mark.parametrize(
    "idea",
    [
        "quantum entanglement",
        "Schadenfreude",
        "introverts unite",
        "Zürich 1987",
        "Team bride",
        "zwischenzug",
        "",
        "???",
    ],
)
def test_abstract_words_are_not_drawn(idea: str) -> None:
    assert names(idea) == []


@pytest.mark.parametrize(
    ("idea", "stands"),
    [
        ("flamingo on a skateboard wearing a crown", [("flamingo", "beside"), ("skateboard", "on"), ("crown", "worn")]),
        ("a fox reading a book in the forest", [("fox", "beside"), ("book", "with"), ("forest", "behind")]),
        ("dachshund in a taco", [("dachshund", "beside"), ("taco", "inside")]),
        ("wolf howling at the moon", [("wolf", "beside"), ("moon", "above")]),
        ("basketball-playing penguin", [("penguin", "beside"), ("basketball", "with")]),
        ("pizza-eating raccoon", [("raccoon", "beside"), ("pizza", "with")]),
        ("snowboarding yeti", [("yeti", "beside"), ("snowboarding", "on")]),
        ("surfing cat", [("cat", "beside"), ("surfing", "on")]),
        ("two bears canoeing on a mountain lake", [("bears", "beside"), ("canoeing", "on"), ("mountain", "on")]),
        ("a dog surfing on the moon", [("dog", "beside"), ("surfing", "on"), ("moon", "above")]),
        ("an owl reading in the garden", [("owl", "beside"), ("reading", "with"), ("garden", "behind")]),
        ("corgi surfing a giant wave", [("corgi", "beside"), ("wave", "on")]),
        ("taco cat", [("cat", "beside"), ("taco", "with")]),
        ("shiba inu samurai", [("shiba inu", "beside"), ("samurai", "worn")]),
    ],
)  # fmt: skip
def test_relations_between_things_are_read(idea: str, stands: list[tuple[str, str]]) -> None:
    assert [(actor.word, actor.relation) for actor in cast(idea).actors] == stands


def test_colours_belong_to_the_thing_that_follows() -> None:
    tints = {actor.word: actor.tint for actor in cast("3 red foxes and 2 owls under a blue moon").actors}
    assert tints == {"foxes": "#e23b2e", "owls": None, "moon": "#2a62d6"}


def test_astronaut_cat_is_one_figure() -> None:
    (astronaut,) = cast("an astronaut cat").actors
    assert (astronaut.icon, astronaut.wearer) == ("noto:astronaut", "noto:cat-face")


@pytest.mark.parametrize(
    ("idea", "scene"),
    [
        ("a fox in the forest", "forest"), ("mountain sunrise with pine trees", "mountains"),
        ("hot air balloon over mountains", "mountains"), ("Kyoto cherry blossoms", "garden"), ("a teapot", ""),
    ],
)  # fmt: skip
def test_place_is_the_first_one_named(idea: str, scene: str) -> None:
    assert cast(idea).scene == scene


def test_every_synonym_leads_to_an_icon() -> None:
    targets = {*SYNONYMS.values(), *(thing for thing, _ in ACTIVITIES.values())}
    icon_by_target = {
        target: icons().best(target if ":" in target else " ".join(map(stem, target.split())))
        for target in targets
    }
    assert sorted(target for target, icon in icon_by_target.items() if icon is None) == []


def test_emoji_are_read_by_their_names() -> None:
    assert emoji_in_words(ASSETS, "a 🐱 on a 🍕") == "a cat face on a pizza"
    assert emoji_in_words(ASSETS, "❤️❤️ forever") == "red heart red heart forever"
    assert emoji_in_words(ASSETS, "plain words") == "plain words"


def test_prompt_without_drawable_characters_is_rejected() -> None:
    with pytest.raises(ValueError, match="reads English"):
        draw("Idea: 日本の猫\nStyle: Cartoon", 1, (160, 160), ASSETS)
