"""`db lint`: functions that cannot run, found without running them."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.database.comparison import add_schema_argument
from localbase.cli.database.db_url import add_level_arguments, add_target_arguments, target_of
from localbase.cli.terminal import say
from localbase.postgres.checks.functions import Finding, check_functions
from localbase.postgres.schema.scope import split_schemas

_LEVELS = ("warning", "error")


def lint_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the faults to show, and to fail for."""
    parser.description = (
        "Compiles every function, and prepares the static SQL of PL/pgSQL: relations, columns and fields of NEW and "
        "OLD that do not exist. Dynamic SQL and types of variables are not checked."
    )
    add_level_arguments(parser, _LEVELS)
    add_schema_argument(parser)
    add_target_arguments(parser)


def run_lint(call: Call) -> int:
    """Prints the findings by function."""
    options = call.options
    with target_of(call).connect() as connection:
        every = check_functions(connection, split_schemas(options.schema))
    shown = [each for each in (_of_level(finding, options.level) for finding in every) if each.issues]
    data = [
        {
            "function": finding.function,
            "issues": [
                {
                    "level": issue.level,
                    "message": issue.message,
                    "sqlState": issue.sqlstate,
                    "statement": {"lineNumber": str(issue.line), "text": issue.text},
                }
                for issue in finding.issues
            ],
        }
        for finding in shown
    ]
    lines = [
        f"{finding.function}, line {issue.line}: {issue.level}: {issue.message}"
        for finding in shown
        for issue in finding.issues
    ]
    if not lines:
        say("No mistakes found.")
    call.output.show(data, "\n".join(lines))
    failing = options.fail_on != "none" and any(
        _of_level(finding, options.fail_on).issues for finding in every
    )
    return 1 if failing else 0


def _of_level(finding: Finding, level: str) -> Finding:
    least = _LEVELS.index(level)
    return Finding(finding.function, tuple(i for i in finding.issues if _LEVELS.index(i.level) >= least))
