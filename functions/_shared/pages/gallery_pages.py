"""Discover and the pages of creators: with the first of their designs as data for search engines.

The list that visitors see the program draws, from its own requests.
"""

from __future__ import annotations

from collections.abc import Iterable

from _shared.clients.site import Site
from _shared.core.data import Data, Row
from _shared.pages.page import UUID, Page
from _shared.pages.shown_design import public_name
from _shared.pages.template import Values, fill

# as many as a page of the gallery (web/src/features/discover/api/list-gallery.ts)
_MOST = 24


class GalleryPages:
    """The drawn pages are those of web/src/app/screens.tsx."""

    def __init__(self, data: Data, site: Site) -> None:
        self._data = data
        self._site = site

    def discover(self) -> Page:
        """The gallery with its newest designs."""
        designs = self._data.call("get_gallery_page", {"most": _MOST})
        drawn = self._site.page("/public-gallery")
        return Page.of_site(drawn, fill(drawn.html, {}, {"designs": _listed(designs)}), designs)

    def creator(self, creator_id: str) -> Page:
        """Somebody's public designs; not found where there are none."""
        found: object = None
        if UUID.fullmatch(creator_id):
            found = self._data.value("get_creator_page", {"creator": creator_id, "most": _MOST})
        if not isinstance(found, dict):
            drawn = self._site.page("/missing-creator")
            return Page.of_site(drawn, drawn.html, None, 404, hidden=True)
        drawn = self._site.page("/public-creator")
        values = {"creator_id": str(found["id"]), "creator": public_name(found["name"])}
        return Page.of_site(drawn, fill(drawn.html, values, {"designs": _listed(found["designs"])}), found)


def _listed(designs: Iterable[Row]) -> list[Values]:
    return [
        {"design_id": str(each["id"]), "design_name": str(each["name"]), "place": str(place)}
        for place, each in enumerate(designs, 1)
    ]
