"""Our own list of what is never printed, checked before a vendor is paid.

It is a list and no judgement: it holds what is certain, in any spelling, and leaves the rest to the model's own
moderation, which reads sentences. So a word with a harmless sense of its own (a bird, a town, a name) is listed
only in the company that makes it certain.
"""

from __future__ import annotations

import re
import unicodedata

from _shared.core.errors import prompt_refused
from _shared.designs.design_requests import PhotoRequest, TextRequest
from _shared.designs.moderation_scripts import refused_in_other_scripts

# A trailing * takes any ending. Plurals are listed where they are usual.
_SEXUAL = (
    "porn", "porno*", "pornstar*", "pornhub", "nsfw", "hentai", "xrated", "x rated", "blowjob*", "handjob*",
    "gangbang*", "orgy", "orgies", "masturbat*", "ejaculat*", "cumshot*", "bukkake", "dildo*", "butt plug", "penis",
    "penises", "vagina", "vaginas", "genitals", "nude", "nudes", "nudity", "topless woman", "topless women",
    "topless girl*", "naked woman", "naked women", "naked man", "naked men", "naked lady", "naked ladies",
    "naked person", "naked people", "naked body", "naked bodies", "having sex", "sex act*", "sex toy*", "sex scene*",
    "sex slave*", "oral sex", "anal sex", "group sex", "sex with", "sexual intercourse", "sexual position*",
    "mujer desnuda", "mujeres desnudas", "femme nue", "femmes nues", "nackte frau", "nackte frauen", "donna nuda",
    "donne nude", "mulher nua", "kinderporno*", "vergewaltig*", "nude woman", "nude women", "nude man", "nude men",
    "dick pic*", "big tits", "bare tits", "bare breasts", "camel toe", "upskirt*", "stripper*",
)  # fmt: skip
_MINORS = (
    "child porn*", "kiddie porn", "kiddy porn", "lolicon", "shotacon", "lolita girl*", "pedophil*", "paedophil*",
    "pedo", "pedos", "underage sex*", "underage girl*", "underage boy*", "sexy child*", "sexy kid*", "sexy teen*",
    "sexy school girl*", "sexy schoolgirl*", "naked child*", "naked kid*", "naked girl*", "naked boy*", "naked baby",
    "naked teen*", "nude child*", "nude kid*", "nude girl*", "nude boy*", "nude teen*", "child abuse",
    "child molest*", "jailbait",
)  # fmt: skip
_VIOLENT = (
    "rape", "raped", "rapes", "raping", "rapist", "rapists", "behead", "beheads", "beheaded", "beheading*",
    "decapitat*", "dismember*", "disembowel*", "severed head*", "mutilat*", "snuff film*", "lynch mob", "lynching*",
    "school shooting*", "school shooter*", "mass shooting*", "mass shooter*", "suicide bomb*", "suicide vest*",
    "pipe bomb*", "terrorist attack*", "how to make a bomb", "how to build a bomb", "kill yourself", "kill myself",
    "hang yourself", "hang myself", "commit suicide", "committing suicide", "self harm", "slit wrist*",
    "slit my wrist*", "cut my wrist*", "animal abuse", "bestiality", "zoophil*", "necrophil*",
)  # fmt: skip
_HATEFUL = (
    "swastika*", "nazi", "nazis", "nazism", "neonazi*", "neo nazi*", "hitler*", "adolf h", "sieg heil",
    "heil hitler", "third reich", "waffen ss", "ss waffen", "hakenkreuz*", "croix gammee*", "esvastica*",
    "cruz gamada", "nlgger*", "nlgga*", "gestapo", "ku klux*", "kkk", "white power", "white pride",
    "white supremac*", "aryan race", "master race", "race war", "holocaust denial", "gas the jews",
    "jews will not replace us", "death to jews", "death to muslims", "death to gays", "kill all jews",
    "kill all muslims", "kill all blacks", "kill all whites", "kill all gays", "ethnic cleansing",
    "islamic state flag", "isis flag", "isis fighter*", "join isis", "al qaeda", "blackface", "nigger*", "nigga",
    "niggas", "niggaz", "faggot*", "kikes", "wetback*", "raghead*", "towelhead*", "sand monkey*", "porch monkey*",
    "gook", "gooks", "shemale*",
)  # fmt: skip
# Marks that the printer turns down and a shop must not sell, where the words can mean nothing else.
_OWNED = (
    "mickey mouse", "minnie mouse", "disney", "pixar", "darth vader", "baby yoda", "star wars", "spiderman",
    "spider man", "batman", "captain america", "pokemon", "pikachu", "charizard", "super mario", "nintendo",
    "hello kitty", "spongebob", "homer simpson", "bart simpson", "the simpsons", "rick and morty", "harry potter",
    "hogwarts", "paw patrol", "peppa pig", "my little pony", "dragon ball z", "adidas", "nike logo*", "nike swoosh*",
    "nike shoe*", "gucci", "louis vuitton", "coca cola", "pepsi", "starbucks", "mcdonalds", "harley davidson",
)  # fmt: skip

