"""Pictures that are small files and huge pixels take little memory, one at a time and four at once."""

import pytest

from bench.picture_memory import CASES, measure


@pytest.mark.parametrize("case", CASES)
def test_picture_of_many_pixels_takes_little_memory(case: str) -> None:
    name, limit = CASES[case]
    assert measure(case) < limit, name
