"""Random scenes, and the table by which both languages are held together.

`python -m tools.scene.examples` writes web/src/shop/scene/scene.examples.json: scenes that are taken or refused, and
layers with the boxes and the SVG that functions/_shared/scene makes of them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from _shared.scene.geometry import corners, layer_box
from _shared.scene.layer_svg import Drawn, Href, document, drawn_ratio, layer_svg
from _shared.scene.lettering import outline
from _shared.scene.scene import Layer, LetteringLayer, PictureLayer, Scene, parse_scene

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "web" / "src" / "shop" / "scene" / "scene.examples.json"
AREA = (4500, 5100)
ARTWORK = "4b1c7a1e-58a4-4a32-9d0e-6a2f5b7c9d10"
_FOLDER = ROOT / "functions" / "_shared" / "scene"
_FACES = [row["id"] for row in json.loads((_FOLDER / "faces.json").read_text(encoding="utf-8"))]
_SHAPES = [row["id"] for row in json.loads((_FOLDER / "shapes.json").read_text(encoding="utf-8"))]
_TEXTS = ("Hello", "Åse & Zoë", "Since\n1987", "AVATAR fi ffl To", "Καλημέρα", "Привет,\nмир", "e\u0301galité",
          "a 漢 b", "  two  words ", "¿Qué?\nGroß — “ja”\n№ 7", "Ты <b>&amp;</b>", "Tęcza", " ")  # fmt: skip
_TOP: dict[str, Any] = {
    "id": "a", "kind": "shape", "shape": "star", "color": "#ff0000", "ratio": 1, "x": 0.5, "y": 0.5, "scale": 0.3,
    "angle": 0,
}  # fmt: skip
_WORDS: dict[str, Any] = {
    "id": "b", "kind": "lettering", "text": "Hi", "face": "anton", "color": "#000000", "x": 0.5, "y": 0.5, "scale": 0.3,
    "angle": 0,
}  # fmt: skip
_IMAGE: dict[str, Any] = {
    "id": "c", "kind": "picture", "source": "design", "x": 0.5, "y": 0.5, "scale": 0.3, "angle": 0,
}  # fmt: skip


def random_scene(seed: int) -> Scene:
    """A scene of one to six layers a side."""
    chance = random.Random(seed)
    sides = {
        side: [_random_layer(chance, f"{side}-{number}") for number in range(chance.randint(1, 6))]
        for side in ("front", "back")
    }
    return parse_scene({"version": 1, **sides})


def _random_layer(chance: random.Random, name: str) -> dict[str, Any]:
    layer: dict[str, Any] = {
        "id": name,
        "x": round(chance.uniform(0, 1), 4),
        "y": round(chance.uniform(0, 1), 4),
        "scale": round(chance.uniform(0.05, 1), 4),
        "angle": chance.choice([0, 0, 90, round(chance.uniform(-180, 180), 1)]),
        "color": f"#{chance.randrange(1 << 24):06x}",
    }
    match chance.choice(["picture", "lettering", "lettering", "shape"]):
        case "picture":
            layer |= {"kind": "picture", "source": chance.choice(["design", ARTWORK])}
            if chance.random() < 0.5:
                layer["crop"] = {"left": 0.1, "top": 0.25, "width": 0.7, "height": 0.5}
            if chance.random() < 0.7:
                del layer["color"]
        case "lettering":
            layer |= {"kind": "lettering", "text": chance.choice(_TEXTS), "face": chance.choice(_FACES)}
            layer["align"] = chance.choice(["left", "center", "right"])
            if chance.random() < 0.4:
                layer["curve"] = round(chance.uniform(-1, 1), 2)
            if chance.random() < 0.4:
                layer["outline"] = {"color": "#102030", "width": round(chance.uniform(0, 0.3), 3)}
            if chance.random() < 0.3:
                layer["shadow"] = {"color": "#807060", "x": 0.06, "y": -0.04}
        case "shape":
            layer |= {"kind": "shape", "shape": chance.choice(_SHAPES)}
            layer["ratio"] = round(chance.uniform(0.1, 3), 3)
    return layer


def drawn_of(layer: Layer) -> Drawn:
    """What a layer of the table is drawn with: pictures by their source's name."""
    match layer:
        case PictureLayer():
            return Href(f"{layer.source}.png?a=1&b=\"<'", 0.8)
        case LetteringLayer():
            return outline(layer)
    return None


