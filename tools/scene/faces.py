"""`python -m tools.scene.faces` writes the faces of lettering: subset TTF files, their licences, and `faces.json`.

The fonts come from npm packages that carry Google Fonts' whole files. Each keeps what it has of Latin with accents,
Greek, Cyrillic and signs, with kerning, ligatures and marks; hints are of no use in outlines.
A font whose name is reserved by its licence stays whole: a changed one would need another name.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).resolve().parents[2] / "functions" / "_shared" / "scene"
_KEPT = (*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x2B0, 0x530), *range(0x1E00, 0x2070), *range(0x20A0, 0x20C1),
         0x2113, 0x2116, 0x2122, *range(0x2190, 0x2194), 0x2212, 0x2605, 0x2606, 0x2665, 0xFB01, 0xFB02)  # fmt: skip
# id and package → its name and kind for people, the file, the package's version
_FACES = {
    "montserrat": ("Montserrat", "sans", "700Bold", "0.4.2"),
    "noto-sans": ("Noto Sans", "sans", "700Bold", "0.4.2"),
    "comfortaa": ("Comfortaa", "round", "700Bold", "0.4.2"),
    "fredoka": ("Fredoka", "round", "700Bold", "0.4.1"),
    "oswald": ("Oswald", "condensed", "700Bold", "0.4.2"),
    "bebas-neue": ("Bebas Neue", "condensed", "400Regular", "0.4.1"),
    "anton": ("Anton", "heavy", "400Regular", "0.4.2"),
    "archivo-black": ("Archivo Black", "heavy", "400Regular", "0.4.1"),
    "lilita-one": ("Lilita One", "heavy", "400Regular", "0.4.1"),
    "russo-one": ("Russo One", "heavy", "400Regular", "0.4.1"),
    "noto-serif": ("Noto Serif", "serif", "700Bold", "0.4.2"),
    "playfair-display": ("Playfair Display", "serif", "700Bold", "0.4.2"),
    "abril-fatface": ("Abril Fatface", "serif", "400Regular", "0.4.1"),
    "zilla-slab": ("Zilla Slab", "slab", "700Bold", "0.4.1"),
    "rye": ("Rye", "western", "400Regular", "0.4.1"),
    "pacifico": ("Pacifico", "script", "400Regular", "0.4.1"),
    "lobster": ("Lobster", "script", "400Regular", "0.4.1"),
    "great-vibes": ("Great Vibes", "script", "400Regular", "0.4.1"),
    "caveat": ("Caveat", "handwritten", "700Bold", "0.4.2"),
    "patrick-hand": ("Patrick Hand", "handwritten", "400Regular", "0.4.1"),
    "amatic-sc": ("Amatic SC", "handwritten", "700Bold", "0.4.2"),
    "bangers": ("Bangers", "comic", "400Regular", "0.4.1"),
    "righteous": ("Righteous", "retro", "400Regular", "0.4.1"),
    "monoton": ("Monoton", "retro", "400Regular", "0.4.1"),
    "orbitron": ("Orbitron", "future", "700Bold", "0.4.2"),
    "press-start-2p": ("Press Start 2P", "pixel", "400Regular", "0.4.1"),
    "courier-prime": ("Courier Prime", "typewriter", "700Bold", "0.4.1"),
    "space-mono": ("Space Mono", "typewriter", "700Bold", "0.4.2"),
    "creepster": ("Creepster", "horror", "400Regular", "0.4.0"),
}


def main() -> None:
    """Writes the files."""
    faces = FOLDER / "faces"
    faces.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        packages = [f"@expo-google-fonts/{face}@{entry[3]}" for face, entry in _FACES.items()]
        subprocess.run(
            ["npm", "install", "--no-save", "--ignore-scripts", "--prefix", folder, *packages], check=True
        )
        rows = []
        for face, (name, kind, style, _version) in _FACES.items():
            package = Path(folder) / "node_modules" / "@expo-google-fonts" / face
            (source,) = (package / style).glob("*.ttf")
            licence = (package / "LICENSE_FONT").read_text(encoding="utf-8")
            target = faces / f"{face}.ttf"
            if "Reserved Font Name" in licence.partition("SIL OPEN FONT LICENSE")[0]:
                shutil.copyfile(source, target)
            else:
                _subset(source).save(target)
            (faces / f"{face}.LICENSE").write_text(licence.strip() + "\n", encoding="utf-8")
            known = set(TTFont(target).getBestCmap())
            scripts = [
                script
                for script, sample in (("latin", "é"), ("greek", "ω"), ("cyrillic", "я"))
                if ord(sample) in known
            ]
            rows.append({"id": face, "name": name, "kind": kind, "scripts": scripts})
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    (FOLDER / "faces.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _subset(source: Path) -> TTFont:
    options = subset.Options()
    options.hinting = False
    options.drop_tables += ["DSIG", "STAT", "MATH"]
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=_KEPT)
    subsetter.subset(font)
    return font


if __name__ == "__main__":
    main()
