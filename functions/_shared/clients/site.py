"""The shop's own site: the pages that the build has drawn, for the functions that fill them in.

They come from the site that visitors see, not with the functions: a page names the files of its build, and site and
functions are brought out at different times.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx

from _shared.core.errors import unavailable
from _shared.core.logs import log_trouble

_SECONDS_KEPT = 10.0
# What the host says of every page of the shop, which one that comes from elsewhere must say too.
_HEADERS = (
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "permissions-policy",
    "cross-origin-opener-policy",
    "strict-transport-security",
)


@dataclass(frozen=True)
class SitePage:
    """A drawn page, and its headers of security."""

    html: str
    headers: Mapping[str, str]


class Site:
    """Keeps each page for ten seconds, and longer while the site does not answer."""

    def __init__(
        self,
        url: str,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.url = url
        self._http = httpx.Client(base_url=url, timeout=5.0, transport=transport, follow_redirects=True)
        self._clock = clock
        self._kept: dict[str, tuple[float, SitePage]] = {}

    def page(self, path: str) -> SitePage:
        kept = self._kept.get(path)
        if kept is not None and self._clock() - kept[0] < _SECONDS_KEPT:
            return kept[1]
        try:
            response = self._http.get(path)
            response.raise_for_status()
        except httpx.HTTPError as error:
            if kept is None:
                raise unavailable("site_unavailable", "Something went wrong on our side.", error) from error
            log_trouble(f"read {path} of the site", error)
            return kept[1]
        headers = {name: response.headers[name] for name in _HEADERS if name in response.headers}
        page = SitePage(response.text, headers)
        self._kept[path] = (self._clock(), page)
        return page
