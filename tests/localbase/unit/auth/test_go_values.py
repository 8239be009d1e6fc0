"""Durations and numbers as Go reads them, with its words for what it cannot read."""

from __future__ import annotations

import pytest
from localbase.auth.go_values import parse_duration, parse_uint


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("24h", 86400.0),
        ("1h30m", 5400.0),
        ("1.5h", 5400.0),
        (".5s", 0.5),
        ("1.s", 1.0),
        ("-10s", -10.0),
        ("+10s", 10.0),
        ("250ms", 0.25),
        ("1us", 1e-6),
        ("1µs", 1e-6),
        ("3ns", 3e-9),
        ("0", 0.0),
        ("-0", 0.0),
        ("2562047h", 9223369200.0),
    ],
)
def test_duration_is_read_in_seconds(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'time: invalid duration ""'),
        ("-", 'time: invalid duration "-"'),
        ("h", 'time: invalid duration "h"'),
        (".s", 'time: invalid duration ".s"'),
        ("1h ", 'time: unknown unit "h " in duration "1h "'),
        ("5", 'time: missing unit in duration "5"'),
        ("1h5", 'time: missing unit in duration "1h5"'),
        ("1d", 'time: unknown unit "d" in duration "1d"'),
        ("2562048h", 'time: invalid duration "2562048h"'),
    ],
)
def test_duration_that_go_rejects_is_rejected_in_its_words(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="time: ") as caught:
        parse_duration(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("18446744073709551615", 2**64 - 1)])
def test_whole_number_of_64_bits_is_read(text: str, number: int) -> None:
    assert parse_uint(text) == number


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "invalid syntax"),
        ("-1", "invalid syntax"),
        ("+1", "invalid syntax"),
        ("1_000", "invalid syntax"),
        ("²", "invalid syntax"),
        ("18446744073709551616", "value out of range"),
        ("9" * 5000, "value out of range"),
    ],
)
def test_number_that_go_rejects_is_rejected_in_its_words(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match="strconv") as caught:
        parse_uint(text)
    assert str(caught.value) == f'strconv.ParseUint: parsing "{text}": {reason}'
