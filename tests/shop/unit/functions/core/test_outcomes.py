"""Outcomes from the database as Literals."""

from typing import Literal, get_args

import pytest
from _shared.core.errors import ShopError
from _shared.core.outcomes import one_of

Weather = Literal["sun", "rain"]
WEATHER: tuple[Weather, ...] = get_args(Weather)


@pytest.mark.parametrize("value", WEATHER)
def test_known_outcome_passes(value: Weather) -> None:
    assert one_of(WEATHER, value) == value


@pytest.mark.parametrize("value", ["snow", "", None, 1, "Sun"])
def test_unknown_outcome_is_an_error_that_names_it_in_the_log_alone(value: object) -> None:
    with pytest.raises(ShopError) as caught:
        one_of(WEATHER, value)
    assert (caught.value.status, caught.value.code) == (502, "unexpected_outcome")
    assert caught.value.error == "Something went wrong on our side."
    assert caught.value.cause == f"{value!r} is none of ('sun', 'rain')"
