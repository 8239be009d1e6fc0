"""What is a linear cost and what is none, with the noise that machines have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from tests.localbase.integration.growth.measure import growth

MEGABYTE = 1 << 20


def _cost(
    seconds: Callable[[float], float], disturbed: Iterator[float]
) -> Callable[[int], tuple[float, int]]:
    return lambda size: (seconds(size / MEGABYTE) * next(disturbed), 200)


@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(lambda part: 0.08 * part, id="linear"),
        pytest.param(
            lambda part: 0.08 * part * (1.75 if part > 0.5 else 1), id="whole outside of the caches"
        ),
        pytest.param(lambda part: 0.003 + 0.03 * part**2, id="too cheap to judge"),
    ],
)
def test_linear_cost_is_bounded_beside_other_work(seconds: Callable[[float], float]) -> None:
    assert growth(_cost(seconds, cycle([1.8, 1, 1.1, 1.9, 1.3])), MEGABYTE).is_bounded


@pytest.mark.parametrize("exponent", [2, 2.5, 3])
def test_quadratic_cost_is_not_bounded(exponent: float) -> None:
    cost = _cost(lambda part: 0.002 + 0.5 * part**exponent, cycle([1.8, 1, 1.1, 1.9, 1.3]))
    assert not growth(cost, MEGABYTE).is_bounded
