"""Two processes at once, in one thread: each stops before every call that leaves it, and the turns say who goes on.

What a call does outside (one statement, one request to a vendor) is never divided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from greenlet import getcurrent, greenlet


def pause() -> None:
    """Lets whoever directs the turns go on, where there is one."""
    parent = getcurrent().parent
    if parent is not None:
        parent.switch()


def in_turns(first: Callable[[], bool], second: Callable[[], bool], turns: Sequence[int]) -> bool:
    """`turns` are the calls that the first makes, then the second, then the first …; at last each goes on to its end.

    Whether both could be.
    """
    works = greenlet(first), greenlet(second)
    happened = [False, False]
    for turn, calls in enumerate((*turns, _TO_THE_END, _TO_THE_END)):
        place = turn % 2
        for _ in range(calls):
            if works[place].dead:
                break
            answer = works[place].switch()
            if works[place].dead:
                happened[place] = bool(answer)
    return all(happened)


_TO_THE_END = 10**9
