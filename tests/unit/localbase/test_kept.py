"""A dictionary with bounds."""

from __future__ import annotations

from localbase.core.kept import Kept


def test_the_older_half_goes_when_it_is_full() -> None:
    kept: Kept[int, str] = Kept(4)
    for number in range(4):
        kept.put(number, str(number))
    assert [kept.get(number) for number in range(4)] == ["0", "1", "2", "3"]
    kept.put(4, "4")
    assert [kept.get(number) for number in range(5)] == [None, None, "2", "3", "4"]
