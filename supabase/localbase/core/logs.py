"""Log lines that cannot be forged: what a client has sent never begins a line of its own, nor moves the cursor."""

from __future__ import annotations

import logging
import re
import sys

# The access log joins lines of its own making.
_ACCESS_LOG = "localbase.access"
_REQUEST_ID = re.compile(r"[\x21-\x7e]{1,128}")


def printable(text: str) -> str:
    """`text` with every control character and line end written as an escape."""
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() else c.encode("unicode_escape").decode() for c in text])


def is_request_id(text: str) -> bool:
    """Whether a client's own id can stand in logs and answers as it is."""
    return bool(_REQUEST_ID.fullmatch(text))


class LineFormatter(logging.Formatter):
    """One line a record; a traceback's lines are set in, so that none of them passes for a record."""

    def __init__(self, form: str = "%(asctime)s %(levelname)s %(name)s %(message)s") -> None:
        super().__init__(form)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The record without its traceback."""
        if record.name != _ACCESS_LOG:
            record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: object) -> str:  # noqa: N802 - logging's own name
        """The traceback."""
        lines = super().formatException(ei).split("\n")  # type: ignore[arg-type]
        return "\n".join(["    " + printable(line) for line in lines])


def log_to_stdout() -> None:
    """Sets this process's log up."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(LineFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
