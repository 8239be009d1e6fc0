"""Our own list of what is never printed, asked before a vendor is paid.

It is a list and no judgement: it holds what is certain, in whatever spelling, and leaves the rest to the model's own
moderation, which reads sentences. So a word with a harmless sense of its own (a bird, a town, a name) stands here only
in the company that makes it certain.
"""

from __future__ import annotations

import re
import unicodedata

from _shared.design_requests import PhotoRequest, TextRequest
from _shared.errors import prompt_refused

# A trailing * takes any ending. Plurals stand where they are usual.
_SEXUAL = (
    "porn", "porno*", "pornstar*", "pornhub", "nsfw", "hentai", "xrated", "x rated", "blowjob*", "handjob*",
    "gangbang*", "orgy", "orgies", "masturbat*", "ejaculat*", "cumshot*", "bukkake", "dildo*", "butt plug", "penis",
    "penises", "vagina", "vaginas", "genitals", "nude", "nudes", "nudity", "topless woman", "topless women",
    "topless girl*", "naked woman", "naked women", "naked man", "naked men", "naked lady", "naked ladies",
    "naked person", "naked people", "naked body", "naked bodies", "having sex", "sex act*", "sex toy*", "sex scene*",
    "sex slave*", "oral sex", "anal sex", "group sex", "sex with", "sexual intercourse", "sexual position*",
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
    "heil hitler", "third reich", "waffen ss", "gestapo", "ku klux*", "kkk", "white power", "white pride",
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

# What those words stand in without harm.
_HARMLESS = (
    "nude color*", "nude colour*", "nude lipstick*", "nude shade*", "nude tone*", "rape seed*", "rape oil",
    "rape blossom*", "rape flower*", "rape field*", "stop rape", "end rape", "against rape", "rape survivor*",
    "rape crisis", "stop child abuse", "end child abuse", "against child abuse", "child abuse prevention",
    "child abuse awareness", "stop animal abuse", "end animal abuse", "against animal abuse", "self harm awareness",
    "against self harm", "anti nazi*", "against nazi*", "no nazis", "punch nazis", "nazi free", "against the nazis",
    "dildo newfoundland", "paint stripper*", "wire stripper*", "wallpaper stripper*", "cable stripper*",
)  # fmt: skip

# Letters of other scripts, each with what it looks like: Cyrillic, Greek, small capitals, crossed letters.
_LOOKALIKES = (
    "аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl вb кk мm нh тt гr зz пn ьb "
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
_FLAG_A = 0x1F1E6
_REPEATED = re.compile(r"([a-z])\1{2,}")
_INNER_SIGNS = re.compile(r"(?<=[a-z0-9])[^a-z0-9\s'’\"“”,;:/()]+(?=[a-z0-9])")
_SPACED_OUT = re.compile(r"\b(?:[a-z] ){2,}[a-z]\b")


def check_text_request(ask: TextRequest) -> None:
    """422 when the list refuses any text of it."""
    _check(ask.prompt, ask.background_color_name)


def check_photo_request(ask: PhotoRequest) -> None:
    """422 when the list refuses any text of it."""
    _check(ask.style, ask.instructions or "", ask.typography or "", ask.background_color_name)


def _check(*texts: str) -> None:
    # each by itself: "on a white shirt" and "Power" are two fields, and no phrase
    for text in texts:
        found = refused_word(text)
        if found:
            raise prompt_refused(f"our own list: {found}")


def refused_word(text: str) -> str:
    """The listed words that `text` holds in any spelling; empty when it holds none."""
    for reading in _readings(text):
        found = _REFUSED.search(_ALLOWED.sub(" ", reading))
        if found:
            return found.group()
    return ""


def _pattern(*lists: tuple[str, ...]) -> re.Pattern[str]:
    words = sorted({word for words in lists for word in words}, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words) + r")\b")


_REFUSED = _pattern(_SEXUAL, _MINORS, _VIOLENT, _HATEFUL, _OWNED)
_ALLOWED = _pattern(_HARMLESS)


def _readings(text: str) -> set[str]:
    """The ways in which a person may read `text`, each in plain small letters with one space between words."""
    plain = _plain(text)
    # 1 and | may be an i or an l
    spellings = {plain, plain.translate(_FIRST_LETTERS), plain.translate(_LAST_LETTERS)}
    # "pooorn", "niggggger": a letter three times or more stands for one or for two
    spellings |= {_REPEATED.sub(kept, spelling) for spelling in spellings for kept in (r"\1", r"\1\1")}
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
    for letter in unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold()):
        if _FLAG_A <= ord(letter) < _FLAG_A + 26:  # the letters that flags are made of
            letters.append(chr(ord(letter) - _FLAG_A + ord("a")))
        elif unicodedata.category(letter) not in ("Mn", "Me", "Cf", "Cc") or letter in "\n\t\r":
            letters.append(letter)
    return "".join(letters).translate(_LETTERS)


def _words(text: str) -> str:
    """Words apart by one space; apostrophes belong to nothing."""
    return re.sub(r"[^a-z0-9]+", " ", re.sub(r"['’]", "", text)).strip()