def side_svg(layers: Sequence[Layer], drawn_of: Callable[[Layer], Drawn]) -> str:
    """A whole side as a document, as `sideSvg` makes it in the browser."""
    width, height = AREA
    inner = "".join(layer_svg(layer, drawn_of(layer), AREA) for layer in layers)
    return document(inner, AREA, f"0 0 {width} {height}")


def checksum(text: str) -> str:
    """FNV-1a of the text's characters, in 32 bits."""
    value = 0x811C9DC5
    for character in text:
        value = (value ^ ord(character)) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"


def _verdicts() -> dict[str, list[Any]]:
    def scene(*front: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"version": 1, "front": list(front), "back": [], **more}

    many = [{**_TOP, "id": f"l{number}"} for number in range(21)]
    return {
        "taken": [
            scene(), scene(_TOP, _WORDS, _IMAGE), scene(*many[:20]), scene({**_WORDS, "text": "a\nb\nc\nd\ne\nf"}),
            scene({**_IMAGE, "source": ARTWORK, "crop": {"left": 0, "top": 0, "width": 1, "height": 1}}),
            scene({**_WORDS, "curve": -1, "outline": None, "shadow": {"color": "#000000", "x": 0.5, "y": -0.5}}),
        ],
        "refused": [
            None, [], "scene", {"version": 1, "front": []}, scene(version=2), scene(more=1), scene(*many),
            scene(_TOP, {**_WORDS, "id": "a"}), scene({**_TOP, "id": "A"}), scene({**_TOP, "x": 2.1}),
            scene({**_TOP, "x": "0.5"}), scene({**_TOP, "scale": 0}), scene({**_TOP, "angle": 181}),
            scene({**_TOP, "locked": 1}),
            scene({**_TOP, "shape": "blob"}), scene({**_TOP, "color": "red"}), scene({**_TOP, "color": "#FF0000"}),
            scene({**_TOP, "href": "x"}), scene({**_TOP, "kind": "script"}), scene({**_WORDS, "text": ""}),
            scene({**_WORDS, "text": "a\nb\nc\nd\ne\nf\ng"}), scene({**_WORDS, "text": "a\tb"}),
            scene({**_WORDS, "text": "x" * 201}),
            scene({**_WORDS, "face": "../anton"}), scene({**_WORDS, "outline": {"color": "#000000", "width": 0.4}}),
            scene({**_IMAGE, "source": "https://example.com/a.png"}), scene({**_IMAGE, "source": "design\n"}),
            scene({**_IMAGE, "crop": {"left": 0.5, "top": 0, "width": 0.6, "height": 1}}),
        ],
    }  # fmt: skip


def _missing(layers: list[Layer]) -> set[str]:
    return {each for layer in layers if isinstance(layer, LetteringLayer) for each in outline(layer).missing}


def examples() -> dict[str, Any]:
    """The whole table."""
    sides = []
    for seed in range(40):
        layers = random_scene(seed).front
        places = [
            [
                round(value, 6)
                for point in corners(layer_box(layer, drawn_ratio(layer, drawn), AREA))
                for value in point
            ]
            for layer in layers
            for drawn in [drawn_of(layer)]
        ]
        svg = side_svg(layers, drawn_of)
        sides.append(
            {
                "layers": [layer.model_dump(exclude_defaults=True) for layer in layers],
                "corners": places,
                "missing": sorted(_missing(layers)),
                "length": len(svg),
                "svg": checksum(svg),
            }
        )
    return {**_verdicts(), "sides": sides}


def text() -> str:
    """The file's text: an example a line."""
    table = examples()
    parts = [
        f"  {json.dumps(name)}: [\n"
        + ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
        + "\n  ]"
        for name, rows in table.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
