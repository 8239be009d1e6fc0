"""Pages of docs/ that a bench writes a part of, between two marks."""

from __future__ import annotations

import re
from collections.abc import Iterable


def with_part(page: str, name: str, lines: Iterable[str]) -> str:
    """`page` with `lines` between its marks, `<!-- name: begin -->` and `<!-- name: end -->`."""
    first_mark, last_mark = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    if first_mark not in page or last_mark not in page:
        raise ValueError(f"the page has no {first_mark} and {last_mark}")
    part = "\n".join([first_mark, "", *lines, "", last_mark])
    return re.sub(f"{first_mark}.*{last_mark}", lambda _: part, page, flags=re.DOTALL)
