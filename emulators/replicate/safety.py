"""What the emulated models refuse to draw, as the vendor's moderation does: by words, in whatever spelling.

It is a list and no judgement: it stops what nobody should find on a shirt by typing it plainly, and what a shop must
not print because it belongs to somebody. The answer never says which word it was.
"""

from __future__ import annotations

import re
import unicodedata

_SEXUAL = (
    "nude", "nudes", "nudity", "nsfw", "porn", "porno", "pornography", "pornographic", "hentai", "xxx", "sex", "sexual",
    "sexy", "erotic", "erotica", "orgy", "blowjob", "handjob", "genitals", "penis", "vagina", "boobs", "tits", "nipple",
    "nipples", "topless", "bondage", "fetish", "masturbating", "masturbation", "stripper", "lolita", "underage", "rape",
    "naked woman", "naked women", "naked man", "naked men", "naked girl", "naked girls", "naked boy", "naked boys",
    "naked person", "naked people", "naked child", "naked children", "dick pic",
)  # fmt: skip
_VIOLENT = (
    "gore", "gory", "beheading", "beheaded", "decapitated", "decapitation", "dismembered", "disembowelled", "mutilated",
    "mutilation", "torture", "torturing", "snuff", "lynching", "school shooting", "mass shooting", "school shooter",
    "suicide", "suicidal", "self harm", "cutting myself", "kill yourself", "kill myself", "hang yourself",
    "child abuse", "animal abuse", "massacre", "genocide", "terrorist attack", "suicide bomber", "pipe bomb",
)  # fmt: skip
_HATEFUL = (
    "swastika", "nazi", "nazis", "neonazi", "hitler", "heil", "third reich", "ku klux klan", "kkk", "white power",
    "white supremacy", "white supremacist", "master race", "holocaust", "isis", "al qaeda", "racial slur", "nigger",
    "nigga", "faggot", "kike", "spic", "chink", "tranny", "blackface", "ethnic cleansing", "confederate flag",
)  # fmt: skip
_OWNED = (
    "mickey mouse", "minnie mouse", "donald duck", "winnie the pooh", "disney", "pixar", "frozen elsa", "baby yoda",
    "grogu", "yoda", "darth vader", "star wars", "stormtrooper", "spiderman", "spider man", "batman", "superman",
    "wonder woman", "iron man", "captain america", "incredible hulk", "marvel", "avengers", "deadpool", "pokemon",
    "pikachu", "charizard", "super mario", "nintendo", "sonic the hedgehog", "minecraft", "fortnite", "hello kitty",
    "snoopy", "peanuts gang", "garfield", "simpsons", "homer simpson", "bart simpson", "spongebob", "rick and morty",
    "harry potter", "hogwarts", "lord of the rings", "paw patrol", "peppa pig", "bluey", "barbie", "lego", "totoro",
    "my little pony", "naruto", "dragon ball", "goku", "one piece luffy", "nike", "adidas", "gucci", "louis vuitton",
    "chanel logo", "supreme logo", "coca cola", "pepsi", "starbucks", "mcdonalds", "harley davidson", "ferrari", "nfl",
    "nba", "rolling stones tongue", "taylor swift", "grateful dead",
)  # fmt: skip

# what those words stand in without harm
_HARMLESS = (
    "isis goddess", "goddess isis", "egyptian isis", "naked mole rat", "gore tex", "nude color", "nude colour",
    "nude colored", "nude coloured", "ghibli", "opposite sex", "same sex", "unisex", "torture chamber pot",
)  # fmt: skip

_LOOKALIKES = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"}
)


def _pattern(*lists: tuple[str, ...]) -> re.Pattern[str]:
    words = sorted({word for words in lists for word in words}, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(re.escape(word) for word in words) + r")\b")


_REFUSED = _pattern(_SEXUAL, _VIOLENT, _HATEFUL, _OWNED)
_ALLOWED = _pattern(_HARMLESS)


def is_refused(prompt: str) -> bool:
    """Whether the models refuse this prompt."""
    return any(_REFUSED.search(_ALLOWED.sub(" ", text)) for text in _readings(prompt))


def _readings(prompt: str) -> tuple[str, ...]:
    """The prompt in plain small letters; with digits as the letters they imitate; and with spaced-out words shut."""
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", prompt.casefold())
        if not unicodedata.combining(letter) and unicodedata.category(letter) != "Cf"
    )
    words = _words(plain)
    # "p.o.r.n" and "p o r n": single letters in a row are one word
    shut = re.sub(r"\b(?:[a-z] ){2,}[a-z]\b", lambda match: match.group().replace(" ", ""), words)
    return words, _words(plain.translate(_LOOKALIKES)), shut


def _words(text: str) -> str:
    """Words apart by one space; apostrophes belong to nothing."""
    return re.sub(r"[^a-z0-9]+", " ", re.sub(r"['’]", "", text)).strip()
