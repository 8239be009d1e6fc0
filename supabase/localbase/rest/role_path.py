"""The place of the role in a token: `pgrst.jwt_role_claim_key`, a path into the claims.

Two notations, as upstream takes both: RFC 9535's (`$.app.roles[0]`, `$['app role'].x`, `$.roles[?(@ == "x")]`) and the
older one of its own (`.app.roles[0]`, `."app role"`, `[?(@ ^== "x")]`). Upstream: `Config/JSPath.hs`,
`Config/DeprecatedJSPath.hs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Step = str | int | tuple[str, str] | None
"""A member's name, an item's place, a test that items pass, or all items."""
RolePath = tuple[Step, ...]

_STEP = re.compile(
    r"""
    \.(?P<name>[\w$@]+)
  | \."(?P<quoted>[^"]*)"
  | \[\s*(?P<quote>["'])(?P<key>.*?)(?P=quote)\s*\]
  | \[(?P<index>-?\d+)\]
  | (?P<all>\.\*|\[\*\])
  | \[\?\(?\s*@\s*(?P<operator>==\^|==|!=|\^==|\*==)\s*(?P<mark>["'])(?P<word>.*?)(?P=mark)\s*\)?\]
    """,
    re.VERBOSE,
)
_TESTS: dict[str, Callable[[str, str], bool]] = {
    "==": lambda item, word: item == word,
    "!=": lambda item, word: item != word,
    "^==": lambda item, word: item.startswith(word),
    "==^": lambda item, word: item.endswith(word),
    "*==": lambda item, word: word in item,
}


def parse_role_path(text: str) -> RolePath:
    """The steps of a path. Raises `ValueError` for what is none."""
    rest = text.strip().removeprefix("$")
    steps: list[Step] = []
    position = 0
    while position < len(rest):
        match = _STEP.match(rest, position)
        if match is None:
            raise ValueError(f"{text!r} is no path to a claim")
        position = match.end()
        name = match["name"] or match["quoted"] or match["key"]
        if name is not None:
            steps.append(name)
        elif match["index"] is not None:
            steps.append(int(match["index"]))
        else:
            steps.append(None if match["all"] else (match["operator"], match["word"]))
    if not steps:
        raise ValueError(f"{text!r} is no path to a claim")
    return tuple(steps)


def find_in(path: RolePath, claims: Any) -> Any:
    """The first value that the path leads to, or None."""
    values = [claims]
    for step in path:
        values = [child for value in values for child in _follow(value, step)]
    return values[0] if values else None


def _follow(value: Any, step: Step) -> Iterator[Any]:
    if isinstance(step, str):
        if isinstance(value, dict) and step in value:
            yield value[step]
    elif isinstance(step, int):
        if isinstance(value, list) and -len(value) <= step < len(value):
            yield value[step]
    elif isinstance(value, list | dict):
        items = value if isinstance(value, list) else list(value.values())
        for item in items:
            if step is None or (isinstance(item, str) and _TESTS[step[0]](item, step[1])):
                yield item
