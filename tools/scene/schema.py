"""`python -m tools.scene.schema` writes scene.schema.json from the models of a scene; the web client checks by it."""

from __future__ import annotations

import json
from pathlib import Path

from _shared.scene.scene import Scene

FILE = Path(__file__).resolve().parents[2] / "functions" / "_shared" / "scene" / "scene.schema.json"


def text() -> str:
    """The file's text."""
    return json.dumps(Scene.model_json_schema(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
