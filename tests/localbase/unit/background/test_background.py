"""Due minutes after a pause of the clock, and addresses of the official stack's containers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from localbase.background.jobs import due_minutes
from localbase.core.container_addresses import local_address

_LAST = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)


def due(**passed: float) -> list[tuple[int, bool]]:
    """Minutes behind the last one, and whether only jobs at fixed times are due in them."""
    minutes = due_minutes(_LAST, _LAST + timedelta(**passed))
    return [(round((minute.at - _LAST) / timedelta(minutes=1)), minute.only_fixed) for minute in minutes]


def test_minute_is_due_once() -> None:
    assert due(seconds=59.9) == []
    assert due(seconds=60) == due(seconds=119) == [(1, False)]


def test_few_missed_minutes_are_made_up_for() -> None:
    assert due(minutes=3, seconds=20) == [(1, False), (2, False), (3, False)]


def test_of_some_hours_only_jobs_at_fixed_times_are_made_up_for() -> None:
    assert due(minutes=180) == [*((number, True) for number in range(1, 180)), (180, False)]


def test_large_jump_is_another_time() -> None:
    assert due(minutes=181) == [(181, False)]
    assert due(days=-2) == [(-2880, False)]


def test_clock_that_goes_back_repeats_nothing() -> None:
    assert due(minutes=-60) == []


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://kong:8000/functions/v1/x?y=1", "http://127.0.0.1:54321/functions/v1/x?y=1"),
        ("http://supabase_kong_my-app:8000/rest/v1/", "http://127.0.0.1:54321/rest/v1/"),
        ("http://api.supabase.internal:8000/a", "http://127.0.0.1:54321/a"),
        ("http://host.docker.internal:3000/api", "http://127.0.0.1:3000/api"),
        ("https://host.docker.internal/api", "https://127.0.0.1/api"),
        ("http://kong.example.com:8000/x", "http://kong.example.com:8000/x"),
        ("https://example.com/hook", "https://example.com/hook"),
    ],
)
def test_containers_of_the_official_stack_are_the_gateway(url: str, address: str) -> None:
    assert local_address(url, 54321) == address
