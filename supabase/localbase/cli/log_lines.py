"""Lines of all of a stack's logs: of which service, how bad, from when; in time order, of many files at once."""

from __future__ import annotations

import heapq
import json
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from localbase.core.log_text import as_text
from localbase.core.project import Project

_FOLLOW_SECONDS = 0.2
_POSTGRES = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) UTC \[\d+\] (\w+): +(.*)")
# A line that the functions' host has written: time, level, function, and what it says.
_OF_FUNCTION = re.compile(r"(\S+ \S+) (\w+) functions\.([\w-]+) (.*)", re.DOTALL)
# Paths at the gateway, each with the service that answers there.
_SERVICES = {
    "rest": ("rest", "postgrest"),
    "auth": ("auth", "gotrue"),
    "storage": ("storage", "storage-api"),
    "realtime": ("realtime",),
    "functions": ("functions", "edge-runtime"),
}
_PROCESSES = {
    "postgres": ("postgres", "db"),
    "functions": ("functions", "edge-runtime"),
    "gateway": ("gateway", "api", "kong"),
}
# What `--level` names, and the words of the logs for it.
LEVELS = {
    "error": ("ERROR", "CRITICAL", "FATAL", "PANIC"),
    "warn": ("WARNING", "WARN"),
    "warning": ("WARNING", "WARN"),
    "info": ("INFO",),
    "debug": ("DEBUG",),
    "log": ("LOG",),
    "notice": ("NOTICE",),
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line. `moment` is ISO 8601 in UTC; a line without one has that of the line before it in its file."""

    moment: str
    process: str
    severity: str
    services: tuple[str, ...]
    raw: str

    @property
    def data(self) -> dict[str, Any]:
        """The line as JSON: its own fields, and for plain text the process, the time and the message."""
        record = _record(self.raw)
        if record is not None:
            return {"process": self.process, **record}
        return {
            "process": self.process,
            "time": self.moment,
            "severity": self.severity,
            "message": self.raw,
        }

    @property
    def text(self) -> str:
        """The line for a person: of which process, and what it says."""
        return f"{self.process:<10} {as_text(self.raw)}"


@dataclass(frozen=True, slots=True)
class LogFilter:
    """A choice of lines: empty or None lets all through."""

    services: frozenset[str] = frozenset()
    severities: frozenset[str] = frozenset()
    search: str = ""
    since: str = ""
    until: str = ""

    def __call__(self, line: LogLine) -> bool:
        """Tell whether this line is shown."""
        return (
            (not self.services or not self.services.isdisjoint(line.services))
            and (not self.severities or line.severity in self.severities)
            and (not self.search or self.search.lower() in line.text.lower())
            and (not self.since or line.moment >= self.since)
            and (not self.until or line.moment <= self.until)
        )


def selectors(logs: Path) -> list[str]:
    """Every name that `--service` takes: processes, and services behind the gateway."""
    names = {name for path in logs.glob("*.log") for name in _names_of(path.stem)}
    return sorted(names | {name for names in _SERVICES.values() for name in names})


def read_all(paths: Iterable[Path]) -> Iterator[LogLine]:
    """The lines of all files, in time order."""
    return heapq.merge(*(_read(path) for path in paths), key=lambda line: line.moment)


def _read(path: Path) -> Iterator[LogLine]:
    if not path.exists():
        return
    reader = _Reader(_process_of(path))
    with path.open(encoding="utf-8", errors="replace") as file:
        yield from (reader.line(text.rstrip("\n")) for text in file if text.strip())


def follow(logs: Path, sizes: dict[str, int], pattern: str = "*.log") -> Iterator[LogLine]:
    """The lines that are added behind `sizes` (file name to bytes), for ever; of new files too."""
    rests: dict[str, str] = {}
    readers: dict[str, _Reader] = {}
    while True:
        new_lines = []
        for path in sorted(logs.glob(pattern)):
            name = path.name
            start = sizes.get(name, 0)
            if path.stat().st_size < start:
                start, rests[name] = 0, ""
            with path.open(encoding="utf-8", errors="replace") as file:
                file.seek(start)
                *lines, rests[name] = (rests.get(name, "") + file.read()).split("\n")
                sizes[name] = file.tell()
            reader = readers.setdefault(name, _Reader(_process_of(path)))
            new_lines += [reader.line(text) for text in lines if text.strip()]
        yield from sorted(new_lines, key=lambda line: line.moment)
        time.sleep(_FOLLOW_SECONDS)  # other processes write the files, and say nothing of it


def iso(moment: datetime) -> str:
    """A time as the logs have it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


class _Reader:
    """Reads the lines of one file; remembers the time of the last."""

    def __init__(self, process: str) -> None:
        self._process = process
        self._moment = ""

    def line(self, text: str) -> LogLine:
        severity, path = "", ""
        if (record := _record(text)) is not None:
            self._moment = str(record.get("time", self._moment))
            severity, path = str(record.get("severity", "")), str(record.get("path", ""))
            path = path or "/" + str(record.get("logger", "")).removeprefix("localbase.")
        elif match := _POSTGRES.match(text):
            self._moment = f"{match[1].replace(' ', 'T')}Z"
            severity = match[2]
        below = _SERVICES.get(path.split("/")[1] if path.startswith("/") else "", ())
        return LogLine(self._moment, self._process, severity, (*_names_of(self._process), *below), text)


def _record(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _process_of(path: Path) -> str:
    return path.name.removesuffix(".1").removesuffix(".log")


def _names_of(process: str) -> tuple[str, ...]:
    return _PROCESSES.get(
        process.partition("-")[0] if process.startswith("gateway-") else process, (process,)
    )


def shown_of_function(line: str, slug: str | None) -> str:
    """A line of the functions' log as it is shown; empty if it is another function's than `slug`, or of none."""
    match = _OF_FUNCTION.match(as_text(line))
    if not match or (slug is not None and match[3] != slug):
        return ""
    time_, level, name, text = match.groups()
    return f"{time_[:19]} {name} {'' if level == 'INFO' else level + ' '}{text}"


def log_path(project: Project) -> Path:
    """The log of the process that runs functions."""
    return project.state / "logs" / "functions.log"
