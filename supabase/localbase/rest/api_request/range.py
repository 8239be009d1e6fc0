"""The range of rows: the `Range` header with `limit` and `offset`, and `Content-Range` of the answer.

Upstream: https://docs.postgrest.org/en/stable/references/api/pagination_count.html
"""

from __future__ import annotations

import re
from typing import NamedTuple

from localbase.rest import errors

_LARGEST_PAGE = 1000
_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{0,18})")


class Window(NamedTuple):
    """Rows from `offset` on, at most `limit` of them."""

    offset: int = 0
    limit: int | None = None

    @property
    def is_whole(self) -> bool:
        """Tell whether it leaves nothing out."""
        return self.offset == 0 and self.limit is None

    @property
    def constant_limit(self) -> int | None:
        """The limit, if it is of a page's size. Such a limit is a number in the statement.

        For a prepared plan Postgres knows nothing of a limit in a parameter: it expects a tenth of all rows, and sorts
        where an index would do, or plans anew each time.
        """
        return self.limit if self.limit is not None and self.limit <= _LARGEST_PAGE else None

    @property
    def shape(self) -> tuple[int | None, bool, bool]:
        """Return what of the window decides the statement's text."""
        return self.constant_limit, self.limit is None, self.offset > 0

    def at_most(self, rows: int | None) -> Window:
        """The same start with the server's own maximum."""
        if rows is None or (self.limit is not None and self.limit <= rows):
            return self
        return Window(self.offset, rows)


def window_of(header: str | None, limit: int | None, offset: int | None) -> Window:
    """The rows that header and parameters agree on. `header` is only for GET."""
    if limit == 0:
        return Window(0, 0)
    start = max(offset or 0, 0)
    end = None if limit is None else (offset or 0) + limit - 1
    match = _RANGE.fullmatch(header) if header else None
    if match:
        lower, upper = int(match[1]), int(match[2]) if match[2] else None
        if upper is not None and lower > upper:
            raise errors.invalid_range(
                "The lower boundary must be lower than or equal to the upper boundary in the Range header."
            )
        start = max(start, lower)
        ends = [bound for bound in (end, upper) if bound is not None]
        end = min(ends) if ends else None
    if end is None:
        return Window(start, None)
    if end < start:
        raise errors.invalid_range("Limit should be greater than or equal to zero.")
    return Window(start, end - start + 1)


def content_range(lower: int, upper: int, total: int | None) -> str:
    """`0-9/100`; `*` is an unknown total, or no rows at all."""
    rows = f"{lower}-{upper}" if total != 0 and lower <= upper else "*"
    return f"{rows}/{'*' if total is None else total}"


def range_status(lower: int, upper: int, total: int | None) -> int:
    """200 for everything, 206 for a part, 416 for a start behind the end."""
    if total is None:
        return 200
    if lower > total:
        return 416
    return 206 if 1 + upper - lower < total else 200
