"""JSON lines on stderr, where the host collects them; LOG_FORMAT=text for a person at a terminal.

The names are Cloud Logging's (`severity`, `message`, `httpRequest`), so that it reads the lines as they are. Never a
token, a body, a prompt, an address or an e-mail address: `cause` goes through `redacted`.
"""

from __future__ import annotations

import json
import logging
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_LONGEST_CAUSE = 400
_REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}")
_fields: ContextVar[Mapping[str, object]] = ContextVar("fields of every line", default={})  # noqa: B039 - never changed in place

# What vendors and the database quote of a request, and what must never be read in a log.
_SECRETS = (
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "<e-mail>"),
    (re.compile(r"(?i)\b(bearer|basic)\s+\S+"), r"\1 <secret>"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+(?:\.[\w-]+)?"), "<token>"),
    (re.compile(r"\b(?:sk|rk|pk|sb|r8|whsec|pfysec|seti|pi)_[\w-]+?_secret_\w+"), "<secret>"),
    # base64 in either alphabet
    (re.compile(r"\b(?:sk_|rk_|sb_secret_|r8_|whsec_|pfysec_)[\w+/=-]+"), "<secret>"),
    (re.compile(r"(?i)([?&](?:token|apikey|key|signature|code)=)[^&\s\"']+"), r"\1<secret>"),
    # Postgres: "Failing row contains (…)", "Key (email)=(…)"
    (re.compile(r"(?i)(failing row contains|\)=)\s*\(.*?\)(?=\.|\s|$|')"), r"\1 (…)"),
    (re.compile(r"data:[\w/+.-]+;base64,[\w+/=]+"), "<picture>"),
)

# They log every call at INFO; a host that listens at that level would write several lines per request.
for _library in ("httpx", "stripe"):
    logging.getLogger(_library).setLevel(logging.WARNING)


def is_request_id(text: str) -> bool:
    """Tell whether a caller's own id can stand in logs and headers as it is."""
    return bool(_REQUEST_ID.fullmatch(text))


@contextmanager
def log_context(**fields: object) -> Iterator[None]:
    """Every line of the block has these fields, beside those of the blocks around it."""
    token = _fields.set({**_fields.get(), **fields})
    try:
        yield
    finally:
        _fields.reset(token)


def add_to_context(**fields: object) -> None:
    """Every further line of the innermost block has these fields too: what becomes known in the midst of a request.

    Outside of every block it does nothing, for no end would take them away again.
    """
    if _fields.get():
        _fields.set({**_fields.get(), **fields})


def current_request_id() -> str:
    """The id of the request that is being answered; empty outside of one."""
    return str(_fields.get().get("request_id", ""))


class JsonFormatter(logging.Formatter):
    """One object a line: nothing that a client has sent can end it, or become a field of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, severity and message, then the fields of the context and of the record."""
        seconds = record.created
        line: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
            + f".{int(seconds * 1000) % 1000:03d}Z",
            "severity": record.levelname,
            "service": "functions",
            "message": record.getMessage(),
        }
        line |= {**_fields.get(), **getattr(record, "fields", {})}
        if record.exc_info:
            line["stack_trace"] = redacted(self.formatException(record.exc_info))
        return json.dumps(line, separators=(",", ":"), default=str)


class TextFormatter(logging.Formatter):
    """The same for a person: time, level, message, `field=value`."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """One line, whatever the values hold."""
        fields = {**_fields.get(), **getattr(record, "fields", {})}
        shown = [super().formatMessage(record)]
        shown += [f"{name}={value}" for name, value in fields.items() if name != "httpRequest"]
        return "".join(sign if sign.isprintable() else "?" for sign in " ".join(shown))


def formatter_of(environ: Mapping[str, str] = os.environ) -> logging.Formatter:
    """By LOG_FORMAT: JSON, which hosts collect, unless it is `text`."""
    return TextFormatter() if environ.get("LOG_FORMAT") == "text" else JsonFormatter()


def _logger() -> logging.Logger:
    logger = logging.getLogger("teesmith.functions")
    if logger.level == logging.NOTSET:  # ours to set up, once per process
        logger.setLevel(logging.INFO)
        # a host that logs by itself would write every line twice, and its own way
        logger.propagate = False
        handler = logging.StreamHandler()
        handler.setFormatter(formatter_of())
        logger.addHandler(handler)
    return logger


def log_trouble(what: str, cause: object, **fields: object) -> None:
    """A failure that is repeated automatically."""
    _logger().warning("%s", what, extra={"fields": {**fields, "cause": _reason(cause)}})


def log_call(vendor: str, call: str, outcome: str, status: int | None, milliseconds: float) -> None:
    """One call of a vendor."""
    fields: dict[str, object] = {"vendor": vendor, "call": call, "outcome": outcome}
    if status is not None:
        fields["status"] = status
    fields["ms"] = round(milliseconds, 1)
    level = logging.INFO if outcome == "ok" else logging.WARNING
    _logger().log(level, "%s %s", vendor, call, extra={"fields": fields})


def log_request(method: str, slug: str, status: int, code: str, milliseconds: float, cause: object) -> None:
    """One line a request; an unexpected exception adds its traceback."""
    fields: dict[str, object] = {
        "method": method,
        "slug": slug,
        "status": status,
        "code": code,
        "ms": round(milliseconds, 1),
    }
    if cause is not None:
        fields["cause"] = _reason(cause)
    fields["httpRequest"] = {
        "requestMethod": method,
        "requestUrl": f"/{slug}",
        "status": status,
        "latency": f"{milliseconds / 1000:.6f}s",
    }
    unexpected = cause if code == "internal_error" and isinstance(cause, Exception) else None
    level = logging.ERROR if status >= 500 else logging.INFO
    _logger().log(level, "%s", slug, exc_info=unexpected, extra={"fields": fields})


def redacted(text: str) -> str:
    """`text` without e-mail addresses, tokens, keys, and rows that the database quotes."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def _reason(cause: object) -> str:
    reason = f"{type(cause).__name__}: {cause}" if isinstance(cause, Exception) else str(cause)
    return redacted(" ".join(reason.split()))[:_LONGEST_CAUSE]
