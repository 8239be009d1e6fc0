"""Our own list: what is never printed is refused in any spelling, and harmless ideas are drawn."""

import pytest
from _shared.design_requests import PhotoRequest, TextRequest
from _shared.errors import ShopError
from _shared.moderation import check_photo_request, check_text_request, refused_word

WORDS = TextRequest(
    prompt="A cat", style="Sketch", mood="dark", background_color_name="Black", background_color_hex="#1A1A1A"
)
PHOTO = PhotoRequest(image="x", style="Sketch", background_color_name="Black", background_color_hex="#1A1A1A")


@pytest.mark.parametrize(
    "text",
    [
        "porn", "a PORN star", "P0rn", "p0rn0graphy", "p.o.r.n", "p o r n", "p-o-r-n", "p_o_r_n", "po*rn",
        "p🔥o🔥r🔥n", "pooooorn", "ｐｏｒｎ", "𝓹𝓸𝓻𝓷", "ⓟⓞⓡⓝ", "🇵🇴🇷🇳", "рorn", "ροrn", "ᴘᴏʀɴ", "po\u200brn",
        "po\u00adrn", "pörn", "p̶o̶r̶n̶", "a nude woman", "NUDES", "naked  women on a beach", "naked\nboy",
        "a dead body being raped", "r@pe", "r4p3", "a beheaded man", "severed heads", "how I kill myself",
        "school-shooter", "a swastika made of flowers", "H1tler", "h!tler", "Hit1er", "hîtler", "Нitler",
        "neo-nazis", "neonazi", "n@z1", "white\u200b power", "KKK", "k k k", "niggggger", "n1gg3r", "gas the Jews",
        "child porn", "a sexy schoolgirl", "paedophile", "Mickey Mouse surfing", "a Pokémon trainer", "SPIDER-MAN",
        'Text to include: "Gucci"', "Coca-Cola bottle", "McDonald's fries",
    ],
)  # fmt: skip
def test_what_is_never_printed_is_refused_in_any_spelling(text: str) -> None:
    assert refused_word(text)


@pytest.mark.parametrize(
    "text",
    [
        "a rooster in Scunthorpe", "a bunch of grapes", "assassin's creed", "Sussex and Essex by the sea",
        "a therapist's couch", "the drapes", "a scraped knee", "skyscraper", "rapeseed in bloom",
        "a field of rape seed", "a raptor", "Moby Dick the whale", "Charles Dickens", "Dick Van Dyke dancing",
        "blue tits on a branch", "a great tit", "blue-footed booby", "a cockatoo and a peacock", "shuttlecock",
        "cockpit of a plane", "a titmouse", "Titanic", "Maine Coon cat", "raccoon", "Niger and Nigeria",
        "niggling doubts", "a snigger", "niggardly Scrooge", "Montenegro", "a naked mole rat with a crown",
        "Al Gore", "gore-tex jacket", "nude lipstick", "the goddess Isis", "a chink in the armour", "spick and span",
        "unisex yoga class", "Sex Pistols", "same-sex marriage", "a pussycat and pussy willows", "paint stripper",
        "an analogue synth", "canal boats", "a bass player", "Ashkenazi cooking", "heil dir, Helvetia",
        "a document with cucumbers", "shiitake and Shih Tzu", "Penistone", "pen is mightier", "torpedo",
        "porgy and bess", "popcorn", "Capricorn", "a killer whale", "shoot hoops", "a bomb pop ice cream",
        "bloody mary with celery", "a pirate with a severed rope", "suicide squad of squirrels", "Stop child abuse",
        "end rape culture", "anti-nazi punks", "against self-harm", "punch nazis",
        "a cat with 1 hat, 3 balls and 5 stars", "I ♥ N Y", "A B C D E F G", "R.E.M.", "S.O.S.", "Super Bowl XXX",
        "xxx", "hug me!!!", "Fahrenheit 451", "1984", "C3PO-like robot", "Привет, мир", "Καλημέρα", "日本語の猫",
        "Grüße aus Köln", "smørrebrød", "Cartoon", "Ghibli", "winged Nike of Samothrace", "shrimp on the barbie",
        "President Garfield", "super Mary", "dragon and ball", "Rick and his dog", "a spider and a man",
        "Dildo, Newfoundland", "White",
    ],
)  # fmt: skip
def test_harmless_ideas_are_drawn(text: str) -> None:
    assert refused_word(text) == ""


def test_a_refusal_names_the_word_in_the_log_alone() -> None:
    with pytest.raises(ShopError) as caught:
        check_text_request(WORDS.model_copy(update={"prompt": "Hitler on a horse"}))
    problem = caught.value
    assert (problem.status, problem.code) == (422, "prompt_refused")
    assert (
        problem.error == "We can't draw that. Please describe your idea differently, or use another picture."
    )
    assert problem.cause == "our own list: hitler"


@pytest.mark.parametrize("field", ["style", "instructions", "typography", "background_color_name"])
def test_every_text_of_a_photo_request_is_read(field: str) -> None:
    check_photo_request(PHOTO.model_copy(update={field: "a bunch of grapes"}))
    with pytest.raises(ShopError):
        check_photo_request(PHOTO.model_copy(update={field: "p0rn"}))


@pytest.mark.parametrize("field", ["prompt", "background_color_name"])
def test_every_text_of_a_text_request_is_read(field: str) -> None:
    check_text_request(WORDS.model_copy(update={field: "a bunch of grapes"}))
    with pytest.raises(ShopError):
        check_text_request(WORDS.model_copy(update={field: "p0rn"}))


def test_fields_are_read_apart() -> None:
    check_photo_request(PHOTO.model_copy(update={"instructions": "make it white", "typography": "Power"}))


def test_the_longest_prompt_is_read_at_once() -> None:
    assert refused_word("p.o o0!1 " * 222) == ""
