"""The addresses of the site that functions answer."""

from __future__ import annotations

import re

from _shared.pages.design_page import DesignPages
from _shared.pages.gallery_pages import GalleryPages
from _shared.pages.link_picture import LinkPictures
from _shared.pages.page import Page
from _shared.pages.sitemap import Sitemaps

# the client's router takes capitals too
_PICTURE = re.compile(r"/design/([^/]+)/share\.jpg$", re.IGNORECASE)
_DESIGN = re.compile(r"/design/([^/]+)/?$", re.IGNORECASE)
_CREATOR = re.compile(r"/creator/([^/]+)/?$", re.IGNORECASE)
_DISCOVER = re.compile(r"/discover/?$", re.IGNORECASE)


class Pages:
    """An address is the site's path, or ends with it: a function's own address may stand before it."""

    def __init__(
        self, designs: DesignPages, galleries: GalleryPages, pictures: LinkPictures, sitemaps: Sitemaps
    ) -> None:
        self._designs = designs
        self._galleries = galleries
        self._pictures = pictures
        self._sitemaps = sitemaps

    def at(self, path: str, key: str | None) -> Page:
        if sitemap := self._sitemaps.page(path):
            return sitemap
        if (picture := _PICTURE.search(path)) and (shown := self._designs.shown(picture[1])):
            return self._pictures.page(shown)
        if _DISCOVER.search(path):
            return self._galleries.discover()
        if creator := _CREATOR.search(path):
            return self._galleries.creator(creator[1])
        design = _DESIGN.search(path)
        return self._designs.page(design[1] if design else "", key)
