"""The shop's placement rule (functions/_shared/designs/placement.py), for pictures that are made outside its functions.

Functions are deployed folder by folder and are no package: their folder goes on the path, as their host puts it there.
"""

from __future__ import annotations

import sys
from pathlib import Path

_FUNCTIONS = str(Path(__file__).resolve().parent.parent / "functions")
if _FUNCTIONS not in sys.path:
    sys.path.append(_FUNCTIONS)

from _shared.designs.placement import ink_box, largest_print, placement, print_areas  # noqa: E402

__all__ = ["ink_box", "largest_print", "placement", "print_areas"]
