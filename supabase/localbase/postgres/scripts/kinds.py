"""Statements that cannot run in a transaction, or that control one.

The official CLI runs `create index concurrently`, `drop index concurrently`, `reindex … concurrently`, `vacuum`,
`alter system` and `cluster` outside a transaction, and a file that begins or ends transactions itself without any of
the CLI's (its pkg/migration, from 2.109 on). Here that goes for all that Postgres refuses inside a transaction.
"""

from __future__ import annotations

import re

_COMMENT = re.compile(r"/\*.*?\*/|--[^\n\r]*", re.DOTALL)
# Enough for the words that tell; what comes behind may be long.
_BEGINNING = 2000
_ALONE = re.compile(
    r"""create\ (?:unique\ )?index\ concurrently\b
      | drop\ index\ concurrently\b
      | reindex\b.*\b(?:concurrently|database|schema|system)\b
      | vacuum\b | cluster\b | discard\ all\b
      | alter\ system\b
      | (?:create|drop)\ (?:database|tablespace|subscription)\b
      | alter\ database\b.*\bset\ tablespace\b
      | alter\ subscription\b.*\b(?:refresh|publication)\b
      | alter\ table\b.*\bdetach\ partition\b.*\bconcurrently\b
      | (?:commit|rollback)\ prepared\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONTROL = re.compile(
    r"""(?:begin|start\ transaction|commit|end|abort|prepare\ transaction)\b(?!\ prepared\b)
      | rollback\b(?!(?:\ (?:work|transaction))?\ to\b)(?!\ prepared\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# The official CLI's first line of a file that is to run without a transaction.
NO_TRANSACTION = "-- pg-delta: transaction=false"


def runs_alone(sql: str) -> bool:
    """Tell whether Postgres refuses the statement inside a transaction."""
    return _ALONE.match(_words(sql)) is not None


def controls_transaction(sql: str) -> bool:
    """Tell whether the statement begins or ends a transaction. A savepoint does not."""
    return _CONTROL.match(_words(sql)) is not None


def _words(sql: str) -> str:
    return " ".join(_COMMENT.sub(" ", sql[:_BEGINNING]).split())
