"""Pictures that are small files and huge pixels take little memory, one at a time and four at once."""

from collections.abc import Iterator

import pytest

from bench.picture_memory import CASES, measure

# Four have four bytes for each of 25 million pixels, at some time.
LEAST = {"four": 50.0}


@pytest.fixture(scope="module", autouse=True)
def large_process() -> Iterator[None]:
    """This one while it measures, which must not hide what the measured one takes."""
    large = b"x" * (600 << 20)
    yield
    del large


@pytest.mark.parametrize("case", CASES)
def test_picture_of_many_pixels_takes_little_memory(case: str) -> None:
    name, limit = CASES[case]
    assert LEAST.get(case, -1) < measure(case) < limit, name
