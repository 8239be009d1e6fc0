"""The emulators' log: JSON, one object a line, as gateway and functions have it; LOG_FORMAT=text for a terminal."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Mapping


class JsonFormatter(logging.Formatter):
    """`extra={"fields": {…}}` adds fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, a traceback as a field."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "severity": record.levelname,
            "service": "emulators",
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["stack_trace"] = self.formatException(record.exc_info)
        return json.dumps(line, separators=(",", ":"), default=str)


class TextFormatter(logging.Formatter):
    """The same for a person."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The message and its fields on one line."""
        fields = [f"{name}={value!r}" for name, value in getattr(record, "fields", {}).items()]
        return " ".join([super().formatMessage(record), *fields])


def log_to_stdout(environ: Mapping[str, str]) -> None:
    """Sets this process's log up."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(TextFormatter() if environ.get("LOG_FORMAT") == "text" else JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)
