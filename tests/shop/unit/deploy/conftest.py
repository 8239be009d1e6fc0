"""Makes `_shared` importable as the functions import it."""

from __future__ import annotations

import sys

from tests.support.stacks import ROOT

if str(ROOT / "functions") not in sys.path:
    sys.path.insert(0, str(ROOT / "functions"))
