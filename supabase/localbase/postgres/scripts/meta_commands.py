"""Lines of psql in a script (`\\restrict`, `\\connect`): which change nothing here, and which are an error.

The official CLI sends them to Postgres, which refuses each as a syntax error. Here those that only change what psql
shows are left out: pg_dump writes `\\restrict`, and scripts begin with `\\set ON_ERROR_STOP on`.
"""

from __future__ import annotations

import re
from pathlib import Path

from localbase.core.errors import UserError
from localbase.postgres.scripts.statements import Piece

# `\encoding` has been heeded when the file was read.
_HARMLESS = re.compile(
    r"""\\(?:
        (?:un)?restrict | echo | qecho | warn | timing | pset | encoding | conninfo | errverbose
      | [aCfHptTxrsh?] | d[\w+]* | l\+? | sf\+? | sv\+?
    )(?=\s|$)[^\\]*
    | \\(?:un)?set\ +(?:ON_ERROR_STOP|ECHO(?:_HIDDEN)?|QUIET|VERBOSITY|SHOW_CONTEXT|SHOW_ALL_RESULTS|FETCH_COUNT
        |PROMPT[123]|HIST\w+|COMP_KEYWORD_CASE|IGNOREEOF)\b[^\\]*
    """,
    re.VERBOSE | re.DOTALL,
)
_NAME = re.compile(r"\\[A-Za-z]+\+?|\\.|\\")
_REMEDIES = {
    "\\i": "Name the file itself: as a migration, in sql_paths or in schema_paths.",
    "\\ir": "Name the file itself: as a migration, in sql_paths or in schema_paths.",
    "\\connect": "The file runs in the project's database: take the line out (pg_dump writes it for --create).",
    "\\c": "The file runs in the project's database: take the line out (pg_dump writes it for --create).",
    "\\copy": "Write `copy … from stdin;` with the rows behind it, and a line \\. at their end.",
    "\\set": "Write the value itself where the variable stands.",
    "\\q": "Take out the line, and what stands behind it.",
}


def without_meta_commands(path: Path, pieces: list[Piece]) -> tuple[list[Piece], list[str]]:
    """The statements, and the names of the lines that were left out. Raises `UserError` on one that does something."""
    left_out: dict[str, None] = {}
    for piece in pieces:
        if piece.is_meta_command:
            match = _NAME.match(piece.sql)
            name = match[0] if match else piece.sql
            if not _HARMLESS.fullmatch(piece.sql):
                raise UserError(
                    f"{path}, line {piece.line}: {name} is a command of psql, not SQL\n  {piece.sql[:200]}",
                    _REMEDIES.get(name, "Take it out, or write it as SQL."),
                )
            left_out[name] = None
    return [piece for piece in pieces if not piece.is_meta_command], list(left_out)
