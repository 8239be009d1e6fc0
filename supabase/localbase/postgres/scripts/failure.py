"""The report of a script that fails: the line, Postgres's words, what to do, and what has been applied."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.core.errors import UserError
from localbase.postgres.extensions import STATEMENT, UNDEFINED, missing_remedy, user_of
from localbase.postgres.scripts.statements import Piece

if TYPE_CHECKING:
    import psycopg

_REMEDIES = {
    "53100": "Free some space on the database's disk and try again;",
    "55P04": "A new value of an enum can be used once its transaction is over: move what uses it to a later file;",
}
# Not available: a missing control file, by the version of Postgres.
_NO_EXTENSION = ("0A000", "58P01")
_PSQL_VARIABLE = re.compile(r""":(?:['"]?[A-Za-z_]|\{\?)""")
_ROW = re.compile(r"^COPY .*?, line (\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The number of a file's statements that stay applied, and whether the file itself has decided that."""

    statements: int = 0
    committed_itself: bool = False

    def __str__(self) -> str:
        if not self.statements:
            return "nothing of it has been applied."
        one = self.statements == 1
        which = "its first statement" if one else f"its first {self.statements} statements"
        does = "ran, and what that committed stays" if self.committed_itself else f"stay{'s' * one} applied"
        return (
            f"{which} {does}. Let the file pass over that, or undo it by hand; a local database is made anew by "
            "`supabase db reset`."
        )


class ScriptError(UserError):
    """A file's error. Its remedy ends with what stays applied, unless it is `final`."""

    def __init__(self, message: str, remedy: str, outcome: Outcome, *, final: bool = False) -> None:
        super().__init__(message, remedy if final else f"{remedy} {outcome}")
        self._advice, self._final = remedy, final

    def of_discarded(self) -> UserError:
        """The same error where the database was made for the purpose and is thrown away."""
        return UserError(self.message, self._advice if self._final else f"{self._advice} {Outcome()}")


class ConnectionLost(UserError):
    """The database's server has gone, or has cut the connection."""


def script_error(
    path: Path, piece: Piece, error: psycopg.Error, outcome: Outcome, is_missing: Callable[[str], bool]
) -> ScriptError:
    """The error of one statement. `is_missing` says of an extension whether this Postgres lacks it."""
    row = _ROW.search(error.diag.context or "") if piece.copies == "in" else None
    if row:
        index = int(row[1]) - 1
        line = piece.rows_line + index
        text = (piece.rows.split("\n", index + 1)[index : index + 1] or [""])[0]
    else:
        position = int(error.diag.statement_position or 1)
        line = piece.line + piece.sql.count("\n", 0, position - 1)
        text = piece.sql[:position].rsplit("\n", 1)[-1] + piece.sql[position:].split("\n", 1)[0]
    message = f"{path}, line {line}: {error.diag.message_primary or error} ({error.sqlstate})\n  {text.strip()[:500]}"
    message += "".join(f"\n  {part}" for part in (error.diag.message_detail, error.diag.message_hint) if part)
    if error.sqlstate in _NO_EXTENSION and (match := STATEMENT.match(piece.sql)):
        return ScriptError(message, missing_remedy(match[2] or match[3].lower()), outcome, final=True)
    extension = user_of(error.diag.message_primary or "") if error.sqlstate in UNDEFINED else None
    if extension is not None and is_missing(extension):
        return ScriptError(message, f"{missing_remedy(extension)}\nThen try again;", outcome)
    remedy = _REMEDIES.get(error.sqlstate or "") or _remedy_by_text(piece, error)
    return ScriptError(message, remedy, outcome)


def commit_error(path: Path, error: psycopg.Error, outcome: Outcome) -> ScriptError:
    """The error of what Postgres does at the end of a file, after its last statement."""
    said = error.diag.message_primary or error
    detail = f"\n  {error.diag.message_detail}" if error.diag.message_detail else ""
    message = f"{path}, at its end: {said} ({error.sqlstate}){detail}"
    return ScriptError(message, "Mend the file and try again;", outcome)


def _remedy_by_text(piece: Piece, error: psycopg.Error) -> str:
    if error.sqlstate == "42601" and error.diag.statement_position:
        rest = piece.sql[int(error.diag.statement_position) - 1 :]
        if rest.startswith("\\"):
            return "A backslash begins a command of psql, which is no SQL: take it out;"
        if _PSQL_VARIABLE.match(rest):
            return "A colon before a name is a variable of psql, which is no SQL: write the value itself;"
    return "Mend the file and try again;"
