"""Log lines as JSON, one object a line, with Cloud Logging's names (`severity`, `message`).

They cannot be forged: what a client has sent is a JSON string within a field, never a line or a field of its own.
`log_text.py` shows them to a person.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Mapping

ACCESS_LOG = "localbase.access"
# Nothing that would have to be escaped in JSON, in a header or in a shell.
_REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}")


def printable(text: str) -> str:
    """`text` with every control character and line end written as an escape."""
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() else c.encode("unicode_escape").decode() for c in text])


def is_request_id(text: str) -> bool:
    """Tell whether a client's own id can stand in logs and answers as it is."""
    return bool(_REQUEST_ID.fullmatch(text))


def utc_stamp(seconds: float) -> str:
    """A time as ISO 8601 in UTC, in milliseconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(seconds)) + f"{int(seconds * 1000) % 1000:03d}Z"


def json_line(service: str, logger: str, severity: str, message: str, moment: float) -> str:
    """A line of a process that has no logging of its own set up."""
    line = {"time": utc_stamp(moment), "severity": severity, "service": service, "logger": logger}
    return json.dumps({**line, "message": message}, separators=(",", ":"))


class JsonFormatter(logging.Formatter):
    """One line a record. `extra={"fields": {…}}` adds fields; those that name the line's origin cannot be replaced."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON; a traceback is a field."""
        message = record.getMessage()
        if record.name == ACCESS_LOG:
            return message  # whole lines, of the access log's own making
        fields: Mapping[str, object] = getattr(record, "fields", {})
        origin, _, slug = record.name.partition(".")
        line: dict[str, object] = {
            "time": utc_stamp(record.created),
            "severity": record.levelname,
            "service": self._service,
            "logger": record.name,
            "message": message,
        }
        if origin == "functions" and slug:
            line["slug"] = slug
        line = line | dict(fields) | line
        if record.exc_info:
            line["stack_trace"] = self.formatException(record.exc_info)
        return json.dumps(line, separators=(",", ":"), default=str)


def log_to_stdout(service: str) -> None:
    """Sets this process's log up."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonFormatter(service))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
