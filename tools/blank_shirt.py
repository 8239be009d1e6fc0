"""`python -m tools.blank_shirt`: the shirt without a print that the pictures of links are drawn on.

Owns functions/_shared/pages/shirt_*.webp, as `pages.drawn_shirt` reads them: the mockup studio's front view
(emulators/mockups/bake/README.md says how it was made), at the size of a link's picture.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from emulators.mockups.plates import Bytes, Plate, plate
from tests.support.stacks import ROOT

FOLDER = ROOT / "functions" / "_shared" / "pages"
_SIZE = 630


def main() -> None:
    """Writes what is behind the shirt, and the shirt's light, sheen and outline as red, green and opacity."""
    stage = plate("front", _SIZE)
    Image.fromarray(stage.ground).save(FOLDER / "shirt_ground.webp", quality=90, method=6)
    light, sheen, cover = (_whole(stage, part) for part in (stage.light, stage.sheen, stage.cover))
    maps = np.dstack((light, sheen, light, cover))
    Image.fromarray(maps, "RGBA").save(FOLDER / "shirt_maps.webp", quality=92, method=6, exact=True)


def _whole(stage: Plate, part: Bytes) -> Bytes:
    left, upper, right, lower = stage.box
    whole = np.zeros((_SIZE, _SIZE), np.uint8)
    whole[upper:lower, left:right] = part
    return whole


if __name__ == "__main__":
    main()
