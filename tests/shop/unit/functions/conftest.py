"""Makes `_shared` importable as the functions import it; a fixture that draws pictures."""

from __future__ import annotations

import base64
import io
import sys
from collections.abc import Callable

import pytest
from PIL import Image

from bench.picture_memory import QUICK
from tests.support.stacks import ROOT

FUNCTIONS = ROOT / "functions"
if str(FUNCTIONS) not in sys.path:
    sys.path.insert(0, str(FUNCTIONS))


@pytest.fixture
def picture() -> Callable[..., str]:
    """`picture("PNG", (w, h))` is a base64 picture of that kind and size."""

    def make(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "RGB") -> str:
        out = io.BytesIO()
        Image.new(mode, size).save(out, kind, **QUICK.get(kind, {}))
        return base64.b64encode(out.getvalue()).decode()

    return make
