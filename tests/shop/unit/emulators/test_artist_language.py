"""The local artist's refusals: ideas in other languages, and letters without a face."""

from __future__ import annotations

import pytest

from emulators.artist import Brief, UndrawableError, draw, draw_brief, restyle
from emulators.artist.undrawable import is_english
from tests.shop.unit.emulators.drawings import ASSETS, icons
from tests.shop.unit.emulators.photographs import photograph

ENGLISH = (
    "A fox in a raincoat riding a bicycle through autumn leaves",
    "a happy otter",
    "Schadenfreude",
    "Zürich 1987",
    "Schadenfreude is what happens when the Zeitgeist über-explains itself to everybody",
    "zwischenzug",
    "two pandas and a cat",
    "Los Angeles skyline at night",
    "El Capitan",
    "La La Land",
    "taco dinosaur",
    "corgi superman",
    "Never give up",
    "Viva la Vida",
    "Kowalski Brothers",
    "Dia de los Muertos skull",
    "crème brûlée with a face",
    "jalapeño on fire",
    "Team Müller 2026",
    "cat face on pizza",
    "con artist raccoon",
    "mi casa",
    "der Kaiser on a unicycle",
    "1987",
    "die hard fan of cats",
    "keep calm and carry on",
    "stay weird",
    "est. 1998 surf club",
    "pho sho",
    "Santa Fe desert sunset",
    "Rio de Janeiro beach",
    "lorem ipsum",
    "capybara in an onsen",
    "le fromage",
    "samurai koi",
    "Go Bananas",
    "Wolf howling at the moon",
    "ramen bowl",
    "Mountain biker",
    "kawaii sushi",
    "yoga sloth",
    "Ludwig van Beethoven with headphones",
    "Anna & Tom forever",
    "Hogwash",
    "Cinco de Mayo fiesta pinata",
    "art deco travel poster",
    "la belle epoque poster",
    "Las Vegas bachelorette 2026",
    "Buenos Aires tango dancers",
    "S.O.S.",
    "L O V E",
)
OTHERS = (
    "un chat qui danse sous la pluie",
    "eine Katze im Regenmantel",
    "ein Fuchs fährt Fahrrad durch den Herbstwald",
    "un zorro con impermeable montando en bicicleta",
    "perro con sombrero bajo la lluvia",
    "una volpe con l'impermeabile in bicicletta",
    "uma raposa de capa de chuva",
    "een vos met een regenjas op de fiets",
    "en räv med regnjacka på en cykel",
    "yağmurluk giyen bir tilki bisiklet üstünde",
    "рыжая лиса на велосипеде",
    "キツネが自転車に乗る",
    "비옷을 입은 여우",
    "狐狸骑自行车",
    "ثعلب يرتدي معطف مطر",
    "שועל על אופניים",
    "αλεπού με ποδήλατο",
    "rubah naik sepeda di hutan",
    "seekor kucing dengan topi",
    "một con mèo đội mũ",
    "vulpe cu umbrelă pe bicicletă",
    "ลูกแมวใส่หมวก",
    "बारिश में बिल्ली",
    "ein Hund mit Hut",
    "le petit chat noir dans la rue",
    "la vie est belle",
)


@pytest.mark.parametrize("idea", ENGLISH)
def test_english_names_and_coined_words_are_drawn(idea: str) -> None:
    assert is_english(idea, icons())


@pytest.mark.parametrize("idea", OTHERS)
def test_idea_in_another_language_is_not_drawn(idea: str) -> None:
    assert not is_english(idea, icons())
    with pytest.raises(UndrawableError, match=r"reads English\. \(code: SAMPLE-LANGUAGE\)$"):
        draw_brief(Brief(idea, lettering="Hi"), 64, ASSETS)


@pytest.mark.parametrize("idea", ["🐱 on 🍕", "𝓐 𝓯𝓸𝔁 in a raincoat", "ＡＢＣ"])
def test_emoji_and_letters_in_other_dress_are_read(idea: str) -> None:
    assert draw_brief(Brief(idea), 64, ASSETS).getbbox()


def test_idea_without_anything_to_draw_is_not_drawn() -> None:
    with pytest.raises(UndrawableError, match="SAMPLE-LANGUAGE"):
        draw_brief(Brief("\U000f0000"), 64, ASSETS)


def test_words_alone_may_be_in_any_language() -> None:
    assert draw_brief(Brief("", lettering="日本語テスト"), 64, ASSETS).getbbox()


def test_signs_without_a_face_are_said_before_drawing() -> None:
    with pytest.raises(UndrawableError, match=r"^No face holds: 𓀀 𓀁 \(code: SAMPLE-SIGNS\)$"):
        draw('Idea: a cat\nLettering: "Hi 𓀀𓀁𓀀"', 1, (64, 64), ASSETS)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Instructions: ohne Hintergrund, mit einer Krone", "SAMPLE-LANGUAGE"),
        ("Style: estilo de las acuarelas", "SAMPLE-LANGUAGE"),
        ('Lettering: "𓀀"', "SAMPLE-SIGNS"),
    ],
)
def test_photo_is_not_restyled_where_its_words_cannot_be_followed(line: str, code: str) -> None:
    style = "" if line.startswith("Style") else "Style: Sketch\n"
    with pytest.raises(UndrawableError, match=code):
        restyle(photograph("coffee"), style + line, 1, ASSETS)
