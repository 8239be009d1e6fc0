"""`db advisors`: weaknesses and slow spots of the schema."""

from __future__ import annotations

import argparse
import sys

from localbase.cli.call import Call
from localbase.cli.database.db_url import add_level_arguments, add_target_arguments, target_of
from localbase.cli.terminal import say, styled
from localbase.postgres.checks.advice import Advice, advise

_LEVELS = ("info", "warn", "error")
_STYLES = {"error": "red", "warn": "yellow"}


def advisors_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the weaknesses to look for, to show, and to fail for."""
    parser.add_argument(
        "--type", choices=("all", "security", "performance"), default="all", help="what is looked for (all)"
    )
    add_level_arguments(parser, _LEVELS)
    add_target_arguments(parser)


def run_advisors(call: Call) -> int:
    """Prints each place with what to do."""
    options = call.options
    with target_of(call).connect() as connection:
        every = advise(connection, call.project.settings.api.schemas)
    every = [each for each in every if options.type in {"all", each.check.type}]
    shown = [each for each in every if _at_least(each, options.level)]
    data = [
        {
            "name": each.check.name,
            "type": each.check.type,
            "level": each.check.level,
            "schema": each.schema,
            "object": each.object,
            "detail": each.detail,
            "message": each.check.message,
            "remedy": each.check.remedy,
        }
        for each in shown
    ]
    if not shown:
        say("No weaknesses found.")
    call.output.show(data, "\n".join(map(_text, shown)))
    return 1 if options.fail_on != "none" and any(_at_least(each, options.fail_on) for each in every) else 0


def _at_least(advice: Advice, level: str) -> bool:
    return _LEVELS.index(advice.check.level) >= _LEVELS.index(level)


def _text(advice: Advice) -> str:
    check = advice.check
    place = (
        advice.object if advice.object.startswith(f"{advice.schema}.") else f"{advice.schema}.{advice.object}"
    )
    detail = f" ({advice.detail})" if advice.detail else ""
    style = _STYLES.get(check.level)
    level = styled(check.level, style, sys.stdout) if style else check.level
    return f"{level}: {place}{detail}: {check.message}\n  → {check.remedy}  [{check.name}]"
