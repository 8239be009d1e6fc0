"""English, as far as t-shirt ideas need it: stems, numbers, colours, synonyms, relations."""

from __future__ import annotations

import re

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

# A word that people use → the word that the icon sets use.
SYNONYMS = {
    "puppy": "dog", "pup": "dog", "doggo": "dog", "corgi": "dog", "pug": "dog", "labrador": "dog",
    "dachshund": "dog", "husky": "dog", "kitten": "cat", "kitty": "cat", "kitties": "cat", "bunny": "rabbit",
    "hare": "rabbit", "bike": "bicycle", "cyclist": "bicycle", "cycling": "bicycle", "motorbike": "motorcycle",
    "dino": "t rex", "dinosaur": "t rex", "tyrannosaurus": "t rex", "trex": "t rex", "ramen": "steaming bowl",
    "noodle": "steaming bowl", "soup": "steaming bowl", "coffee": "hot beverage", "cup": "hot beverage",
    "mug": "hot beverage", "espresso": "hot beverage",
    "latte": "hot beverage", "cappuccino": "hot beverage", "tea": "teacup", "balloon": "balloon",
    "surf": "water wave",
    "wave": "water wave", "ocean": "water wave", "sea": "water wave", "surfer": "water wave",
    "hike": "mountain",
    "hiker": "hiking boot", "hiking": "hiking boot", "camp": "camping", "campfire": "fire", "bonfire": "fire",
    "flame": "fire", "spaceship": "rocket", "spacecraft": "rocket", "shuttle": "rocket", "ufo": "flying saucer",
    "spaceman": "astronaut", "cosmonaut": "astronaut", "skate": "skateboard", "skater": "skateboard",
    "rose": "rose", "flower": "hibiscus", "blossom": "cherry blossom", "sakura": "cherry blossom",
    "plant": "potted plant", "succulent": "cactus", "cacti": "cactus", "tree": "deciduous tree",
    "forest": "evergreen tree", "pine": "evergreen tree", "fir": "evergreen tree", "wood": "evergreen tree",
    "palm": "palm tree", "shroom": "mushroom", "toadstool": "mushroom", "burger": "hamburger",
    "taco": "taco", "sushi": "sushi", "donut": "doughnut", "cake": "shortcake", "icecream": "ice cream",
    "gelato": "ice cream", "popsicle": "ice cream", "wine": "wine glass", "beer": "beer mug",
    "cocktail": "tropical drink", "book": "books", "reader": "open book", "reading": "open book",
    "music": "musical note", "vinyl": "optical disk", "record": "optical disk", "gamer": "video game",
    "gaming": "video game", "game": "video game", "controller": "video game", "laptop": "laptop",
    "computer": "laptop", "coder": "laptop", "code": "laptop", "programmer": "laptop", "developer": "laptop",
    "ghost": "ghost", "halloween": "jack o lantern", "pumpkin": "jack o lantern", "skeleton": "skull",
    "xmas": "christmas tree", "christmas": "christmas tree", "santa": "santa claus", "gnome": "elf",
    "wizard": "mage", "witch": "mage", "king": "crown", "queen": "crown", "sailboat": "sailboat",
    "boat": "sailboat", "sailing": "sailboat", "ship": "sailboat", "train": "locomotive", "plane": "airplane",
    "car": "automobile", "truck": "pickup truck", "camper": "minibus", "campervan": "minibus", "van": "minibus",
    "mountains": "mountain", "peak": "snow capped mountain", "alps": "snow capped mountain",
    "volcano": "volcano", "sunset": "sun", "sunrise": "sun", "sunshine": "sun", "moonlight": "crescent moon",
    "moon": "crescent moon", "planet": "ringed planet", "saturn": "ringed planet", "earth": "globe",
    "world": "globe", "galaxy": "milky way", "cosmos": "ringed planet", "heart": "red heart",
    "love": "red heart",
    "thunder": "high voltage", "lightning": "high voltage", "bolt": "high voltage", "chef": "cooking",
    "baker": "bread", "baking": "bread", "gardener": "seedling", "garden": "seedling", "sprout": "seedling",
    "fishing": "fishing pole", "fisherman": "fishing pole", "fish": "fish", "shark": "shark", "orca": "whale",
    "whale": "spouting whale", "bird": "bird", "raven": "black bird", "crow": "black bird", "duckling": "duck",
    "chick": "baby chick", "chicken": "rooster", "hen": "chicken", "bear": "bear", "teddy": "teddy bear",
    "grizzly": "bear", "lion": "lion", "tiger": "tiger", "wolf": "wolf", "fox": "fox", "deer": "deer",
    "stag": "deer", "reindeer": "deer", "bee": "honeybee", "bumblebee": "honeybee", "moth": "butterfly",
    "ladybug": "lady beetle", "ladybird": "lady beetle", "snail": "snail", "turtle": "turtle",
    "tortoise": "turtle", "gator": "crocodile", "alligator": "crocodile", "monster": "alien monster",
    "yoga": "person in lotus position", "meditation": "person in lotus position",
    "meditating": "person in lotus position", "runner": "running shoe", "running": "running shoe",
    "marathon": "running shoe", "gym": "person lifting weights", "football": "soccer ball",
    "soccer": "soccer ball",
    "basketball": "basketball", "tennis": "tennis", "skiing": "skis", "ski": "skis", "skier": "skis",
    "snowboarder": "snowboard", "climber": "mountain", "climbing": "mountain", "photographer": "camera",
    "photography": "camera", "painter": "artist palette", "painting": "artist palette", "art": "artist palette",
    "scientist": "microscope", "science": "test tube", "doctor": "stethoscope", "nurse": "stethoscope",
    "teacher": "graduation cap", "knitting": "yarn", "knit": "yarn", "pizza": "pizza", "avocado": "avocado",
    "lemon": "lemon", "peach": "peach", "pineapple": "pineapple", "city": "cityscape",
    "lighthouse": "lighthouse",
    "beach": "beach with umbrella", "island": "desert island", "summer": "sun", "winter": "snowflake",
    "snow": "snowflake", "rain": "umbrella with rain drops", "rainbow": "rainbow", "cloud": "cloud",
    "guitarist": "guitar", "drummer": "drum", "pianist": "musical keyboard", "piano": "musical keyboard",
    "samurai": "crossed swords", "viking": "axe", "pirate": "pirate flag", "cowboy": "cowboy hat face",
    "mermaid": "mermaid", "sloth": "sloth", "koala": "koala", "penguin": "penguin", "otter": "otter",
    "hedgehog": "hedgehog", "axolotl": "lizard", "gecko": "lizard", "llama": "llama", "alpaca": "llama",
    "elephant": "elephant", "giraffe": "giraffe", "sunglasses": "sunglasses", "glasses": "sunglasses",
    "mum": "red heart", "dad": "hammer and wrench", "mechanic": "wrench", "barista": "hot beverage",
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
        "all", "some", "no", "not", "only", "more",
    )
)  # fmt: skip

