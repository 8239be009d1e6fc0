"""Words that are never printed, in scripts other than Latin: the worst words alone, as they are written there.

CJK has no spaces between words, so such an entry is found at any place in a text unless it says otherwise; the others
begin at a word's beginning and take any ending.
"""

from __future__ import annotations

import re
import unicodedata

from _shared.core.visible_text import is_blank

_CYRILLIC = (
    "порно", "изнасил", "свастик", "гитлер", "нацист", "нацизм", "педофил", "голая женщин", "голые женщин",
    "голую женщин", "голая девуш", "голые девуш", "голая девоч", "голый мальчик", "голые дети", "голый мужчин",
    "голые люди", "групповуха", "обезглав", "зиг хайль", "зигхайль",
)  # fmt: skip
_GREEK = (
    "πορνο", "σβάστικ", "χίτλερ", "ναζί", "ναζισ", "βιασμ", "παιδόφιλ", "γυμνή γυναίκ", "γυμνές γυναίκ",
    "γυμνό κορίτσ", "γυμνά παιδ", "γυμνός άντρ",
)  # fmt: skip
_ARABIC = ("إباحي", "هتلر", "نازي", "اغتصاب", "امرأة عارية", "نساء عاريات", "صليب معقوف", "داعش")
_HEBREW = ("פורנו", "היטלר", "נאצי", "צלב קרס", "אישה ערומה", "נשים ערומות", "פדופיל")
# each a regular expression of its own
_ANYWHERE = (
    # Japanese
    "ポルノ", "ヒトラー", "ナチス", "ハーケンクロイツ", "鉤十字", "全裸", "裸の(?:女|男|少女|少年|子)", "強姦",
    "(?<![ァ-ヺー])レイプ(?![ァ-ヺー])",
    # Chinese
    "(?<!绝)(?<!絕)色情", "裸体女", "裸體女", "裸女", "裸照", "希特勒", "纳粹", "納粹", "强奸", "恋童癖", "戀童癖",
    # Korean
    "포르노", "히틀러", r"(?<!\w)나치(?!킨)", r"(?<!\w)강간", "성폭행", "알몸", "하켄크로이츠",
    # Devanagari
    "हिटलर", "पोर्न", "बलात्कार", "नाज़ी",
    # Thai
    "ฮิตเลอร์", "หนังโป๊", "สวัสติกะนาซี",
)  # fmt: skip


def normalise(text: str) -> str:
    """Small letters without accents, spaces between letters of one word and characters that are not seen."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(
        character
        for character in folded
        if unicodedata.category(character) not in ("Mn", "Me")
        and (character.isspace() or not is_blank(character))
    )


def _beginnings(words: tuple[str, ...], prefix: str = "") -> str:
    listed = "|".join(re.escape(normalise(word)).replace(r"\ ", r"\s+") for word in words)
    return rf"\b{prefix}(?:{listed})"


_REFUSED = re.compile(
    "|".join(
        (
            _beginnings(_CYRILLIC),
            _beginnings(_GREEK),
            # the article and one-letter words are written as one with the noun
            _beginnings(_ARABIC, "(?:و?ال|[وبل])?"),
            _beginnings(_HEBREW, "[הובל]?"),
            *(normalise(word) for word in _ANYWHERE),
        )
    )
)
_SPACED_OUT = re.compile(r"(?<!\w)(?:\w[\s.·・_-]+){2,}\w(?!\w)")
_BETWEEN = re.compile(r"[\s.·・_-]+")


def refused_in_other_scripts(text: str) -> str:
    """The listed words that `text` holds; empty when it holds none."""
    plain = normalise(text)
    joined = _SPACED_OUT.sub(lambda match: _BETWEEN.sub("", match.group()), plain)
    for reading in (plain, joined):
        match = _REFUSED.search(reading)
        if match:
            return match.group()
    return ""
