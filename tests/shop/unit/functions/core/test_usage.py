"""Spending limits: what is reserved, completed and released, and what a shopper reads when a limit is reached."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from _shared.core.callers import Caller
from _shared.core.errors import ShopError, unavailable
from _shared.core.usage import Kind, Usage, UsageLimits

from tests.shop.unit.functions.fakes import FakeDatabase

SHOPPER = Caller(id="shopper")
OPEN_AT = "2026-11-22T10:00:00.25+00:00"
LIMITS: Mapping[Kind, UsageLimits] = {
    "picture": UsageLimits(1, 5, 50),
    "print_product": UsageLimits(2, 6, 60),
    "import": UsageLimits(3, 7, 70),
    "order": UsageLimits(4, 8, 80),
}


class UsageData(FakeDatabase):
    """Answers `reserve_usage`; `steps` are the calls that followed."""

    def __init__(self, reached: str | None = None, *, is_away: bool = False) -> None:
        super().__init__()
        self.reached = reached
        self.is_away = is_away
        self.reserved: list[dict[str, Any]] = []
        self.steps: list[tuple[str, Any]] = []

    def call(self, function: str, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        assert function == "reserve_usage"
        self.reserved.append(dict(arguments))
        if self.reached is None:
            return [{"reservation": "r1", "reached": None, "open_at": None}]
        return [
            {
                "reservation": None,
                "reached": self.reached,
                "open_at": None if self.reached == "closed" else OPEN_AT,
            }
        ]

    def value(self, function: str, arguments: Mapping[str, Any]) -> object:
        self.steps.append((function, arguments["reservation"]))
        if self.is_away:
            raise unavailable("database_unavailable", "Our database did not answer.", "refused")
        return None


def rejection(data: UsageData, kind: Kind) -> ShopError:
    with pytest.raises(ShopError) as caught, Usage(data, LIMITS).reserve(SHOPPER, kind):
        raise AssertionError("nothing may be made")
    return caught.value


def test_completed_use_counts() -> None:
    data = UsageData()
    with Usage(data, LIMITS).reserve(SHOPPER, "print_product"):
        assert data.steps == []
    assert data.reserved == [
        {
            "of_user": "shopper",
            "usage_kind": "print_product",
            "per_hour": 2,
            "per_day": 6,
            "shop_per_day": 60,
            "lease_seconds": 600,
        }
    ]
    assert data.steps == [("complete_usage", "r1")]


def test_failed_or_refused_use_does_not_count() -> None:
    data = UsageData()
    with pytest.raises(ShopError) as caught, Usage(data, LIMITS).reserve(SHOPPER, "picture"):
        raise ShopError(422, "prompt_refused", "No.")
    assert caught.value.code == "prompt_refused"
    assert data.steps == [("release_usage", "r1")]


def test_service_calls_count_for_no_user() -> None:
    data = UsageData()
    with Usage(data, LIMITS).reserve(Caller(is_service=True), "picture"):
        pass
    assert data.reserved[0]["of_user"] is None


def test_cancelled_reservation_does_not_count() -> None:
    data = UsageData()
    with Usage(data, LIMITS).reserve(SHOPPER, "order") as reservation:
        reservation.cancel()
    assert data.steps == [("release_usage", "r1")]


def test_picture_is_delivered_although_the_database_is_down_afterwards() -> None:
    data = UsageData(is_away=True)
    with Usage(data, LIMITS).reserve(SHOPPER, "picture"):
        pass
    assert data.steps == [("complete_usage", "r1")]


def test_failure_is_reported_although_the_database_is_down_afterwards() -> None:
    with (
        pytest.raises(ShopError) as caught,
        Usage(UsageData(is_away=True), LIMITS).reserve(SHOPPER, "picture"),
    ):
        raise ShopError(422, "prompt_refused", "No.")
    assert caught.value.code == "prompt_refused"


@pytest.mark.parametrize(
    ("kind", "reached", "sentence"),
    [
        ("picture", "hour", "You've reached our limit for new designs: 1 an hour for one person."),
        ("picture", "day", "You've reached our limit for new designs: 5 a day for one person."),
        ("picture", "shop", "We've reached our limit for new designs in a day, for everybody together."),
        (
            "print_product",
            "hour",
            "You've reached our limit for designs made ready to print: 2 an hour for one person.",
        ),
        ("import", "day", "You've reached our limit for imported designs: 7 a day for one person."),
        ("order", "hour", "You've reached our limit for new orders: 4 an hour for one person."),
    ],
)
def test_reached_limit_says_which_and_until_when(kind: Kind, reached: str, sentence: str) -> None:
    problem = rejection(UsageData(reached), kind)
    assert (problem.status, problem.code, problem.error) == (429, "usage_limit", sentence)
    assert problem.retry_at == datetime(2026, 11, 22, 10, 0, 0, 250_000, UTC)


def test_closed_shop_says_so_without_a_time() -> None:
    problem = rejection(UsageData("closed"), "picture")
    assert (problem.status, problem.code, problem.retry_at) == (503, "usage_closed", None)
    assert problem.error == "There are no new designs at the moment. Please come back later."
