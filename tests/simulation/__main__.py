"""`python -m tests.simulation`: searches for an order of events that loses money.

Without arguments: every word of three letters of the core alphabet from every stage, every stage's requests disturbed
at each of their calls, and a hundred random walks. `--seed` only walks at random, `--walks` so many seeds; `--replay`
prints each step; `--repeat` walks each of so many seeds in two processes and compares the traces. It ends with 1 where
a rule was broken or a trace differed, and prints the shortest walk that breaks it as a test.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from tests.simulation.jobs import Found, search, walks

_WALKS = 100


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--length", type=int, default=3, help="letters of the words (3)")
    parser.add_argument("--seed", type=int, help="walk at random from this seed")
    parser.add_argument("--steps", type=int, default=200, help="steps of a random walk (200)")
    parser.add_argument("--walks", type=int, help="seeds from --seed on (1; without --seed 100)")
    parser.add_argument("--replay", action="store_true", help="print every step")
    parser.add_argument("--repeat", type=int, metavar="N", help="walk N seeds twice and compare the traces")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes at once")
    options = parser.parse_args()
    began = time.monotonic()
    if options.repeat:
        return _repeat(options.seed or 0, options.repeat, options.steps, options.jobs)
    found: list[Found] = []
    if options.seed is None:
        found = search(options.length, options.jobs)
        states = sum(one.states for one in found)
        sys.stdout.write(f"words of {options.length}: {states} different states\n")
    count = options.walks or (_WALKS if options.seed is None else 1)
    found += walks(options.seed or 0, count, options.steps, options.jobs, replay=options.replay)
    return _report(found, time.monotonic() - began)


def _report(found: Sequence[Found], seconds: float) -> int:
    """Counts and times, which are no part of what repeats itself to the byte."""
    steps, checkouts = sum(one.steps for one in found), sum(one.checkouts for one in found)
    problems = {problem for one in found for problem in one.problems}
    happened = sum(one.happened for one in found)
    figures = [f"{steps} steps, {happened} of which could be, {steps / seconds:.0f} a second"]
    if checkouts:
        figures.append(f"{checkouts} checkouts, {checkouts / seconds * 60:.0f} a minute")
    figures.append(f"{len(problems)} violations, {seconds:.0f} s")
    sys.stderr.write("; ".join(figures) + "\n")
    return 1 if problems else 0


def _repeat(seed: int, count: int, steps: int, jobs: int) -> int:
    first, second = (
        {seed: digest for one in walks(seed, count, steps, jobs) for seed, digest in one.digests.items()}
        for _ in range(2)
    )
    same = sum(first[seed] == second[seed] for seed in first)
    sys.stdout.write(f"{same} of {count} walks repeat to the byte\n")
    return 0 if same == count else 1


if __name__ == "__main__":
    sys.exit(main())
