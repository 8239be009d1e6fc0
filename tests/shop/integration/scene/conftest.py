"""The functions' code, which makes the print files, is imported as they import it."""

from __future__ import annotations

import sys

from tests.support.stacks import ROOT

if str(ROOT / "functions") not in sys.path:
    sys.path.insert(0, str(ROOT / "functions"))
