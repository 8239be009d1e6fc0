"""Lines of JSON logs as text for a person: `2026-11-22 21:30:00,123 INFO gateway GET /rest/v1/t 200 1.2 ms`."""

from __future__ import annotations

import json

from localbase.core.logs import printable

# Said by the layout or by the message.
_LEFT_OUT = frozenset(
    (
        *("time", "severity", "service", "logger", "message", "slug", "output", "stack_trace", "httpRequest"),
        *("method", "path", "status", "ms", "request_id"),
    )
)


def as_text(line: str) -> str:
    """The line as text, without control characters; one that is no JSON object as it is."""
    if not line.startswith("{"):
        return line
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(record, dict) or not {"message", "path"} & record.keys():
        return line
    moment = str(record.get("time", "")).replace("T", " ").replace(".", ",").removesuffix("Z")
    name = record.get("logger") or record.get("service", "")
    words = [moment, record.get("severity", ""), name, "|" if record.get("output") else ""]
    words.append(record["message"] if "message" in record else f"{record.get('method', '')} {record['path']}")
    words += [record.get("status", ""), f"{record['ms']} ms" if "ms" in record else ""]
    words += [f"{field}={value}" for field, value in record.items() if field not in _LEFT_OUT]
    words.append(record.get("request_id", ""))
    shown = " ".join(printable(str(word)) for word in words if str(word))
    traceback = str(record.get("stack_trace", "")).splitlines()
    return "\n".join([shown, *(f"    {printable(each)}" for each in traceback)])
