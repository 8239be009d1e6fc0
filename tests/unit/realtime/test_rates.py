"""How often something may happen."""

from __future__ import annotations

from localbase.realtime.rates import Rate, Window


class Seconds:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_rate_is_an_average_of_five_seconds() -> None:
    clock = Seconds()
    rate = Rate(2, clock)
    assert [rate.count() for _ in range(10)] == [False] * 10
    assert not rate.room_for(1)
    clock.now += 4.9
    assert rate.count()
    clock.now += 0.1
    assert rate.room_for(9)
    assert not rate.room_for(10)


def test_window_begins_with_the_first() -> None:
    clock = Seconds()
    window = Window(2, 30.0, clock)
    assert [window.take() for _ in range(3)] == [True, True, False]
    clock.now += 30.0
    assert not window.take()
    clock.now += 0.1
    assert window.take()
