"""Lists in pages: `page`, `per_page` and `sort` of a request, `Link` and `X-Total-Count` of its response.

Upstream: supabase/auth, `internal/api/pagination.go`, `internal/api/sorting.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.go_values import parse_uint
from localbase.postgres.service_pool import Cursor

_USUAL, _MOST = 50, 1000
_DIRECTIONS = {"ASC": "asc", "DESC": "desc"}
# Postgres counts in 64 bits; nothing lies that far out.
_FARTHEST = 2**62


@dataclass(frozen=True, slots=True)
class Page:
    """A page of rows; `number` counts from 1."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        """The number of rows before it."""
        return min((self.number - 1) * self.size, _FARTHEST)

    def headers(self, request: Request, total: int) -> dict[str, str]:
        """Return links to the next and the last page, with the path as the service sees it, and the count of rows."""
        last = -(-total // self.size)
        links = [("next", self.number + 1)] if last > self.number else []
        link = ", ".join(
            f'<{_address(request, number)}>; rel="{relation}"'
            for relation, number in [*links, ("last", last)]
        )
        return {"link": link, "x-total-count": str(total)}


def read_page(request: Request) -> Page:
    """The page that is wanted, the first by default. Raises 400 for what is no number."""
    try:
        number = parse_uint(request.query_params.get("page") or "1")
        size = parse_uint(request.query_params.get("per_page") or str(_USUAL))
        if size == 0:
            raise ValueError("per_page must be greater than 0")
    except ValueError as error:
        raise errors.validation_failed(f"Bad Pagination Parameters: {error}") from error
    return Page(max(1, number), min(size, _MOST))


async def select_page(
    cursor: Cursor, columns: str, listed: str, order: str, values: dict[str, Any], page: Page
) -> int:
    """Selects the page's rows, for the caller to fetch; how many there are in all. `listed` begins at `from`."""
    await cursor.execute(f"select count(*) as total {listed}".encode(), values)
    [counted] = await cursor.fetchall()
    await cursor.execute(
        f"select {columns} {listed} order by {order}, id limit %(limit)s offset %(offset)s".encode(),
        {**values, "limit": page.size, "offset": page.offset},
    )
    return int(counted["total"])


def read_order(request: Request, fields: frozenset[str], default: str) -> str:
    """The SQL of `sort=<field> asc`, which may come several times. Raises 400 for a field that is none of `fields`."""
    terms = []
    for value in request.query_params.getlist("sort"):
        field, _, direction = value.partition(" ")
        if field not in fields:
            raise errors.validation_failed(f"Bad Sort Parameters: bad field for sort '{field}'")
        if direction and direction.upper() not in _DIRECTIONS:
            raise errors.validation_failed(
                f"Bad Sort Parameters: bad direction for sort '{direction}', only 'asc' and 'desc' allowed"
            )
        terms.append(f"{field} {_DIRECTIONS[direction.upper()] if direction else 'desc'}")
    return ", ".join(terms) or default


def _address(request: Request, page: int) -> str:
    values = {**request.query_params, "page": str(page)}
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    return f"{path}?{urlencode(sorted(values.items()))}"
