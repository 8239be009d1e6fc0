"""English, as far as t-shirt ideas need it: stems, numbers, colours, synonyms, relations."""

from __future__ import annotations

import re
import unicodedata

NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "couple": 2, "pair": 2, "trio": 3, "dozen": 12, "many": 7, "lots": 7, "bunch": 5, "several": 4, "some": 3,
}  # fmt: skip

COLOURS = {
    "red": "#e23b2e", "crimson": "#b3123a", "orange": "#f58220", "yellow": "#ffc928", "gold": "#d4a537",
    "golden": "#d4a537", "green": "#2fa35b", "lime": "#8fd14f", "teal": "#138d90", "turquoise": "#2ec4b6",
    "blue": "#2a62d6", "navy": "#1f2a5c", "purple": "#7b3fb5", "violet": "#7b3fb5", "lavender": "#b39ddb",
    "pink": "#f06fa5", "magenta": "#d81b84", "brown": "#80522d", "black": "#26242b", "white": "#f5f2ea",
    "grey": "#8a8d91", "gray": "#8a8d91", "silver": "#b4bac2", "beige": "#dccbae",
}  # fmt: skip

STOP = frozenset(
    (
        "a", "an", "the", "of", "to", "for", "is", "are", "be", "its", "it", "my", "your", "our", "his",
        "her", "their", "this", "that", "these", "those", "very", "really", "super", "so", "just", "like",
        "as", "by", "at", "from", "into", "out", "up", "down", "over", "under", "near", "next", "with",
        "without", "and", "or", "but", "who", "which", "what", "when", "while", "has", "have", "had",
        "having", "make", "makes", "made", "making", "style", "design", "shirt", "tshirt", "tee", "print",
        "picture", "image", "drawing", "drawn", "illustration", "logo", "graphic", "art", "artwork", "cute",
        "cool", "funny", "happy", "little", "small", "big", "giant", "tiny", "huge", "old", "new", "vintage",
        "retro", "modern", "simple", "minimal", "minimalist", "abstract", "colorful", "colourful", "bright",
        "dark", "pastel", "beautiful", "awesome", "great", "nice", "amazing", "epic", "cosy", "cozy",
        "lovely", "sweet", "fun", "adorable", "majestic", "wild", "fierce", "brave", "sleepy", "lazy",
        "electric", "angry", "sad", "proud", "hot", "cold", "warm", "fresh", "tired", "grumpy", "clever",
        "mighty", "dancing", "sitting", "standing", "running", "looking", "wearing", "riding", "holding",
        "eating", "drinking", "playing", "flying", "sleeping", "jumping", "on", "in", "inside", "through",
        "across", "above", "below", "behind", "before", "around", "text", "says", "say", "saying", "word",
        "words", "lettering", "include", "please", "want", "would", "i", "we", "you", "me", "one", "there",
        "all", "some", "no", "not", "only", "more", "named", "called",
    )
)  # fmt: skip

# How the thing after this word stands to the thing before it.
RELATIONS = {
    "on": "on", "riding": "on", "rides": "on", "atop": "on", "driving": "on", "surfing": "on",
    "skateboarding": "on", "climbing": "on", "over": "on",
    "with": "with", "holding": "with", "eating": "with", "drinking": "with", "playing": "with",
    "reading": "with", "loving": "with", "drumming": "with",
    "wearing": "worn", "wears": "worn", "and": "beside", "plus": "beside", "versus": "beside",
    "vs": "beside", "meets": "beside",
    "in": "in", "inside": "in", "under": "above", "beneath": "above", "at": "behind",
    "through": "behind", "among": "behind", "against": "behind", "howling": "above", "near": "behind",
}  # fmt: skip

SCENES = {
    "space": ("space", "galaxy", "planet", "astronaut", "cosmic", "cosmos", "rocket", "star", "alien",
    "universe",
              "saturn", "ufo", "spaceship"),
    "sea": ("sea", "ocean", "wave", "surf", "surfing", "surfer", "whale", "shark", "sail", "sailing",
    "sailboat",
            "boat", "ship", "lake", "river", "viking", "pirate",
            "lighthouse", "dolphin", "octopus", "fish", "fishing", "island"),
    "tropics": ("beach", "tropical", "palm", "flamingo", "sunset", "sunrise", "summer", "toucan", "parrot",
                "pineapple", "hawaii", "holiday"),
    "mountains": ("mountain", "mountains", "hike", "hiking", "hiker", "camp", "camping", "campfire", "ski",
    "alps",
                  "peak", "climb", "climbing", "climber", "adventure", "bear", "wolf", "tent", "outdoors", "eagle"),
    "forest": ("forest", "wood", "woods", "deer", "fox", "owl", "mushroom", "tree", "pine", "squirrel",
    "hedgehog"),
    "city": ("city", "town", "street", "skyline", "urban", "skyscraper", "tokyo", "york", "train"),
    "desert": ("desert", "cactus", "camel", "cowboy", "canyon", "mesa", "lizard", "western"),
    "night": ("night", "moon", "moonlight", "bat", "ghost", "halloween", "witch", "raven", "midnight", "stars"),
    "snow": ("snow", "winter", "penguin", "ice", "christmas", "polar", "snowman", "arctic"),
    "garden": ("garden", "flower", "flowers", "bee", "butterfly", "honeybee", "rose", "sunflower", "spring",
               "blossom", "meadow", "ladybug", "hummingbird"),
}  # fmt: skip

# Words that a landscape shows by itself: with one behind, no icon is needed for them.
PLACES = frozenset(
    (
        "sunset", "sunrise", "beach", "palm", "tree", "tropic", "tropical", "sea", "ocean", "mountain",
        "peak", "alps", "hill", "forest", "wood", "pine", "city", "town", "street", "skyline", "skyscraper",
        "desert", "canyon", "space", "galaxy", "cosmos", "universe", "night", "midnight", "moon", "moonlight",
        "star", "snow", "winter", "arctic", "garden", "meadow", "spring", "summer", "landscape", "outdoors", "sky",
        "lake", "river", "storm",
    )
)  # fmt: skip


_SERVED = re.compile(
    r"\b(?:cup|mug|glass|pint|bowl|slice|piece|bottle|bunch)s? of (?=(?:hot |fresh |cold )?"
    r"(?:tea|coffee|cocoa|wine|beer|ramen|soup|noodles|rice|pizza|cake|milk|matcha|espresso)\b)()",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:named|called)\s+\w+", re.IGNORECASE)


def plain(text: str) -> str:
    """Without accents: `Zürich` → `Zurich`."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def words_of(text: str) -> list[str]:
    """The words in small letters, without accents; a `pizza-eating dog` is a dog eating pizza."""
    text = plain(text).replace("’", "'").replace("T-shirt", "tshirt").replace("t-shirt", "tshirt")
    text = _SERVED.sub(r"\1", text)
    text = _NAMED.sub(" ", re.sub(r"'s\b|'S\b", "", text))
    text = re.sub(
        r"\b(\w+)-(playing|eating|drinking|riding|reading|holding|wearing|loving)\s+(\w+)", r"\3 \2 \1", text
    )
    return re.findall(r"[a-z]+|\d+", re.sub(r"(?<=[A-Za-z])'(?=[A-Za-z])", "", text).lower())


def stem(word: str) -> str:
    """Singular, roughly: `foxes` → `fox`, `cherries` → `cherry`, `wolves` → `wolf`."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word in ("wolves", "knives", "leaves", "elves", "shelves"):
        return word[:-3] + "f"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses", "zes", "oes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return {"mice": "mouse", "geese": "goose", "children": "child", "feet": "foot"}.get(word, word)
