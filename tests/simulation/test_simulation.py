"""The simulation: that it sees, that it repeats itself, and that the shop holds in what it searches within a minute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.simulation.crossings import Crossings, Plan, ProcessDied
from tests.simulation.ground import ground
from tests.simulation.search import Search
from tests.simulation.turns import in_turns, pause
from tests.simulation.walks import Step, Walk, random_steps, shrunk, walk, walk_as_test
from tests.simulation.world import World, world

SEEDS = range(4)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with ground() as made:
        yield made


def walked(url: str, *letters: str) -> Walk:
    return walk(url, [Step(letter) for letter in letters])


def test_no_word_of_two_from_any_stage_breaks_a_rule(url: str) -> None:
    search = Search(url, 2)
    search.run()
    assert search.states > 200
    assert search.failures == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_random_walk_breaks_no_rule(url: str, seed: int) -> None:
    assert walk(url, random_steps(seed, 60), seed).problems == ()


def test_seed_gives_the_same_trace_to_the_byte(url: str) -> None:
    first, second = (walk(url, random_steps(7, 40), 7) for _ in range(2))
    assert first.trace == second.trace
    assert first.digest == second.digest != walk(url, random_steps(8, 40), 8).digest


@pytest.mark.parametrize(
    "plan", [None, Plan(3, "dies after"), Plan(3, "answer lost")], ids=["whole", "dies", "answer lost"]
)
def test_refund_that_comes_before_its_payment_is_in_the_books(url: str, plan: Plan | None) -> None:
    steps: Sequence[Step] = [
        Step("place"), Step("pay"), Step("refund at Stripe"), Step("deliver the newest", plan)
    ]  # fmt: skip
    refunded = walk(url, steps)
    assert refunded.problems == ()
    assert refunded.trace[-1].startswith("calm: cancelled paid -1990")


def test_payment_that_was_wholly_returned_is_not_printed(url: str) -> None:
    on_hold = walked(
        url, "place", "pay", "finish checkout", "refund at Stripe", "deliver the newest", "wait a minute"
    )
    assert on_hold.problems == ()
    assert on_hold.trace[-1] == "calm: cancelled paid -1990  | canceled | 0 | 2 mails"


def test_payment_that_is_returned_from_production_on_is_flagged(url: str) -> None:
    made = walked(
        url, "place", "pay", "finish checkout", "wait a minute", "sweep", "wait a minute", "refund at Stripe"
    )
    assert made.problems == ()
    assert "!money_returned" in made.trace[-1]


def test_refund_whose_events_never_come_is_in_the_books(url: str) -> None:
    delivered = ("place", "pay", "finish checkout", "wait a minute", "sweep", "wait a day", "sweep")
    lost = walked(url, *delivered, "part refund at Stripe", "events are lost")
    assert lost.problems == ()
    assert " -500 " in lost.trace[-1]


def forget(world: World) -> bool:
    """A mistake that the books could make."""
    forgotten = "update public.orders set refunded_cents = 0 where refunded_cents > 0 returning id"
    return bool(world.database.run(forgotten))


ALL_DELIVERED = ("deliver the oldest",) * 3


def test_rule_that_is_broken_is_seen(url: str) -> None:
    steps = [Step(letter) for letter in ("place", "pay", "refund at Stripe", *ALL_DELIVERED, "forget")]
    broken = walk(url, steps, letters={"forget": forget})
    assert "the books say 1990 cents, Stripe 0" in broken.problems


def test_failing_walk_is_shrunk_to_what_breaks_the_rule(url: str) -> None:
    needed = ("place", "pay", "refund at Stripe", *ALL_DELIVERED, "forget")
    letters = ("place", "wait a minute", "pay", "wait a minute", *needed[2:-1], "sweep", "forget")
    failing = walk(url, [Step(letter) for letter in letters], letters={"forget": forget})
    assert failing.problems
    assert tuple(step.letter for step in shrunk(url, failing, {"forget": forget}).steps) == needed


def test_double_click_places_one_order(url: str) -> None:
    known = set[str]()
    for calls in range(1, 12):
        steps = [Step("place"), Step("place again", other="place again", turns=(calls,))]
        clicked = walk(url, steps, known=known)
        assert clicked.problems == ()
        assert clicked.trace[1].split(": ", 1)[1] == "pending -0 settle |  | 0 | 0 mails"


def test_processes_go_on_by_turns() -> None:
    told: list[str] = []

    def work(name: str) -> bool:
        crossings = Crossings(pause=pause)
        for number in range(3):
            crossings.cross("", partial(told.append, f"{name}{number}"))
        return True

    assert in_turns(lambda: work("a"), lambda: work("b"), (2, 3))
    # the first turn's first stop is before a call
    assert told == ["a0", "b0", "b1", "a1", "a2", "b2"]


def test_request_that_finds_no_end_is_ended() -> None:
    crossings = Crossings()
    with pytest.raises(ProcessDied):
        for _ in range(10_000):
            crossings.cross("", lambda: None)
    assert crossings.is_endless


def test_time_of_the_database_is_the_clocks_and_goes_back(url: str, tmp_path: Path) -> None:
    with world(url, tmp_path, 0) as made:
        order = made.place()
        mark = made.mark("placed")
        made.clock.sleep(90_000)
        age = "select round(extract(epoch from now() - created_at))::int as age from public.orders where id = %s"
        assert made.database.run(age, order) == [{"age": 90_000}]
        made.go_back(mark)
        assert made.database.run(age, order) == [{"age": 0}]


@pytest.mark.parametrize(
    "step",
    [Step("pay"), Step("sweep", Plan(3, "dies after")), Step("cancel", None, "sweep", (2, 5))],
    ids=lambda step: step.letter,
)
def test_step_is_written_as_code(step: Step) -> None:
    assert eval(step.code) == step  # noqa: S307 - our own text
    assert step.code in walk_as_test("seed_7", [Step("place"), step], 7)
