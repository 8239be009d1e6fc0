"""A composition's material and results: sheet, plan and layers.

Units are a thousandth of the canvas.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from emulators.artist.arrange import Box
from emulators.artist.brief import Brief
from emulators.artist.cast import Cast
from emulators.artist.filters import Field
from emulators.artist.icons import Icons
from emulators.artist.lettering import STYLE_FACES, Mask, arc, break_rows, case, line, stack
from emulators.artist.palette import Palette
from emulators.artist.svg import Pixels
from emulators.assets import Assets


@dataclass(frozen=True)
class Layers:
    """Pictures from back to front. `ink` is the lettering's colour, `on_plate` whether it lies on the ground layer.

    `lines` are the subject's pen lines and `ground_lines` the ground's, `fur` how hairy the subject is, 0 to 1;
    `one_ink` says that all of it is silhouettes. Without lines (a photograph has none) a style finds its own.
    `kind` names the composition.
    """

    ground: Pixels
    subject: Pixels
    front: Pixels
    lettering: Mask
    ink: str
    on_plate: bool = False
    lines: Field | None = None
    ground_lines: Field | None = None
    fur: Field | None = None
    one_ink: bool = False
    kind: str = ""

    @property
    def side(self) -> int:
        return int(self.ground.shape[0])


@dataclass(frozen=True)
class Sheet:
    """A composition's material."""

    brief: Brief
    cast: Cast
    palette: Palette
    icons: Icons
    assets: Assets
    rng: random.Random
    side: int

    @property
    def style(self) -> str:
        return self.brief.style

    @property
    def face(self) -> str:
        return STYLE_FACES[self.style]

    @property
    def text(self) -> str:
        return case(self.brief.lettering, self.face)

    @property
    def scale(self) -> float:
        return self.side / 1000

    def blank(self) -> Mask:
        return np.zeros((self.side, self.side), np.uint8)

    def words(self, box: Box, longest: int = 18) -> Mask:
        """The lettering in a box (x, y, width, height in units): one row, or a stack when it is long."""
        return self.spell(self.text, box, longest)

    def spell(self, text: str, box: Box, longest: int = 18, face: str | None = None) -> Mask:
        if not text:
            return self.blank()
        x, y, width, height = (value * self.scale for value in box)
        rows = break_rows(text, longest)
        if len(rows) == 1:
            return line(self.assets, face or self.face, rows[0], self.side, (x, y, width, height))
        return stack(self.assets, face or self.face, rows, self.side, (x, y, width, height))

    def arched(self, text: str, radius: float, height: float, *, below: bool = False, y: float = 500) -> Mask:
        centre = (self.side / 2, y * self.scale)
        return arc(
            self.assets,
            self.face,
            text,
            self.side,
            centre,
            radius * self.scale,
            height * self.scale,
            below=below,
        )

    def halves(self) -> tuple[str, str]:
        """The words in two parts of about one length; the second is empty when there is one word."""
        words = self.text.split()
        if len(words) < 2:
            return self.text, ""
        cuts = [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]
        return min(cuts, key=lambda pair: max(len(pair[0]), len(pair[1])))


@dataclass(frozen=True)
class Plan:
    """The decisions of a kind of composition."""

    box: Box
    ground: str = ""
    words: Mask | None = None
    ink: str = ""
    front: str = ""
    on_plate: bool = False
    echo: int = 0


Kind = Callable[[Sheet], Plan]
