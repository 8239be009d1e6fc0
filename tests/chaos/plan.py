"""The plan of a run: shoppers, kills and vendors' faults, all drawn from one seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

Card = Literal["good", "declined", "declined_then_good", "challenge", "challenge_failed"]

FAULTS = {
    "vendors": ["stripe", "printify"],
    "requests": {"latency": 0.15, "latency_ms": 600, "error": 0.08, "drop": 0.08},
    "webhooks": {"duplicate": 0.3, "reorder": 0.4, "reorder_ms": 6000},
}
VICTIMS = ("functions", "gateway", "emulators", "postgres")


@dataclass(frozen=True)
class Checkout:
    """One shopper's visit. `leaves` is after how many of the four steps that follow the payment the page is closed.

    `is_returned` is the owner's whole refund in Stripe's dashboard as soon as the card was charged.
    """

    number: int
    shopper: int
    quantity: int
    country: Literal["US", "CA"]
    card: Card
    double_click: bool
    leaves: int
    cancels: bool
    is_returned: bool

    @property
    def cents(self) -> int:
        return 1990 * self.quantity + (0 if self.country == "US" else 590)

    @property
    def pays(self) -> bool:
        """Tell whether the card will be charged in the end, if the shopper gets that far."""
        return self.card in ("good", "declined_then_good", "challenge")


@dataclass(frozen=True)
class Plan:
    """`kills` are (victim, seconds since the last one)."""

    seed: int
    checkouts: tuple[Checkout, ...]
    kills: tuple[tuple[str, float], ...]
    shoppers: int


def draw(seed: int, *, full: bool) -> Plan:
    seeded = random.Random(seed)
    shoppers = 8 if full else 6
    cards: tuple[Card, ...] = ("good", "declined", "declined_then_good", "challenge", "challenge_failed")
    checkouts = tuple(
        Checkout(
            number=number,
            shopper=number % shoppers,
            quantity=seeded.randint(1, 10),
            country=seeded.choice(("US", "CA")),
            card=seeded.choices(cards, (65, 5, 12, 14, 4))[0],
            double_click=seeded.random() < 0.2,
            leaves=seeded.choices((0, 1, 2, 3), (35, 10, 10, 45))[0],
            cancels=seeded.random() < 0.12,
            is_returned=seeded.random() < 0.08,
        )
        for number in range(240 if full else 30)
    )
    # Every process dies at least once, then those that the seed picks.
    first = list(VICTIMS)
    seeded.shuffle(first)
    rest = [seeded.choice(VICTIMS) for _ in range(56 if full else 1)]
    kills = tuple((victim, seeded.uniform(0.4, 1.6)) for victim in first + rest)
    return Plan(seed, checkouts, kills, shoppers)
