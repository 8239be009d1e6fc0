"""Makes the functions' shared modules importable: what they make of a form's request is compared."""

from __future__ import annotations

import sys

from tests.support.stacks import ROOT

if str(ROOT / "functions") not in sys.path:
    sys.path.insert(0, str(ROOT / "functions"))
