"""Our own word list: forbidden words are refused in any spelling, harmless ideas are accepted."""

import pytest
from _shared.core.errors import ShopError
from _shared.designs.design_requests import PhotoRequest, TextRequest
from _shared.designs.moderation import check_photo_request, check_text_request, refused_word

WORDS = TextRequest(
    prompt="A cat", style="Sketch", mood="dark", background_color_name="Black", background_color_hex="#1A1A1A"
)
PHOTO = PhotoRequest(style="Sketch", background_color_name="Black", background_color_hex="#1A1A1A")


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
def test_forbidden_word_is_refused_in_any_spelling(text: str) -> None:
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
def test_harmless_idea_is_accepted(text: str) -> None:
    assert refused_word(text) == ""


# Joined, split, spelled with digits and signs, in look-alike letters and in other scripts.
DISGUISED = (
        "nakedwoman", "nakedwomen", "nudewoman", "a nakedgirl on a beach", "sexyschoolgirl", "childporn",
        "kiddieporn", "whitepower", "heilhitler", "killyourself", "killalljews", "gasthejews",
        "n a k e d w o m a n", "n a k e d woman", "n.a.k.e.d woman", "n-a-k-e-d  woman", "n@k3d w0m@n",
        "n4ked w0man", "nаkеd wоmаn", "Ηitler", "ΗΙΤLΕR", "ЅЅ wаffеn", "swаstikа", "ѕwаѕtіkа", "pοrn", "рогn",
        "ρσrη", "ṗøŕñ", "ⓟⓞⓡⓝ", "ｐｏｒｎ", "p\u3164o\u3164r\u3164n", "p\u2800o\u2800r\u2800n", "p\ufe0fo\ufe0frn",
        "p\u034forn", "p\u200do\u200drn", "порно", "порнография", "голая женщина", "изнасилование", "свастика",
        "гитлер", "нацист", "ΠΟΡΝΟ", "γυμνή γυναίκα", "σβάστικα", "χίτλερ", "ナチス", "ヒトラー", "ポルノ", "裸の女",
        "児童ポルノ", "レイプ", "鉤十字", "色情", "裸体女人", "裸女", "希特勒", "纳粹", "納粹", "強姦", "强奸",
        "儿童色情",         "포르노", "나치", "히틀러",
        "강간", "알몸", "아동 포르노", "إباحية", "هتلر", "نازي", "اغتصاب", "פורנו", "היטלר", "נאצי", "हिटलर", "पोर्न",
        "mujer desnuda", "femme nue", "nackte Frau", "donna nuda", "Kinderporno", "Hakenkreuz", "croix gammée",
        "n i g g e r", "nlgger", "nıgger", "n!gg3r", "f@ggot", "f a g g o t", "fαggοt", "ｎｉｇｇｅｒ", "🅽🅸🅶🅶🅴🆁",
        "🄷🄸🅃🄻🄴🅁", "𝕳𝖎𝖙𝖑𝖊𝖗", "Hіtler", "Hitl3r", "H.i.t.l.e.r", "Hit ler", "swas tika", "rаре", "r a p e",
        "r4pe scene", "beh3ad", "b e h e a d i n g", "ѕеlf hаrm", "selfharm", "schoolshooting", "suicidebomber",
        "mickeymouse", "darthvader", "hellokitty", "pоkеmоn", "Ꮲorn", "nude woman", "nudewomen", "swas.ti.ka",
        "h i t l e r",
)  # fmt: skip
# Words, places and names that hold such letters, and harmless sentences in other scripts.
INNOCENT = (
        "a rooster in Scunthorpe", "Essex", "Sussex", "Middlesex", "cocktail", "a bunch of grapes",
        "grapefruit", "drape", "scrape the ice", "Penistone", "Lightwater", "Clitheroe", "Arsenal", "assassin",
        "classic bass", "Matsushita", "Shitake", "Hancock", "cockpit", "Dickens", "Dickinson", "Moby-Dick",
        "Wankel engine", "Cumberland", "cucumber", "document", "circumference", "accumulate", "Titan",
        "titmouse", "Titicaca", "analysis", "analog", "canal", "banal", "therapist", "psychotherapist", "Niger",
        "Nigeria", "snigger", "niggle", "Montenegro", "denizen", "nasal", "Nazir", "Nazareth", "Nazca lines",
        "Nazaré big wave", "unisex", "Alexandra", "sextant", "sextet", "sexton", "Essex girl", "bisexual pride",
        "popcorn", "acorn", "Capricorn", "unicorn", "horn", "thorn", "porcupine", "porch", "important",
        "seaport", "Hitchcock", "Hitch hiker", "the naked truth", "naked mole rat", "naked eye",
        "nude lipstick", "Dwayne Johnson", "swallow", "swatch", "swan lake", "Kimono", "kick", "kkt",
        "Rapunzel", "rapper", "rapid", "rapier", "therapy", "trapeze", "parapet", "a rapeseed field", "Pike",
        "Nike of Samothrace", "Coca leaves", "cola nut", "pep rally", "star war(s)", "Harry and a potter",
        "a mouse called Mickey", "pen is red", "the pen is mightier", "his torpedo", "speedo", "porgy",
        "Georgy", "shoot for the stars", "a knife and fork", "Kick boxer", "Basement", "Ben Dover", "Uranus",
        "Мой кот", "Красная площадь", "кот и гитара", "голландия", "Приморье", "голый король", "ναός", "Αθήνα",
        "γάτα", "猫", "東京タワー", "裸足で歩く", "色鉛筆", "情熱", "나무", "고양이", "나치킨", "قطة", "חתול", "बिल्ली",
        "ein nackter Igel", "la mujer", "Mandarin", "Rapallo", "Grape Ape", "I am a white powerful horse",
        "white powder snow", "child portrait", "child portion", "kid porcelain", "a woman, naked trees",
        "a kinky knot", "skinny dip", "Wasserski Hit, Lerche", "hit lert", "a p or n", "plan B", "U S A",
        "A B C", "L O V E", "O N E", "big titles", "big Titan", "oral history", "anal ogy", "group sextant",
        "no tomorrow", "Wasser", "Hit a lerche", "the vag in a song", "fag end", "a blow to the job market",
        "健康的猫", "건강간호사", "プレイプール", "グレイプ", "绝色情人", "Kinderportrait",
        "Schwester Nackte Kanone?", "голубой кит",
        "гол в ворота", "порт ночью", "اغنية", "هتاف", "Hitomi", "the ham in go",
)  # fmt: skip


@pytest.mark.parametrize("text", DISGUISED)
def test_disguised_word_is_refused(text: str) -> None:
    assert refused_word(text)


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_word_is_accepted(text: str) -> None:
    assert refused_word(text) == ""


def test_both_word_lists_are_long() -> None:
    assert len(DISGUISED) >= 60
    assert len(INNOCENT) >= 60


def test_refused_word_is_named_in_the_log_alone() -> None:
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


def test_words_do_not_span_fields() -> None:
    check_photo_request(PHOTO.model_copy(update={"instructions": "make it white", "typography": "Power"}))


def test_longest_prompt_is_checked_quickly() -> None:
    assert refused_word("p.o o0!1 " * 222) == ""
    assert refused_word("h i t l e " * 200) == ""
    assert refused_word("г и т л е " * 200) == ""