# Too long to arise by chance where two words meet: found with one space inside as well ("swas tika").
_SPLIT = (
    "swastika", "hitler", "nigger", "faggot", "pornography", "pedophile", "blowjob", "genitals",
    "masturbate", "masturbation", "hakenkreuz",
)  # fmt: skip

# Harmless company of those words.
_HARMLESS = (
    "nude color*", "nude colour*", "nude lipstick*", "nude shade*", "nude tone*", "rape seed*", "rape oil",
    "rape blossom*", "rape flower*", "rape field*", "stop rape", "end rape", "against rape", "rape survivor*",
    "rape crisis", "stop child abuse", "end child abuse", "against child abuse", "child abuse prevention",
    "child abuse awareness", "stop animal abuse", "end animal abuse", "against animal abuse", "self harm awareness",
    "against self harm", "anti nazi*", "against nazi*", "no nazis", "punch nazis", "nazi free", "against the nazis",
    "dildo newfoundland", "paint stripper*", "wire stripper*", "wallpaper stripper*", "cable stripper*",
)  # fmt: skip

# Capitals with small letters that look like others.
_CAPITALS = {ord(pair[0]): pair[1] for pair in ("ΗH", "ΝN", "ΥY", "ΜM", "ΡP", "ΒB", "ΖZ", "ΧX")}
# Letters of other scripts, each with what it looks like: Cyrillic, Greek, Armenian, Cherokee, small capitals, crossed
# letters (after Unicode's confusables, https://www.unicode.org/reports/tr39/).
_LOOKALIKES = (
    "аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl вb кk мm нh тt гr зz пn ьb "
    "օo ոn սu հh ցg զq յj ѵv ԛq ɩi ꭰd ꭱr ꭲt ꭺa ꭻj ꭼe ꮃw ꮇm ꮋh ꮐg ꮓz ꮪs ꮩv ꮮl ꮯc ꮲp ꮶk ꭵi "
    "Ꭰd Ꭱr Ꭲt Ꭵi Ꭺa Ꭻj Ꭼe Ꮃw Ꮇm Ꮋh Ꮐg Ꮓz Ꮪs Ꮩv Ꮮl Ꮯc Ꮲp Ꮶk Ᏼb Ꮢr "
    "αa βb εe ιi κk νv οo ρp τt υu χx ηn ωw γy σo ɑa ɡg ɩi "
    "ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ıi øo łl đd ðd æae œoe"
)
_LETTERS = {ord(pair[0]): pair[1:] for pair in _LOOKALIKES.split()}
_DIGITS = {
    "0": "o", "1": "il", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g", "@": "a", "$": "s", "!": "i",
    "|": "il", "€": "e", "£": "l", "+": "t", "(": "c",
}  # fmt: skip
_FIRST_LETTERS = str.maketrans({sign: letters[0] for sign, letters in _DIGITS.items()})
_LAST_LETTERS = str.maketrans({sign: letters[-1] for sign, letters in _DIGITS.items()})
# letters of flags, and white letters on black circles and squares
_ALPHABETS = (0x1F1E6, 0x1F150, 0x1F170)
_REPEATED = re.compile(r"([a-z])\1{2,}")
_INNER_SIGNS = re.compile(r"(?<=[a-z0-9])[^a-z0-9\s'’\"“”,;:/()]+(?=[a-z0-9])")
_SPACED_OUT = re.compile(r"\b(?:[a-z] ){2,}[a-z]\b")


