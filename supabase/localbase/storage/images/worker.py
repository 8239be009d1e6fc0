"""`python -m localbase.storage.images.worker`: a process that draws one picture after the other.

In, on its standard input: a line of JSON (`size`, `webp`, `options`), then the file's bytes. Out: a line of JSON
(`size` and `mime`, or `error`), then the picture's bytes. It has a limit of memory of its own.
"""

from __future__ import annotations

import json
import resource
import sys

from localbase.storage.images.drawing import Unfit, draw

# Address space, of which the libraries take a part: enough for the largest picture that is taken, twice over.
_MOST_BYTES = 1 << 30


def main() -> None:
    """Draws until the input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while line := source.readline():
        order = json.loads(line)
        data = source.read(order["size"])
        picture = b""
        try:
            picture, mime = draw(data, order["options"], takes_webp=order["webp"])
            response = {"size": len(picture), "mime": mime}
        except Unfit as error:
            response = {"error": str(error)}
        target.write(json.dumps(response).encode() + b"\n" + picture)
        target.flush()


if __name__ == "__main__":
    main()
