"""Searches and walks in several processes at once, each with a Postgres of its own."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from tests.simulation.alphabet import STAGES
from tests.simulation.ground import ground
from tests.simulation.search import Search
from tests.simulation.walks import random_steps, shrunk, walk, walk_as_test

# A shorter search is for a quick look.
_DISTURBED_FROM = 3


@dataclass
class Found:
    """The walks of a process."""

    steps: int = 0
    happened: int = 0
    checkouts: int = 0
    states: int = 0
    problems: list[str] = field(default_factory=list)
    digests: dict[int, str] = field(default_factory=dict)


def search(length: int, jobs: int) -> list[Found]:
    """From every stage."""
    stages = list(STAGES)
    parts = [stages[number::jobs] for number in range(jobs)]
    return _at_once(_search, [(length, part) for part in parts if part])


def walks(seed: int, count: int, steps: int, jobs: int, *, replay: bool = False) -> list[Found]:
    seeds = range(seed, seed + count)
    parts = [seeds[number::jobs] for number in range(jobs)]
    return _at_once(_walk, [(part, steps, replay) for part in parts if part])


def _at_once(work: Callable[..., Found], parts: Sequence[tuple[object, ...]]) -> list[Found]:
    with ProcessPoolExecutor(len(parts), get_context("spawn")) as pool:
        return [done.result() for done in [pool.submit(work, *part) for part in parts]]


def _search(length: int, stages: Sequence[str]) -> Found:
    logging.disable(logging.CRITICAL)  # the shop's own lines, thousands of them
    with ground() as url:
        search = Search(url, length, stages)
        search.run()
        if length >= _DISTURBED_FROM:
            search.disturb()
    for number, (problem, word) in enumerate(search.failures.items()):
        _say(f"violation: {problem}\n{walk_as_test(f'word_{number}', word)}")
    return Found(search.steps, search.happened, 0, search.states, list(search.failures))


def _walk(seeds: Sequence[int], steps: int, replay: bool) -> Found:
    logging.disable(logging.CRITICAL)
    found = Found()
    with ground() as url:
        for seed in seeds:
            walked = walk(url, random_steps(seed, steps), seed)
            found.steps += len(walked.trace)
            found.happened += walked.happened
            found.checkouts += walked.checkouts
            found.digests[seed] = walked.digest
            if replay:
                _say("\n".join(walked.trace))
            if walked.problems:
                found.problems += walked.problems
                short = shrunk(url, walked)
                told = "".join(f"violation: {problem}\n" for problem in short.problems)
                trace = "".join(f"  {line}\n" for line in short.trace)
                _say(f"{told}{trace}{walk_as_test(f'seed_{seed}', short.steps, seed)}")
            _say(f"seed {seed}, {len(walked.trace)} steps: {walked.digest}")
    return found


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
