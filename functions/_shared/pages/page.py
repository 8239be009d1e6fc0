"""A page as it is answered."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from _shared.clients.site import SitePage

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_CACHE = "public, max-age=0, s-maxage=60"


@dataclass(frozen=True)
class Page:
    """`version` is the same for the same body."""

    status: int
    body: bytes
    version: str
    media_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_site(
        cls, drawn: SitePage, body: str, data: object, status: int = 200, *, hidden: bool = False
    ) -> Page:
        """One that the site has drawn and `data` has filled in; search engines leave out a `hidden` one."""
        headers = {**drawn.headers, "cache-control": _CACHE}
        if hidden:
            headers["x-robots-tag"] = "noindex"
        # of what the page is made of: a signed address in it is another one each time
        version = hashlib.sha256(json.dumps([drawn.html, data]).encode()).hexdigest()[:32]
        return cls(status, body.encode(), version, headers=headers)
