"""The static SQL, variables and record fields of a PL/pgSQL body, as far as they can be read without a parser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from localbase.postgres.scripts.statements import split

_TEXT = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$", re.DOTALL)
_DECLARATIONS = re.compile(r"\bdeclare\b(.*?)\bbegin\b", re.IGNORECASE | re.DOTALL)
_DECLARED = re.compile(r"(?:^|;)\s*(\w+|\"(?:[^\"]|\"\")+\")\s+(?:constant\s+)?[\w\"\[]", re.DOTALL)
_LOOP_VARIABLE = re.compile(r"\b(?:for|foreach)\s+(\w+)\s+(?:in|slice)\b", re.IGNORECASE)
_FIELD = re.compile(r"\b(new|old)\s*\.\s*(\w+)", re.IGNORECASE)
_LABEL = re.compile(r"<<\s*(\w+)\s*>>")
_TEMPORARY = re.compile(r"\bcreate\s+temp(?:orary)?\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)", re.IGNORECASE)
_QUERY = re.compile(
    r"(?:^|.*\b(?:then|else|loop|begin)\s)\s*(?:return\s+query\s+)?(?P<sql>(?:select|insert|update|delete|with|perform)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_LOOP_QUERY = re.compile(
    r"\bfor\s+\w+\s+in\s+(?P<sql>(?:select|with)\b.*?)\bloop\b", re.IGNORECASE | re.DOTALL
)
_INTO = re.compile(r"\binto\s+(?:strict\s+)?[\w.\"]+(?:\s*,\s*[\w.\"]+)*", re.IGNORECASE)
_WORD = re.compile(
    r"(?<![\w.\"'$])(?:(?P<record>\w+)\s*\.\s*\w+|(?P<name>\w+))(?![\w\"'(])|(?<!\.)(?P<quoted>\"(?:[^\"]|\"\")+\")(?!\s*\.)",
    re.IGNORECASE,
)
_SPECIAL = (
    "new",
    "old",
    "found",
    "tg_op",
    "tg_name",
    "tg_table_name",
    "tg_table_schema",
    "tg_when",
    "tg_level",
    "tg_argv",
    "tg_nargs",
    "tg_relid",
    "sqlstate",
    "sqlerrm",
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A static query: as it was written, and with its variables as parameters."""

    text: str
    sql: str
    line: int


@dataclass(frozen=True, slots=True)
class Body:
    """A body that was read. `fields` are those of NEW and OLD, `unused` are variables that occur only once; with lines.

    `temporary` are tables that the body makes.
    """

    statements: tuple[Statement, ...]
    fields: tuple[tuple[str, str, int], ...]
    unused: tuple[tuple[str, int], ...]
    temporary: frozenset[str]


def read_body(source: str, function: str, arguments: Sequence[str]) -> Body:
    """Reads the body of `function`, which Postgres's validator has accepted."""
    # Texts and remarks of the same length, so that places stay: words in them are none.
    bare = _TEXT.sub(lambda match: _blank(match[0]), source)
    declared = [
        (match[1] if match[1].startswith('"') else match[1].lower(), part.start(1) + match.start(1))
        for part in _DECLARATIONS.finditer(bare)
        for match in _DECLARED.finditer(part[1])
    ]
    variables = {
        *(name for name, _ in declared),
        *(match[1].lower() for match in _LOOP_VARIABLE.finditer(bare)),
        *(name.lower() for name in arguments if name),
        # `function.parameter` and `label.variable` are variables too.
        *(function.lower(), *(match[1].lower() for match in _LABEL.finditer(bare))),
        *_SPECIAL,
    }
    temporary = frozenset(match[1].lower() for match in _TEMPORARY.finditer(bare))
    statements = tuple(
        Statement(text, _with_parameters(text, variables), line) for text, line in _queries(source)
    )
    fields = tuple((m[1].lower(), m[2].lower(), _line(bare, m.start())) for m in _FIELD.finditer(bare))
    unused = tuple(
        (name, _line(bare, place))
        for name, place in declared
        if not name.startswith('"')
        and len(re.findall(rf"\b{re.escape(name)}\b", bare, re.IGNORECASE)) == 1
        and not re.search(rf"\b{re.escape(name)}\b", "".join(re.findall(r"\$\w*\$.*", source)), re.IGNORECASE)
    )
    return Body(statements, fields, unused, temporary)


def _blank(text: str) -> str:
    return "".join(sign if sign == "\n" else " " for sign in text)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _queries(source: str) -> list[tuple[str, int]]:
    queries = []
    for piece in split(source):
        bare = _TEXT.sub(lambda match: _blank(match[0]), piece.sql)
        matches = [*_LOOP_QUERY.finditer(bare), *_QUERY.finditer(bare)]
        for match in matches:
            text = piece.sql[match.start("sql") : match.end("sql")]
            queries.append((text.strip(), piece.line + piece.sql.count("\n", 0, match.start("sql"))))
    return queries


def _with_parameters(text: str, variables: set[str]) -> str:
    """The query as PREPARE takes it: without INTO, and each variable, or field of one, a parameter."""
    query = re.sub(r"^perform\b", "select", text, flags=re.IGNORECASE)
    if not re.match(r"insert\b", query, re.IGNORECASE):
        query = _INTO.sub(" ", query, count=1)
    numbers: dict[str, int] = {}

    def parameter(match: re.Match[str]) -> str:
        name = match["quoted"] or (match["record"] or match["name"]).lower()
        if name not in variables:
            return match[0]
        return f"${numbers.setdefault(match[0].lower(), len(numbers) + 1)}"

    parts, place = [], 0
    for literal in _TEXT.finditer(query):
        parts += [_WORD.sub(parameter, query[place : literal.start()]), literal[0]]
        place = literal.end()
    return "".join([*parts, _WORD.sub(parameter, query[place:])])
