"""Which minutes are due when the clock is looked at, also when it has jumped.

As pg_cron, and cron before it: of a few missed minutes everything is made up for, of some hours only jobs at a fixed
time; a larger jump, and one back, is another time and no missed one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

MINUTE = timedelta(minutes=1)
_SMALL, _LARGE = 5, 180


class DueMinute(NamedTuple):
    """`only_fixed`: jobs whose minute or hour is any are not due."""

    at: datetime
    only_fixed: bool


def minute_of(moment: datetime) -> datetime:
    """The minute that it is in."""
    return moment.replace(second=0, microsecond=0)


def due_minutes(last: datetime, now: datetime) -> Iterator[DueMinute]:
    """The minutes behind `last`, the one that was looked at last, up to `now`'s."""
    current = minute_of(now)
    passed = round((current - last) / MINUTE)
    if passed == 0 or -_LARGE < passed < 0:
        return  # what was due in these minutes has run
    if 0 < passed <= _LARGE:
        for number in range(1, passed):
            yield DueMinute(last + number * MINUTE, only_fixed=passed > _SMALL)
    yield DueMinute(current, only_fixed=False)
