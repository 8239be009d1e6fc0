"""The process that reads one large body: `python -m localbase.rest.api_request.large_body_reader`.

A line of JSON on its standard input says how to read the body that follows; a line on its output says what the body
holds, and the body as Postgres takes it follows. It ends with its one body, has limits of memory and processor time,
and imports neither the event loop nor the database's client: starting would take twice as long as most bodies.
"""

from __future__ import annotations

import json
import resource
import sys

from localbase.rest import errors
from localbase.rest.api_request.media_type import parse_media
from localbase.rest.api_request.payload import parse_payload

_MEMORY, _PROCESSOR_SECONDS = 4 << 30, 40


def main() -> None:
    """Reads one body from standard input."""
    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_SECONDS, _PROCESSOR_SECONDS))
    if sys.platform != "darwin":  # macOS has the name, but rejects every value
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    question = json.loads(sys.stdin.buffer.readline())
    columns = question["columns"]
    try:
        payload = parse_payload(
            sys.stdin.buffer.read(),
            parse_media(question["content"]),
            None if columns is None else tuple(columns),
            for_function=question["for_function"],
        )
    except MemoryError:
        # The limit: no output says so.
        return
    except errors.RestError as error:
        outcome = {"status": error.status, "code": error.code, "message": error.message}
        sys.stdout.buffer.write(json.dumps(outcome).encode() + b"\n")
        return
    outcome = {"columns": payload.columns, "is_object": payload.is_object, "arguments": payload.arguments}
    sys.stdout.buffer.write(json.dumps(outcome).encode() + b"\n" + payload.raw)


if __name__ == "__main__":
    main()
