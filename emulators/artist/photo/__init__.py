"""Photographs: read in every format of a phone, restyled so that the subject stays recognisable."""

from __future__ import annotations

from emulators.artist.photo.cutting import cut_out, enlarge
from emulators.artist.photo.reading import UnreadablePhotoError, open_photo
from emulators.artist.photo.restyling import restyle_photo

__all__ = ["UnreadablePhotoError", "cut_out", "enlarge", "open_photo", "restyle_photo"]
