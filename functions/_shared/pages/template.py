"""A page that the build has drawn with marks in the places of data (web/src/app/design-template.ts).

`__name__` is a mark. An element with `data-each="colors"` is repeated for each of them, with marks of its own; where a
second one follows, that is how the chosen one looks.
Structured data is JSON, whose marks are filled in as JSON; what has a `data-each` in a list is repeated there too. No
other script is changed, for the page's policy names it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from html import escape

_MARK = re.compile(r"__([a-z]+(?:_[a-z]+)*)__")
_EACH = re.compile(
    r'(?P<plain><(?P<tag>[a-z]+)(?=[^>]* data-each="(?P<name>[a-z]+)").*?</(?P=tag)>)'
    r'(?P<chosen><(?P=tag)(?=[^>]* data-each="(?P=name)").*?</(?P=tag)>)?',
    re.DOTALL,
)
_SCRIPT = re.compile(r"(<script[^>]*>)(.*?)(</script>)", re.DOTALL)
_DATA = '<script type="application/ld+json">'

Values = Mapping[str, str]


def fill(html: str, values: Values, lists: Mapping[str, Sequence[Values]]) -> str:
    """The page with its data: every text of a person is escaped, and none is looked through for marks again."""
    parts, end = [], 0
    for match in _SCRIPT.finditer(html):
        text = _data(match[2], values, lists) if match[1] == _DATA else match[2]
        parts += [_markup(html[end : match.start()], values, lists), match[1], text, match[3]]
        end = match.end()
    return "".join([*parts, _markup(html[end:], values, lists)])


def _markup(html: str, values: Values, lists: Mapping[str, Sequence[Values]]) -> str:
    parts, end = [], 0
    for match in _EACH.finditer(html):
        parts.append(_texts(html[end : match.start()], values))
        for item in lists[match["name"]]:
            element = match["chosen"] if item.get("is_chosen") and match["chosen"] else match["plain"]
            parts.append(_texts(element, {**values, **item}))
        end = match.end()
    return "".join([*parts, _texts(html[end:], values)])


def _texts(html: str, values: Values) -> str:
    return _MARK.sub(lambda match: escape(values[match[1]]), html)


def _data(text: str, values: Values, lists: Mapping[str, Sequence[Values]]) -> str:
    def filled(value: object, values: Values) -> object:
        match value:
            case str():
                return _MARK.sub(lambda mark: values[mark[1]], value)
            case list():
                return [item for each in value for item in repeated(each, values)]
            case dict():
                return {name: filled(each, values) for name, each in value.items() if name != "data-each"}
        return value

    def repeated(value: object, values: Values) -> list[object]:
        if isinstance(value, dict) and "data-each" in value:
            return [filled(value, {**values, **item}) for item in lists[value["data-each"]]]
        return [filled(value, values)]

    # no text may end the script, or begin a comment in it
    return json.dumps(filled(json.loads(text), values)).replace("<", "\\u003c")
