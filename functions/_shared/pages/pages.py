"""The addresses of the site that functions answer."""

from __future__ import annotations

import re

from _shared.pages.design_page import DesignPages
from _shared.pages.link_picture import LinkPictures
from _shared.pages.page import Page
from _shared.pages.sitemap import Sitemaps

_PICTURE = re.compile(r"/design/([^/]+)/share\.jpg$")
_DESIGN = re.compile(r"/design/([^/]+)/?$")


class Pages:
    """An address is the site's path, or ends with it: a function's own address may stand before it."""

    def __init__(self, designs: DesignPages, pictures: LinkPictures, sitemaps: Sitemaps) -> None:
        self._designs = designs
        self._pictures = pictures
        self._sitemaps = sitemaps

    def at(self, path: str, key: str | None) -> Page:
        if sitemap := self._sitemaps.page(path):
            return sitemap
        if (picture := _PICTURE.search(path)) and (shown := self._designs.shown(picture[1])):
            return self._pictures.page(shown)
        design = _DESIGN.search(path)
        return self._designs.page(design[1] if design else "", key)
