"""`python -m localbase.studio.detached FILE ID WORD…`: runs a command of localbase and writes how it has ended.

A snapshot restarts the stack, with the process that has begun it: the outcome is left in a file for the next one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Writes `{"id": …, "error": null}`, or the error as the command has printed it."""
    path, identity, *words = sys.argv[1:]
    done = subprocess.run(
        [sys.executable, "-m", "localbase", *words, "--output", "json", "--yes"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    error = error_of(done.stderr) if done.returncode else None
    partial = Path(f"{path}.partial")
    partial.write_text(json.dumps({"id": identity, "error": error}), encoding="utf-8")
    partial.replace(path)


def error_of(printed: str) -> dict[str, str]:
    """Return what a command has printed on its standard error, as `message` and `remedy`."""
    for line in reversed(printed.splitlines()):
        if line.startswith('{"error"'):
            error: dict[str, str] = json.loads(line)["error"]
            return error
    return {"message": printed.strip()[-500:] or "The command failed.", "remedy": ""}


if __name__ == "__main__":
    main()
