"""Pictures that are small files and huge pixels take little memory, one at a time and four at once."""

import pytest

from bench.picture_memory import CASES, measure


@pytest.mark.parametrize("case", CASES)
def test_picture_of_many_pixels_takes_little_memory(case: str) -> None:
    name, limit = CASES[case]
    assert measure(case) < limit, name


def test_memory_of_a_picture_is_measured_beside_a_large_process() -> None:
    large = b"x" * (600 << 20)
    # It has four bytes for each of 25 million pixels, at some time.
    assert measure("four") > 50
    del large
