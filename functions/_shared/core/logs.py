"""One line per request, on stderr, where the host collects it. Never a token, a body or a secret."""

from __future__ import annotations

import logging

_LONGEST_CAUSE = 400

# They log every call at INFO; a host that listens at that level would write several lines per request.
for _library in ("httpx", "stripe"):
    logging.getLogger(_library).setLevel(logging.WARNING)


def _logger() -> logging.Logger:
    logger = logging.getLogger("teesmith.functions")
    if logger.level == logging.NOTSET:  # ours to set up, once per process
        logger.setLevel(logging.INFO)
        if not logger.hasHandlers():  # a host that logs by itself would write every line twice
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
            logger.addHandler(handler)
    return logger


def log_trouble(what: str, cause: object) -> None:
    """A failure that is repeated automatically."""
    _logger().warning("%s: %s", what, _reason(cause))


def log_request(
    slug: str, status: int, code: str, milliseconds: float, request_id: str, cause: object
) -> None:
    """`cause` is folded into the line; an unexpected exception adds its traceback."""
    line = f"{slug} {status} {code} {milliseconds:.0f}ms request={request_id}"
    if cause is not None:
        line = f"{line} cause={_reason(cause)}"
    # Nothing that a client has sent may look like a line of its own.
    line = "".join(c if c.isprintable() else "?" for c in line)
    unexpected = code == "internal_error" and isinstance(cause, Exception)
    level = logging.ERROR if status >= 500 else logging.INFO
    _logger().log(level, line, exc_info=cause if unexpected and isinstance(cause, Exception) else None)


def _reason(cause: object) -> str:
    reason = f"{type(cause).__name__}: {cause}" if isinstance(cause, Exception) else str(cause)
    return " ".join(reason.split())[:_LONGEST_CAUSE]
