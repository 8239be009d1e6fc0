"""`logs`: what every process of the stack has logged, in time order."""

from __future__ import annotations

import argparse
import json
import signal
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.log_lines import LEVELS, LogFilter, LogLine, follow, iso, read_all, selectors
from localbase.core.configuration import parse_duration
from localbase.core.errors import UserError

_MOST = 1000


def logs_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which services, from when, how much."""
    parser.add_argument(
        "service", nargs="*", help="of these services alone; `sources` lists the names instead"
    )
    parser.add_argument("-f", "--follow", action="store_true", help="go on with the lines to come")
    parser.add_argument("--service", action="append", default=[], dest="services", help="the same as a flag")
    parser.add_argument("--level", action="append", default=[], choices=sorted(LEVELS), metavar="LEVEL")
    parser.add_argument("--search", default="", metavar="TEXT", help="lines with this text, in either case")
    parser.add_argument("--since", default="1h", help="a duration (1h), a time in UTC, or `start` (1h)")
    parser.add_argument("--from", dest="from_", default="", metavar="TIME", help="from this time in UTC on")
    parser.add_argument("--to", default="", metavar="TIME", help="until this time in UTC")
    parser.add_argument("--limit", "-n", type=int, default=100, help="how many of the last lines (100)")
    for flag in ("--stack", "--stack-id", "--resource", "--kind", "--sql", "--file"):
        parser.add_argument(flag, help=argparse.SUPPRESS)


def run_logs(call: Call) -> int:
    """Prints the last lines that the filters let through, and with `-f` those to come, until Ctrl-C."""
    options = call.options
    _reject_hosted(options)
    logs = call.project.state / "logs"
    names = [*options.service, *options.services]
    if names == ["sources"]:
        call.output.show(selectors(logs), "\n".join(selectors(logs)))
        return 0
    shown = _filter(options, names, selectors(logs))
    current = sorted(logs.glob("*.log"))
    sizes = {path.name: path.stat().st_size for path in current}
    earlier: Iterable[Path] = () if options.since == "start" else sorted(logs.glob("*.log.1"))
    last: deque[LogLine] = deque(maxlen=min(max(options.limit, 0), _MOST))
    last.extend(line for line in read_all([*earlier, *current]) if shown(line))
    for line in last:
        _print(call, line)
    if options.follow:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        for line in follow(logs, sizes):
            if shown(line):
                _print(call, line)
    return 0


def _reject_hosted(options: argparse.Namespace) -> None:
    for name in ("resource", "kind", "sql", "file"):
        if getattr(options, name):
            raise UserError(
                f"--{name} is for logs of the hosted platform.",
                "Add --remote for those, or use --service, --level, --search and --since.",
            )


def _filter(options: argparse.Namespace, names: list[str], log_names: list[str]) -> LogFilter:
    if unknown := [name for name in names if name not in log_names]:
        raise UserError(
            f"There is no log of {', '.join(map(repr, unknown))}.", f"There are: {', '.join(log_names)}."
        )
    since = _moment(options.from_) if options.from_ else _since(options.since)
    return LogFilter(
        frozenset(names),
        frozenset(severity for level in options.level for severity in LEVELS[level]),
        options.search,
        since,
        _moment(options.to) if options.to else "",
    )


def _since(text: str) -> str:
    if text == "start":
        return ""
    try:
        return iso(datetime.now(UTC) - timedelta(seconds=parse_duration(text)))
    except ValueError:
        return _moment(text)


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(
            f"{text!r} is neither a duration nor a time.", "Write 30m, 1h, or 2026-01-31T12:00:00Z."
        ) from None
    return iso(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def _print(call: Call, line: LogLine) -> None:
    print(json.dumps(line.data, ensure_ascii=False) if call.output.is_json else line.text, flush=True)
