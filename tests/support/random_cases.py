"""The number of a random test's cases, and of the cases of one kind.

The ordinary number finds mistakes that were made on purpose. RANDOM_CASES=10 takes ten times as many, as the weekly
workflow does:

    RANDOM_CASES=10 make test-python ARGS="tests/localbase/unit/rest tests/localbase/integration/rest --timeout 0"
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

_Case = TypeVar("_Case")
TIMES = int(os.environ.get("RANDOM_CASES", "1"))


def cases(ordinary: int) -> int:
    """The number for this run."""
    return ordinary * TIMES


def few(listed: Sequence[_Case], ordinary: int) -> Sequence[_Case]:
    """The first of cases of one kind, which the others are much like; all of them where there are more cases."""
    return listed if TIMES > 1 else listed[:ordinary]


def one_of_each(kinds: Sequence[Sequence[_Case]], turn: int) -> list[_Case]:
    """One case of each kind, at the next turn the next of it; where this run takes more cases, all."""
    return [case for kind in kinds for case in (kind if TIMES > 1 else [kind[turn % len(kind)]])]
