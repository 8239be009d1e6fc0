"""The mockup studio: a t-shirt in six views, any colour, with a design printed on its cloth.

The shirts were draped and lit once (`bake`); `plates` reads those pictures, `cloth` dyes and prints them.
"""

from __future__ import annotations

from emulators.mockups.cloth import Placement, draw_mockup

__all__ = ["Placement", "draw_mockup"]
