"""Walks through the shop: steps one after the other, the rules checked after each and once all is calm."""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emulators.stripe.disputes import Outcome
from tests.simulation.alphabet import ALONE, ALPHABET, OFTEN, Letter
from tests.simulation.calm import calm
from tests.simulation.crossings import MISHAPS, Plan
from tests.simulation.rules import violations
from tests.simulation.turns import in_turns
from tests.simulation.world import World, world

_ENDS: tuple[Outcome, ...] = ("won", "lost")


@dataclass(frozen=True)
class Step:
    """A letter, what befalls the first request that it makes, and another letter that happens meanwhile, by `turns`."""

    letter: str
    plan: Plan | None = None
    other: str = ""
    turns: tuple[int, ...] = ()

    def __str__(self) -> str:
        meanwhile = f", meanwhile {self.other} {list(self.turns)}" if self.other else ""
        return f"{self.letter}{f' ({self.plan.mishap}, call {self.plan.at})' if self.plan else ''}{meanwhile}"

    @property
    def code(self) -> str:
        """As it is written in a test."""
        given = [
            f'"{self.letter}"',
            f'Plan({self.plan.at}, "{self.plan.mishap}")' if self.plan else "",
            f'other="{self.other}", turns={self.turns}' if self.other else "",
        ]
        return f"Step({', '.join(part for part in given if part)})"

    def take(self, made: World, alphabet: Mapping[str, Letter] = ALPHABET) -> bool:
        """Tell whether it could be."""
        made.plan = self.plan
        try:
            if not self.other:
                return alphabet[self.letter](made)
            first, second = alphabet[self.letter], alphabet[self.other]
            return in_turns(lambda: first(made), lambda: second(made), self.turns)
        finally:
            made.plan = None


@dataclass(frozen=True)
class Walk:
    """Steps as they were walked; `problems` is empty where every rule held."""

    steps: tuple[Step, ...]
    seed: int
    trace: tuple[str, ...]
    problems: tuple[str, ...]
    happened: int = 0
    """Steps that could be."""
    checkouts: int = 0
    """Orders that were paid."""

    @property
    def digest(self) -> str:
        return hashlib.sha256("\n".join(self.trace).encode()).hexdigest()


def walk_as_test(name: str, steps: Sequence[Step], seed: int = 0) -> str:
    lines = "".join(f"        {step.code},\n" for step in steps)
    return (
        f"def test_{name}_breaks_no_rule(url: str) -> None:\n    steps = [\n{lines}    ]\n"
        f"    assert walk(url, steps, {seed}).problems == ()\n"
    )


def random_steps(seed: int, length: int) -> tuple[Step, ...]:
    """Letters of the whole alphabet: one in seven with a mishap, one in five with another letter meanwhile."""
    chance = random.Random(seed)
    letters = list(ALPHABET)
    weights = [OFTEN.get(letter, 1) for letter in letters]
    steps = [Step("place")]
    while len(steps) < length:
        plan = Plan(chance.randrange(16), chance.choice(MISHAPS)) if chance.random() < 1 / 7 else None
        letter, other = chance.choices(letters, weights, k=2)
        if chance.random() < 1 / 5 and not {letter, other} & {*ALONE}:
            turns = tuple(chance.randrange(1, 9) for _ in range(chance.randrange(1, 5)))
            steps.append(Step(letter, plan, other, turns))
        else:
            steps.append(Step(letter, plan))
    return tuple(steps)


def walk(
    url: str,
    steps: Sequence[Step],
    seed: int = 0,
    letters: Mapping[str, Letter] | None = None,
    known: set[str] | None = None,
) -> Walk:
    """Stops at the first step that breaks a rule. `letters` are further ones; `known` are states that end well."""
    alphabet = {**ALPHABET, **(letters or {})}
    trace: list[str] = []
    happened = 0

    def walked(problems: list[str]) -> Walk:
        checkouts = sum(order["is_paid"] for order in made.look().orders.values())
        return Walk(tuple(steps), seed, tuple(trace), tuple(problems), happened, checkouts)

    with tempfile.TemporaryDirectory() as folder, world(url, Path(folder), seed) as made:
        for step in steps:
            could_be = step.take(made, alphabet)
            happened += could_be
            sight = made.look()
            problems = violations(made, sight)
            trace.append(f"{step}{'' if could_be else ' — cannot be'}: {made.summary(sight)}")
            if problems:
                return walked(problems)
        problems = calm(made, known, _ENDS[seed % 2])
        trace.append(f"calm: {made.summary(made.look())}")
        return walked(problems)


def shrunk(url: str, failing: Walk, letters: Mapping[str, Letter] | None = None) -> Walk:
    """The shortest walk found by leaving steps and what befalls them out that still breaks one of its rules."""
    best, size = failing, len(failing.trace)
    while size:
        size = min(size, len(best.steps))
        place = 0
        while place < len(best.steps):
            shorter = _still_failing(url, best, letters, (*best.steps[:place], *best.steps[place + size :]))
            best, place = (shorter, place) if shorter else (best, place + size)
        size //= 2
    for place, step in enumerate(best.steps):
        for simpler in (Step(step.letter), Step(step.other), Step(step.letter, step.plan)):
            steps = (*best.steps[:place], simpler, *best.steps[place + 1 :])
            if simpler.letter and simpler != step and (found := _still_failing(url, best, letters, steps)):
                best = found
                break
    return best


def _still_failing(
    url: str, failing: Walk, letters: Mapping[str, Letter] | None, steps: tuple[Step, ...]
) -> Walk | None:
    tried = walk(url, steps, failing.seed, letters)
    return tried if {*tried.problems} & {*failing.problems} else None
