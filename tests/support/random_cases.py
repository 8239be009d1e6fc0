"""The number of a random test's cases.

The ordinary number finds mistakes that were made on purpose. RANDOM_CASES=10 takes ten times as many, as the weekly
workflow does:

    RANDOM_CASES=10 make test-python ARGS="tests/localbase/unit/rest tests/localbase/integration/rest --timeout 0"
"""

from __future__ import annotations

import os

TIMES = int(os.environ.get("RANDOM_CASES", "1"))


def cases(ordinary: int) -> int:
    """The number for this run."""
    return ordinary * TIMES
