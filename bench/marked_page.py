"""Pages of docs/ that a bench writes a part of, between two marks."""

from __future__ import annotations

import re
from collections.abc import Iterable


def with_part(page: str, name: str, lines: Iterable[str]) -> str:
    """`page` with `lines` between its marks, `<!-- name: begin -->` and `<!-- name: end -->`."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    if begin not in page or end not in page:
        raise ValueError(f"the page has no {begin} and {end}")
    part = "\n".join([begin, "", *lines, "", end])
    return re.sub(f"{begin}.*{end}", lambda _: part, page, flags=re.DOTALL)
