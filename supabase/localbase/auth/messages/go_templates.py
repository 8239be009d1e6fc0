"""Templates in the language of GoTrue's mails: Go's html/template, as far as Supabase documents it for mails.

That is `{{ .Name.part }}`, `{{ if … }}`, `{{ else if … }}`, `{{ else }}`, `{{ end }}`, comments, trim marks, and the
functions `eq`, `ne`, `and`, `or`, `not`, `index`. Values are escaped for where they stand: in HTML, or in a link.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

Values = Mapping[str, Any]
_Expression = Callable[[Values], Any]
_Escape = Callable[[str], str]

_ACTION = re.compile(r"\{\{(-\s)?\s*(.*?)\s*(\s-)?\}\}", re.DOTALL)
_WORD = re.compile(r"""\s*(\(|\)|"(?:[^"\\]|\\.)*"|`[^`]*`|[^\s()"`]+)""")
# An address in an attribute that a value stands in, from its beginning.
_OPEN_ADDRESS = re.compile(r"""\b(?:href|src|action)\s*=\s*(?:"([^"]*)|'([^']*))$""", re.IGNORECASE)


class TemplateError(ValueError):
    """A template that cannot be understood."""


@dataclass(frozen=True, slots=True)
class _Text:
    text: str


@dataclass(frozen=True, slots=True)
class _Output:
    expression: _Expression
    escape: _Escape


@dataclass(frozen=True, slots=True)
class _Choice:
    branches: list[tuple[_Expression, list[_Node]]]


_Node = _Text | _Output | _Choice


class Template:
    """A template, understood once. Raises `TemplateError`."""

    def __init__(self, source: str, *, markup: bool = True) -> None:
        self._nodes = _Parser(source, markup=markup).whole()

    def fill(self, values: Values) -> str:
        """The text with `values`; a name that is not there is empty."""
        return "".join(_rendered(self._nodes, values))


def _rendered(nodes: list[_Node], values: Values) -> list[str]:
    parts: list[str] = []
    for node in nodes:
        if isinstance(node, _Text):
            parts.append(node.text)
        elif isinstance(node, _Output):
            parts.append(node.escape(_shown(node.expression(values))))
        else:
            chosen = next((body for condition, body in node.branches if condition(values)), [])
            parts += _rendered(chosen, values)
    return parts


class _Parser:
    def __init__(self, source: str, *, markup: bool) -> None:
        self._markup = markup
        self._pieces = list(_pieces(source))
        self._position = 0
        # The text so far, with a letter for each value: it tells where the next one stands.
        self._before = ""

    def whole(self) -> list[_Node]:
        nodes, end = self._block()
        if end:
            raise TemplateError(f"{{{{ {end} }}}} without an if")
        return nodes

    def _block(self) -> tuple[list[_Node], str]:
        """The nodes up to the `else` or `end` that closes them, and that action (empty at the end)."""
        nodes: list[_Node] = []
        while self._position < len(self._pieces):
            is_action, text = self._pieces[self._position]
            self._position += 1
            if not is_action:
                nodes.append(_Text(text))
                self._before += text
                continue
            keyword, _, rest = text.partition(" ")
            if keyword in ("else", "end"):
                return nodes, text
            if keyword == "if":
                nodes.append(self._choice(rest))
            elif text and not text.startswith("/*"):
                nodes.append(_Output(_expression(text), self._escape()))
                self._before += "x"
        return nodes, ""

    def _choice(self, condition: str) -> _Choice:
        branches: list[tuple[_Expression, list[_Node]]] = []
        test = _expression(condition)
        while True:
            body, end = self._block()
            branches.append((test, body))
            if end == "end":
                return _Choice(branches)
            if not end:
                raise TemplateError(f"{{{{ if {condition} }}}} has no {{{{ end }}}}")
            following = end.removeprefix("else").strip()
            test = _expression(following.removeprefix("if ")) if following else lambda _: True

    def _escape(self) -> _Escape:
        if not self._markup:
            return str
        address = _OPEN_ADDRESS.search(self._before)
        if address is not None and re.search(r"[?#]", address[1] or address[2] or ""):
            return lambda text: quote(text, safe="")
        return html.escape


def _pieces(source: str) -> list[tuple[bool, str]]:
    """Texts and actions in turn, with white space taken off where an action's trim mark says so."""
    pieces: list[tuple[bool, str]] = []
    position, trims = 0, False
    for match in _ACTION.finditer(source):
        text = source[position : match.start()]
        text = text.lstrip() if trims else text
        pieces.append((False, text.rstrip() if match[1] else text))
        pieces.append((True, match[2]))
        position, trims = match.end(), bool(match[3])
    rest = source[position:]
    if "{{" in rest:
        raise TemplateError("{{ is not closed")
    pieces.append((False, rest.lstrip() if trims else rest))
    return pieces


def _expression(text: str) -> _Expression:
    words, position = [], 0
    while position < len(text.rstrip()):
        match = _WORD.match(text, position)
        if match is None:
            raise TemplateError(f"{text!r} cannot be read")
        words.append(match[1])
        position = match.end()
    if not words:
        raise TemplateError("a condition is missing")
    expression, rest = _call(words)
    if rest:
        raise TemplateError(f"{text!r} has one parenthesis too many")
    return expression


def _call(words: list[str]) -> tuple[_Expression, list[str]]:
    """A function with its arguments, or a single value, and the words after it."""
    if words[0] not in _FUNCTIONS:
        value, rest = _value(words)
        if rest and rest[0] != ")":
            raise TemplateError(f"{words[0]!r} is no function that mails have")
        return value, rest
    function, rest = _FUNCTIONS[words[0]], words[1:]
    arguments: list[_Expression] = []
    while rest and rest[0] != ")":
        argument, rest = _value(rest)
        arguments.append(argument)
    if not arguments:
        raise TemplateError(f"{words[0]} has no arguments")
    return (lambda values: function([argument(values) for argument in arguments])), rest


def _value(words: list[str]) -> tuple[_Expression, list[str]]:
    word, rest = words[0], words[1:]
    if word == "(":
        if not rest:
            raise TemplateError("a parenthesis is not closed")
        inner, rest = _call(rest)
        if not rest:
            raise TemplateError("a parenthesis is not closed")
        return inner, rest[1:]
    if word.startswith("."):
        names = [name for name in word.split(".") if name]
        return (lambda values: _looked_up(values, names)), rest
    if word in ("true", "false"):
        return (lambda _: word == "true"), rest
    if word.startswith("`"):
        return (lambda _: word[1:-1]), rest
    try:
        literal = json.loads(word)
    except ValueError as error:
        raise TemplateError(f"{word!r} is no value and no function that mails have") from error
    return (lambda _: literal), rest


def _looked_up(values: Any, names: Sequence[Any]) -> Any:
    for name in names:
        if isinstance(values, Mapping):
            values = values.get(name)
        elif isinstance(values, list) and isinstance(name, int) and 0 <= name < len(values):
            values = values[name]
        else:
            return None
    return values


def _first_that(arguments: list[Any], *, holds: bool) -> Any:
    """Go's `and` and `or`: the argument that decides, else the last."""
    return next((each for each in arguments if bool(each) is holds), arguments[-1])


_FUNCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "eq": lambda arguments: any(arguments[0] == other for other in arguments[1:]),
    "ne": lambda arguments: arguments[0] != arguments[-1],
    "and": lambda arguments: _first_that(arguments, holds=False),
    "or": lambda arguments: _first_that(arguments, holds=True),
    "not": lambda arguments: not arguments[0],
    "index": lambda arguments: _looked_up(arguments[0], arguments[1:]),
}


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
