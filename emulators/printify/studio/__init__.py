"""The mockup studio: a t-shirt in five views, any colour, with a design printed on its cloth.

Everything is drawn: outlines as curves (`garments`), cloth as a field of heights in a light (`cloth`).
"""

from __future__ import annotations

from emulators.printify.studio.cloth import Placement, draw_mockup

__all__ = ["Placement", "draw_mockup"]
