"""Moderation: indecent ideas are rejected in any spelling, and harmless ones are not."""

import pytest

from emulators.replicate.safety import is_refused


@pytest.mark.parametrize(
    "prompt",
    [
        "a nude model", "Idea: PORN star\nStyle: Cartoon", "p0rn", "p.o.r.n", "p o r n", "a naked  woman on a beach",
        "gore and beheadings", "a beheaded knight", "how I kill myself", "a swastika made of flowers", "H1tler",
        "hîtler", "white\u200b power", "Mickey Mouse surfing", "a Pokémon trainer", "SPIDER-MAN", "Lettering: \"Nike\"",
        "Coca-Cola bottle", "McDonald's fries",
    ],
)  # fmt: skip
def test_indecent_ideas_are_rejected(prompt: str) -> None:
    assert is_refused(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "a naked mole rat with a crown", "a killer whale", "shoot hoops", "a bomb pop ice cream", "Sussex by the sea",
        "a rooster in Scunthorpe", "the goddess Isis", "a gore-tex jacket", "unisex yoga class",
        "a spider and a man", "sonic boom", "peanuts and beer", "a duck named Donald", "hedgehog",
        "bloody mary with celery", "a cat with 1 hat, 3 balls and 5 stars", "Style: Ghibli", "I ♥ NY", "a mouse",
    ],
)  # fmt: skip
def test_harmless_ideas_are_drawn(prompt: str) -> None:
    assert not is_refused(prompt)
