"""Every short word of the core alphabet from every stage, and every stage's requests disturbed at every call."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.simulation.alphabet import CORE, MEANWHILE, REQUESTS, STAGES
from tests.simulation.calm import calm
from tests.simulation.crossings import MISHAPS, Plan
from tests.simulation.rules import violations
from tests.simulation.sight import Sight
from tests.simulation.walks import Step
from tests.simulation.world import Mark, World, world


@dataclass
class Search:
    """Words of `length` letters from each of `stages`.

    A state that was seen with as many letters left is not walked on from again; one that is known to end well is not
    walked to its end again.
    """

    url: str
    length: int
    stages: Sequence[str] = tuple(STAGES)
    steps: int = 0
    happened: int = 0
    """Steps that could be."""
    states: int = 0
    failures: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    """The first steps that each problem was met by."""
    _seen: dict[str, int] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)

    def run(self) -> None:
        for stage in self.stages:
            with self._at(stage) as (made, word):
                self._visit(made, word, self.length, made.look())

    def disturb(self) -> None:
        """Each mishap at every call of a request, and each other letter between every two of its calls."""
        for stage in self.stages:
            with self._at(stage) as (made, word):
                mark = made.mark("disturbed")
                for letter in REQUESTS:
                    for step in _disturbed(letter, self._calls(made, mark, letter)):
                        self._try(made, mark, word, step)

    def _visit(self, made: World, word: tuple[Step, ...], left: int, sight: Sight) -> None:
        state = sight.fingerprint(made.clock.time())
        if self._seen.get(state, -1) >= left:
            return
        is_new = state not in self._seen
        self._seen[state] = left
        mark = made.mark(f"depth_{left}")
        if is_new:
            self.states += 1
            if state not in self._known:
                if problems := calm(made, self._known):
                    self._fail(word, problems)
                made.go_back(mark)
        for letter in CORE if left else ():
            self.steps += 1
            step = Step(letter)
            if step.take(made):
                self.happened += 1
                sight = made.look()
                if problems := violations(made, sight):
                    self._fail((*word, step), problems)
                else:
                    self._visit(made, (*word, step), left - 1, sight)
            made.go_back(mark)

    def _try(self, made: World, mark: Mark, word: tuple[Step, ...], step: Step) -> None:
        self.steps += 1
        if step.take(made):
            self.happened += 1
            problems = violations(made, made.look()) or calm(made, self._known)
            if problems:
                self._fail((*word, step), problems)
        made.go_back(mark)

    def _calls(self, made: World, mark: Mark, letter: str) -> int:
        """Return how many calls the letter's requests make when nothing disturbs them."""
        before = made.calls
        Step(letter).take(made)
        calls = made.calls - before
        made.go_back(mark)
        return calls

    def _fail(self, word: tuple[Step, ...], problems: list[str]) -> None:
        for problem in problems:
            self.failures.setdefault(problem, word)

    @contextmanager
    def _at(self, stage: str) -> Iterator[tuple[World, tuple[Step, ...]]]:
        word = tuple(map(Step, STAGES[stage]))
        with tempfile.TemporaryDirectory() as folder, world(self.url, Path(folder), 0) as made:
            for step in word:
                step.take(made)
            yield made, word


def _disturbed(letter: str, calls: int) -> Iterator[Step]:
    for at in range(calls):
        for mishap in MISHAPS:
            yield Step(letter, Plan(at, mishap))
        for other in MEANWHILE:
            yield Step(letter, other=other, turns=(at + 1,))
