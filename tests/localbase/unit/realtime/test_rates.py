"""Limits of events in time."""

from __future__ import annotations

from localbase.realtime.hub.rates import Rate, Window


class Seconds:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_rate_is_an_average_of_five_seconds() -> None:
    clock = Seconds()
    rate = Rate(2, clock)
    assert [rate.count("a") for _ in range(10)] == [False] * 10
    assert not rate.room_for("a", 1)
    clock.now += 4.9
    assert rate.count("a")
    clock.now += 0.1
    assert rate.room_for("a", 9)
    assert not rate.room_for("a", 10)


def test_rate_that_one_address_has_used_up_leaves_others_their_share() -> None:
    clock = Seconds()
    rate = Rate(4, clock)
    assert [rate.count("a") for _ in range(20)] == [False] * 20
    assert not rate.room_for("a", 1)
    # Half of twenty, then a third.
    assert rate.room_for("b", 10)
    assert not rate.room_for("b", 11)
    assert [rate.count("b") for _ in range(11)] == [False] * 10 + [True]
    assert rate.room_for("c", 6)
    assert not rate.room_for("c", 7)
    clock.now += 5
    assert rate.room_for("a", 20)


def test_window_begins_with_the_first() -> None:
    clock = Seconds()
    window = Window(2, 30.0, clock)
    assert [window.take() for _ in range(3)] == [True, True, False]
    clock.now += 30.0
    assert not window.take()
    clock.now += 0.1
    assert window.take()
