"""The site's list of addresses for search engines: https://www.sitemaps.org/protocol.html.

`/sitemap.xml` names the files: `/sitemap/0.xml` has the pages that are always there, `/sitemap/{n}.xml` the public
designs from that moment on, in microseconds since 1970.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from _shared.core.data import Data
from _shared.pages.page import Page

# the protocol's most
_MOST = 50_000
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_STATIC = ("/", "/discover", "/faq", "/privacy-policy", "/terms-of-service", "/return-policy")
_FILE = re.compile(r"/sitemap/([0-9]{1,16})\.xml$")
# new designs are in the last file an hour later
_CACHE = "public, max-age=0, s-maxage=3600"


class Sitemaps:
    """`most` is how many designs a file has."""

    def __init__(self, data: Data, site_url: str, most: int = _MOST) -> None:
        self._data = data
        self._url = site_url
        self._most = most

    def page(self, path: str) -> Page | None:
        """The list of files, or one of them; None where `path` is neither."""
        if path.endswith("/sitemap.xml"):
            starts: list[object] = list(self._data.call("list_sitemaps", {"most": self._most}))
            files = (f"/sitemap/{each}.xml" for each in (0, *starts))
            return self._rendered("sitemapindex", "sitemap", ((each, "") for each in files))
        if not (match := _FILE.search(path)):
            return None
        if int(match[1]) == 0:
            return self._rendered("urlset", "url", ((each, "") for each in _STATIC))
        designs: list[Any] = list(
            self._data.call("get_sitemap", {"since": int(match[1]), "most": self._most})
        )
        return self._rendered("urlset", "url", ((f"/design/{each}", day) for each, day in designs))

    def _rendered(self, root: str, entry: str, addresses: Iterable[tuple[str, str]]) -> Page:
        lines = (
            f"<{entry}><loc>{escape(self._url + path)}</loc>"
            + (f"<lastmod>{day}</lastmod>" if day else "")
            + f"</{entry}>\n"
            for path, day in addresses
        )
        body = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_NAMESPACE}">\n{"".join(lines)}</{root}>\n'
        content = body.encode()
        version = hashlib.sha256(content).hexdigest()[:32]
        return Page(200, content, version, "application/xml; charset=utf-8", {"cache-control": _CACHE})
