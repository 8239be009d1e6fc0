"""The pictures of a scene: the design's own first one, and its owner's artwork."""

from __future__ import annotations

from _shared.core.errors import not_found
from _shared.designs.designs import Design
from _shared.designs.images import Picture, decode_picture, open_picture
from _shared.designs.stored_pictures import BUCKET as DESIGNS_BUCKET
from _shared.scene.resvg import SVG
from _shared.scene.scene import DESIGN, Scene
from _shared.versions.artwork import Artwork, Artworks, Store

# artwork has a print's pixels at most: more than a photo of a stranger's may have
_MOST_MEGAPIXELS = 27


class ScenePictures:
    """Of one design; each is read when it is first drawn. Another person's artwork is not found."""

    def __init__(self, design: Design, artworks: Artworks, store: Store) -> None:
        self._design = design
        self._artworks = artworks
        self._store = store
        self._found: dict[str, Artwork] = {}
        self._read: dict[str, Picture | None] = {}

    def check(self, scene: Scene) -> str:
        """Whether an admin has seen its pictures: `design_versions.review`. 404 and 422 for what may not be printed."""
        self._found = self._artworks.find(self._design.user_id, sorted(scene.sources() - {DESIGN}))
        reviews = {artwork.review for artwork in self._found.values()} - {"not_needed"}
        return "waiting" if "waiting" in reviews else "passed" if reviews else "not_needed"

    def review_of(self, source: str) -> str:
        """Whether an admin has seen that picture of a checked scene; none needs to see the design's own."""
        return self._found[source].review if source in self._found else "not_needed"

    def __call__(self, source: str) -> Picture:
        """The picture of a layer's source."""
        picture = self.first() if source == DESIGN else self._artwork(source)
        if picture is None:
            raise not_found("A picture of this drawing", "artwork_not_found")
        return picture

    def first(self) -> Picture | None:
        """The design's own picture; None where it began with an empty shirt."""
        if DESIGN not in self._read:
            self._read[DESIGN] = self._first()
        return self._read[DESIGN]

    def _artwork(self, id: str) -> Picture | None:
        if id not in self._read:
            artwork = self._found[id]
            content = self._artworks.read(artwork)
            self._read[id] = (
                Picture(content, SVG, artwork.width, artwork.height)
                if artwork.media_type == "image/svg+xml"
                else open_picture(content, most_megapixels=_MOST_MEGAPIXELS)
            )
        return self._read[id]

    def _first(self) -> Picture | None:
        design = self._design
        if not design.image_url:
            return decode_picture(design.image_data) if design.image_data else None
        content = self._store.get(DESIGNS_BUCKET, design.first_picture)
        return open_picture(content) if content else None
