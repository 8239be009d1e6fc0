"""Shows what a process has started with: a program for `localbase.cli.stack.preloaded` to run."""

from __future__ import annotations

import json
import os
import socket
import sys


def main() -> None:
    """Prints arguments, variables, whether the interpreter is in UTF-8 mode, and the inherited socket's port."""
    listener = socket.socket(fileno=int(os.environ["LOCALBASE_SHOWN_FD"]))
    shown = {
        "arguments": sys.argv[1:],
        "variables": sorted(set(os.environ) - {"LOCALBASE_SHOWN_FD", "LC_CTYPE"}),
        "utf8": sys.flags.utf8_mode,
        "port": listener.getsockname()[1],
    }
    sys.stdout.write(json.dumps(shown))


if __name__ == "__main__":
    main()