def check_text_request(request: TextRequest) -> None:
    """422 when the list refuses any text of it."""
    _check(request.prompt, request.background_color_name)


def check_photo_request(request: PhotoRequest) -> None:
    """422 when the list refuses any text of it."""
    _check(request.style, request.instructions or "", request.typography or "", request.background_color_name)


def _check(*texts: str) -> None:
    # each by itself: "on a white shirt" and "Power" are two fields, and no phrase
    for text in texts:
        word = refused_word(text)
        if word:
            raise prompt_refused(f"our own list: {word}")


def refused_word(text: str) -> str:
    """The listed words that `text` holds in any spelling; empty when it holds none."""
    for reading in _readings(text):
        match = _REFUSED.search(_ALLOWED.sub(" ", reading))
        if match:
            return match.group()
    return refused_in_other_scripts(text)


def _pattern(*lists: tuple[str, ...]) -> re.Pattern[str]:
    words = sorted({word for words in lists for word in words}, key=len, reverse=True)
    # "nakedwoman": words of a phrase may be written as one
    listed = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", " ?") for word in words]
    return re.compile(r"\b(?:" + "|".join(listed) + r")\b")


_ONCE_SPLIT = tuple(f"{word[:place]} {word[place:]}" for word in _SPLIT for place in range(2, len(word) - 1))
_REFUSED = _pattern(_SEXUAL, _MINORS, _VIOLENT, _HATEFUL, _OWNED, _ONCE_SPLIT)
_ALLOWED = _pattern(_HARMLESS)


def _readings(text: str) -> set[str]:
    """The ways in which a person may read `text`, each in plain small letters with one space between words."""
    plain = _plain(text)
    # 1 and | may be an i or an l
    spellings = {plain, plain.translate(_FIRST_LETTERS), plain.translate(_LAST_LETTERS)}
    # "pooorn", "niggggger": a letter three times or more is read as one and as two
    spellings |= {_REPEATED.sub(letters, spelling) for spelling in spellings for letters in (r"\1", r"\1\1")}
    # "p.o-r*n": signs within a word are no part of it
    spellings |= {_INNER_SIGNS.sub("", spelling) for spelling in spellings}
    readings = {_words(spelling) for spelling in spellings}
    # "p o r n": single letters in a row are one word
    return readings | {
        _SPACED_OUT.sub(lambda match: match.group().replace(" ", ""), words) for words in readings
    }


def _plain(text: str) -> str:
    """Small Latin letters without accents and invisible signs; look-alikes of other scripts as what they look like."""
    letters = []
    for letter in unicodedata.normalize(
        "NFKD", unicodedata.normalize("NFKC", text).translate(_CAPITALS).casefold()
    ):
        first = next((first for first in _ALPHABETS if first <= ord(letter) < first + 26), None)
        if first is not None:
            letters.append(chr(ord(letter) - first + ord("a")))
        elif unicodedata.category(letter) not in ("Mn", "Me", "Cf", "Cc") or letter in "\n\t\r":
            letters.append(letter)
    return "".join(letters).translate(_LETTERS)


def _words(text: str) -> str:
    """Words apart by one space; apostrophes are removed."""
    return re.sub(r"[^a-z0-9]+", " ", re.sub(r"['’]", "", text)).strip()
