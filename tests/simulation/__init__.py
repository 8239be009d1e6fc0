"""The shop's functions and vendors in one process; see `world.py`."""

import sys

from tests.support.stacks import ROOT

# Functions are bundled with what they share at their root.
if str(ROOT / "functions") not in sys.path:
    sys.path.insert(0, str(ROOT / "functions"))
