"""The styles: how each wants a photograph laid, who draws it, and the words by which people ask for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from emulators.artist.brief import Brief
from emulators.artist.photo.looks import craft, flat, ink, modern, paint, screen
from emulators.artist.photo.looks.base import Scene
from emulators.artist.photo.sheet import Sheet


@dataclass(frozen=True)
class Treatment:
    """A style's treatment of a photograph, and its artist.

    `window` is drawn behind a figure, `edge` ends a scene; `bust` is how many faces high a portrait is at most;
    `heavy` lettering has an outline.
    """

    draw: Callable[[Scene], Sheet]
    face: str
    window: str = ""
    edge: str = "postcard"
    bust: float = 3.4
    heavy: bool = False
    warped: bool = False


TREATMENTS = {
    "cartoon": Treatment(flat.cartoon, "comic", edge="circle", heavy=True),
    "caricature": Treatment(flat.caricature, "comic", edge="circle", bust=2.9, heavy=True, warped=True),
    "line art": Treatment(ink.line_art, "deco", edge="circle", bust=3.0),
    "pop art": Treatment(flat.pop_art, "comic", window="panel", edge="panel", bust=2.8, heavy=True),
    "watercolor": Treatment(paint.watercolor, "script"),
    "sketch": Treatment(ink.sketch, "marker", bust=3.2),
    "vintage": Treatment(screen.vintage, "slab", window="circle", edge="circle"),
    "ghibli": Treatment(paint.ghibli, "grotesque", window="postcard", bust=4.0),
    "oil": Treatment(craft.oil, "script", window="panel", edge="panel"),
    "embroidery": Treatment(craft.embroidery, "slab", edge="circle"),
    "mosaic": Treatment(craft.mosaic, "deco", edge="circle", bust=2.6),
    "stained glass": Treatment(craft.stained_glass, "deco", window="arch", edge="arch", bust=2.6),
    "comic": Treatment(modern.comic, "comic", window="panel", edge="panel", bust=2.8, heavy=True),
    "stencil": Treatment(modern.stencil, "poster", bust=2.8),
    "linocut": Treatment(modern.linocut, "slab", window="panel", edge="panel", bust=2.8),
    "minimal": Treatment(modern.minimal, "grotesque", edge="circle", bust=2.8),
    "low poly": Treatment(modern.low_poly, "deco", edge="circle", bust=2.8),
    "pixels": Treatment(modern.pixels, "deco", edge="panel", bust=2.4),
    "neon": Treatment(modern.neon, "script", edge="circle", bust=2.6),
    "synthwave": Treatment(modern.synthwave, "deco", window="circle", edge="circle", bust=2.8),
    "photograph": Treatment(modern.photograph, "poster"),
}

# What people call a style → what is drawn; the first that is found counts.
_NAMES = {
    "stained glass": r"stained|cathedral|tiffany",
    "embroidery": r"embroider|stitch|needlework|tapestry|knit|patch",
    "low poly": r"low[\s-]?poly|polygon|geometric|origami|facet|cubis[tm]|abstract",
    "pixels": r"pixel|8[\s-]?bit|16[\s-]?bit|game|minecraft|lego",
    "mosaic": r"mosaic|tile|byzantine|pointillis",
    "neon": r"neon|glow|laser|cyberpunk",
    "synthwave": r"synth\s?wave|vapou?r\s?wave|outrun|retro\s?wave|80s|eighties|1980|tron|miami",
    "stencil": r"stencil|banksy|graffiti|street\s?art|spray|urban",
    "linocut": r"lino|wood\s?cut|wood\s?block|engrav|etching|block print|letterpress|tattoo",
    "minimal": r"minimal|simple|silhouette|flat design|clean",
    "comic": r"comic|marvel|superhero|graphic novel|manga|dc style",
    "oil": (
        r"\boil\b|van gogh|impressionis|acrylic|canvas|renaissance|baroque|rembrandt|monet|paint(?:ing|ed|erly)"
        r"|expressionis"
    ),
    "ghibli": r"anime|ghibli|miyazaki|studio|fairy\s?tale|storybook|dream",
    "pop art": r"pop\b|warhol|lichtenstein|poster|obama|hope",
    "watercolor": r"water\s?colou?r|aquarelle|ink wash|gouache|splash",
    "sketch": r"sketch|pencil|charcoal|graphite|draw|chalk|hatch|doodle|pen\b",
    "vintage": r"vintage|retro|old|70s|60s|50s|distress|worn|grunge|antique|victorian|western|sepia",
    "line art": r"line|outline|contour|ink\b|monoline",
    "caricature": r"caricature|funny|exaggerat|big head|bobble|satir",
    "cartoon": r"cartoon|toon|pixar|disney|simpson|animated|kawaii|cute|chibi|sticker|vector|emoji",
}


def treatment_of(brief: Brief) -> str:
    """The treatment for the shopper's own words; a form's style is one of them."""
    words = brief.style_words.lower()
    if brief.style in TREATMENTS and brief.style in words.replace("colour", "color"):
        return brief.style
    return next((name for name, pattern in _NAMES.items() if re.search(pattern, words)), "photograph")
