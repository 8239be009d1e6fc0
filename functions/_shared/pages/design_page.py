"""The page of a design: everything of a public one, nothing of a private one.

Which page it is the database says (public.get_design_page). That of a private design is the same for every design, and
those of designs that are missing or were taken down say no more than that.
"""

from __future__ import annotations

import json
import re
from typing import Literal, Protocol
from urllib.parse import urlencode

from _shared.clients.mockups import mockup_url
from _shared.clients.site import Site, SitePage
from _shared.core.data import Data, Row
from _shared.designs.stored_pictures import BUCKET
from _shared.pages.page import UUID, Page
from _shared.pages.shown_design import ShownDesign
from _shared.pages.template import fill

State = Literal["public", "private", "missing", "removed"]
# what is none is no link's, and is not told to the database
_KEY = re.compile(r"[A-Za-z0-9_-]{1,100}")
_ENV_BLOCK = re.compile(r'<script[^>]*id="teesmith-env"[^>]*>([^<]*)</script>')
# the drawn pages (web/src/app/screens.tsx), and what they are answered with
_PAGES: dict[State, tuple[str, int]] = {
    "public": ("/public-design", 200),
    "private": ("/shared-design", 200),
    "missing": ("/missing-design", 404),
    "removed": ("/removed-design", 410),
}
# much longer than any cache keeps the page, and not as long as a picture that is taken down should be seen
_SIGNED_SECONDS = 3_600


class Pictures(Protocol):
    """`clients.storage.Storage`."""

    def address(self, bucket: str, name: str, seconds: int) -> str: ...


class DesignPages:
    """`mockups` is the address of the printer's pictures."""

    def __init__(self, data: Data, site: Site, pictures: Pictures, mockups: str) -> None:
        self._data = data
        self._site = site
        self._pictures = pictures
        self._mockups = mockups

    def page(self, design_id: str, key: str | None) -> Page:
        """The page behind a link with that id, and a key where the link has one."""
        row = self._row(design_id, key)
        state: State = row["state"]
        path, status = _PAGES[state]
        drawn = self._site.page(path)
        if state == "public":
            body = self._filled(drawn, ShownDesign.of(row))
        else:
            # only that of a design which was taken down has a mark: the id in its own address
            body = fill(drawn.html, {"design_id": design_id.lower()}, {})
        return Page.of_site(drawn, body, row, status, hidden=state != "public")

    def shown(self, design_id: str) -> ShownDesign | None:
        """The design, if it is public."""
        row = self._row(design_id, None)
        return ShownDesign.of(row) if row["state"] == "public" else None

    def _row(self, design_id: str, key: str | None) -> Row:
        found: object = None
        if key and not _KEY.fullmatch(key):
            key = None
        if UUID.fullmatch(design_id):
            found = self._data.value("get_design_page", {"design": design_id, "key": key})
        return found if isinstance(found, dict) else {"state": "missing"}

    def _filled(self, drawn: SitePage, design: ShownDesign) -> str:
        values = {
            **design.texts,
            "picture": self._picture(drawn, design),
            "link_picture": f"{self._site.url}/design/{design.id}/share.jpg",
        }
        return fill(drawn.html, values, {"colors": design.colors})

    def _picture(self, drawn: SitePage, design: ShownDesign) -> str:
        """The picture that the program shows first, by the same address where it can be."""
        if design.product and design.own:
            return mockup_url(self._mockups, design.product, design.own.variant)
        if design.picture:
            return self._pictures.address(BUCKET, design.picture, _SIGNED_SECONDS)
        match = _ENV_BLOCK.search(drawn.html)
        settings = json.loads(match[1]) if match else {}
        query = urlencode({"design": design.id, "apikey": settings.get("SUPABASE_KEY", "")})
        return f"{settings.get('SUPABASE_URL', '')}/rest/v1/rpc/design_picture?{query}"