# How the thing after this word stands to the thing before it.
RELATIONS = {
    "on": "on", "riding": "on", "rides": "on", "atop": "on", "driving": "on", "surfing": "on",
    "skateboarding": "on", "climbing": "on", "over": "on",
    "with": "with", "holding": "with", "eating": "with", "drinking": "with", "playing": "with",
    "reading": "with",
    "wearing": "worn", "wears": "worn", "and": "beside", "plus": "beside", "versus": "beside",
    "vs": "beside", "meets": "beside",
    "in": "behind", "inside": "behind", "under": "above", "beneath": "above", "at": "behind",
    "through": "behind", "among": "behind", "against": "behind", "howling": "above", "near": "behind",
}  # fmt: skip

SCENES = {
    "space": ("space", "galaxy", "planet", "astronaut", "cosmic", "cosmos", "rocket", "star", "alien",
    "universe",
              "saturn", "ufo", "spaceship"),
    "sea": ("sea", "ocean", "wave", "surf", "surfing", "surfer", "whale", "shark", "sail", "sailing",
    "sailboat",
            "boat", "ship", "lighthouse", "dolphin", "octopus", "fish", "fishing", "island"),
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
        "star", "snow", "winter", "arctic", "garden", "meadow", "spring", "summer", "landscape", "outdoors",
        "sky",
    )
)  # fmt: skip


def words_of(text: str) -> list[str]:
    return re.findall(
        r"[a-z]+|\d+", text.lower().replace("'s", "").replace("’s", "").replace("t-shirt", "tshirt")
    )


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
