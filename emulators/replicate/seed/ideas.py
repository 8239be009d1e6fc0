"""The seeded users' prompts."""

from __future__ import annotations

from dataclasses import dataclass

SHOPPER, INES, KOFI, YUKI, MARTA, DIEGO, PRIYA = 1, 3, 4, 5, 6, 7, 8
"""Last digits of the people's ids in sql/seed/20_people.sql."""


@dataclass(frozen=True)
class Idea:
    """One design. `days` is its age when the database is seeded; private ones are not published.

    With a `photo` of tests/support/photos it was made from that, and `text` is its name.
    """

    text: str
    style: str
    mood: str
    colour: str
    person: int
    days: float
    lettering: str = ""
    seed: int = 1
    public: bool = True
    photo: str = ""


IDEAS = (
    Idea("Picture Design - Pop art", "pop art", "bold", "White", YUKI, 0.4, "Boss cat", 3, photo="chelsea"),
    Idea("Slow mornings", "vintage", "earthy", "Sand", INES, 0.9, "Slow mornings", 2, photo="coffee"),
    Idea(
        "Picture Design - Watercolor", "watercolor", "colorful", "White", MARTA, 1.5, "", 5, photo="chelsea"
    ),
    Idea(
        "Picture Design - Line art",
        "line art",
        "monochrome",
        "Black",
        KOFI,
        8.8,
        "But first",
        4,
        photo="coffee",
    ),
    Idea("Picture Design - synthwave", "synthwave", "bright", "Black", PRIYA, 6.6, "", 2, photo="chelsea"),
    Idea("An astronaut cat surfing a wave in space", "cartoon", "bright", "Black", YUKI, 2.1, seed=5),
    Idea("Retro sunset with palm trees", "vintage", "colorful", "Navy", DIEGO, 3.4, "California", 4),
    Idea(
        "A fox reading a book in the forest", "watercolor", "colorful", "White", MARTA, 4.0, "Stay Curious", 3
    ),
    Idea("A wolf in the mountains at night", "minimalist", "elegant", "Charcoal", KOFI, 4.6, "", 2),
    Idea("Powered by coffee", "vintage", "earthy", "Sand", INES, 5.5, "But first, coffee", 7),
    Idea("A whale with a lighthouse", "watercolor", "muted", "White", MARTA, 6.2, "", 1),
    Idea("A dog wearing sunglasses on a skateboard", "cartoon", "colorful", "White", DIEGO, 7.3, "Cool", 5),
    Idea("A frog wearing a crown", "caricature", "bold", "Light Blue", PRIYA, 8.1, "", 3),
    Idea("Two pandas drinking tea", "watercolor", "pastel", "Light Pink", YUKI, 9.0, "Slow down", 5),
    Idea("A skull and roses", "vintage", "dark", "Black", KOFI, 10.2, "", 6),
    Idea("A cactus in the desert", "line art", "earthy", "Sand", DIEGO, 11.0, "Stay sharp", 2),
    Idea("Seven bees and flowers", "doodle", "bright", "White", MARTA, 12.4, "Bee kind", 2),
    Idea("A rocket in space", "cartoon", "bold", "Royal", YUKI, 13.1, "To the moon", 4),
    Idea("Ramen with chopsticks", "cartoon", "colorful", "Red", YUKI, 14.0, "Send noodles", 8),
    Idea(
        "A bear camping in the mountains", "vintage", "earthy", "Forest Green", KOFI, 15.2, "Into the wild", 9
    ),
    Idea("A hot air balloon over mountains", "minimalist", "earthy", "Sand", INES, 16.3, "Wander", 2),
    Idea("An octopus in the sea", "abstract", "bright", "White", PRIYA, 17.1, "", 3),
    Idea("A T-Rex riding a bicycle", "cartoon", "bright", "Orange", DIEGO, 18.4, "", 2),
    Idea("Mushrooms in the forest", "watercolor", "earthy", "Sand", MARTA, 19.0, "", 4),
    Idea("An electric guitar", "abstract", "colorful", "Black", KOFI, 20.5, "Loud", 1),
    Idea("A penguin riding a bicycle", "realistic photo", "colorful", "Light Blue", INES, 21.2, "", 8),
    Idea("A tiger", "abstract", "bold", "Black", PRIYA, 22.7, "", 6),
    Idea("An owl on a branch at night under the moon", "sketch", "dark", "Navy", MARTA, 23.3, "", 3),
    Idea("An avocado and toast", "doodle", "pastel", "White", INES, 24.6, "Better together", 4),
    Idea("A sailboat on the sea at sunset", "watercolor", "bright", "Navy", DIEGO, 26.1, "", 2),
    Idea("A koala with headphones", "cartoon", "pastel", "Purple", YUKI, 27.5, "", 3),
    Idea("A sunflower", "line art", "elegant", "Black", MARTA, 28.2, "Grow slowly", 2),
    Idea("A racing car", "vintage", "bold", "White", KOFI, 29.8, "Fast club", 3),
    Idea("A unicorn with a rainbow", "doodle", "bright", "Light Pink", PRIYA, 31.0, "", 5),
    Idea("Creative mode on", "abstract", "bold", "White", PRIYA, 32.4, "Make things", 2),
    Idea("A sloth on a tree", "cartoon", "earthy", "Military Green", KOFI, 33.3, "Not today", 1),
    Idea("Three cats", "cartoon", "colorful", "White", YUKI, 34.7, "", 1),
    Idea("A lion wearing a crown", "caricature", "elegant", "Maroon", INES, 36.0, "", 4),
    Idea("A camera", "line art", "monochrome", "White", DIEGO, 37.1, "Still moving", 2),
    Idea("A city skyline at night", "vintage", "dark", "Black", KOFI, 38.5, "Night shift", 3),
    Idea("A butterfly in the garden", "watercolor", "bright", "White", MARTA, 39.9, "", 3),
    Idea("A shark with a donut", "cartoon", "colorful", "Light Blue", DIEGO, 41.2, "Snack attack", 4),
    Idea("A robot with a red heart", "doodle", "colorful", "Sport Grey", PRIYA, 42.6, "", 6),
    Idea("A pineapple wearing sunglasses", "cartoon", "bright", "White", DIEGO, 44.0, "Aloha", 2),
    Idea("A raccoon with pizza", "caricature", "colorful", "Charcoal", YUKI, 45.7, "Trash panda", 2),
    Idea("A snow-capped mountain", "line art", "elegant", "Navy", KOFI, 47.1, "Go higher", 1),
    Idea("A flamingo on the beach", "realistic photo", "bright", "Light Pink", INES, 48.3, "", 2),
    Idea("A dragon", "vintage", "dark", "Red", KOFI, 50.2, "", 3),
    Idea("A lemon and leaves", "watercolor", "bright", "White", MARTA, 51.6, "Squeeze the day", 4),
    Idea("A ghost with a pumpkin at night", "cartoon", "dark", "Black", YUKI, 53.0, "Boo", 3),
    Idea("Ctrl alt delight", "minimalist", "bold", "Black", PRIYA, 55.4, "Ctrl Alt Delight", 3),
    Idea(
        "A hummingbird and hibiscus in the garden", "realistic photo", "colorful", "White", MARTA, 57.2, "", 5
    ),
    Idea("A vinyl record", "vintage", "colorful", "Maroon", KOFI, 59.0, "Play it loud", 1),
    Idea("Five turtles in the sea", "doodle", "colorful", "Light Blue", DIEGO, 62.3, "", 3),
    Idea("A rabbit astronaut with a rocket in space", "sketch", "bright", "Black", YUKI, 65.1, "", 5),
    Idea("A steam locomotive", "vintage", "earthy", "Sand", INES, 68.4, "Slow travel", 2),
    Idea("A peacock", "abstract", "bright", "Navy", PRIYA, 71.0, "", 4),
    Idea("An elephant with a balloon", "watercolor", "pastel", "White", MARTA, 74.5, "", 3),
    Idea("A cowboy boot and cactus in the desert", "vintage", "earthy", "Orange", DIEGO, 78.2, "Howdy", 2),
    Idea("A hedgehog with a strawberry", "cartoon", "pastel", "White", YUKI, 82.0, "", 2),
    Idea("A volcano", "vintage", "bold", "Black", KOFI, 86.7, "", 3),
    Idea("A bicycle", "line art", "colorful", "White", INES, 91.3, "Two wheels, one soul", 3),
    Idea("A lobster", "vintage", "bold", "White", PRIYA, 96.2, "Main character", 2),
    Idea("A hedge of tulips and a snail", "doodle", "colorful", "Forest Green", MARTA, 101.5, "", 4),
    Idea("An eagle over the mountains", "vintage", "earthy", "Military Green", KOFI, 108.0, "", 1),
    Idea(
        "Our dog with a tennis ball",
        "cartoon",
        "colorful",
        "White",
        SHOPPER,
        1.2,
        "Good boy",
        6,
        public=False,
    ),
    Idea("A mountain bike", "vintage", "bold", "Black", SHOPPER, 12.0, "Ride on", 2, public=False),
    Idea(
        "A cup of coffee and a croissant",
        "watercolor",
        "pastel",
        "White",
        SHOPPER,
        30.0,
        "Sunday",
        3,
        public=False,
    ),
)
