"""The command line: which verb, and how errors reach the person."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from localbase.cli import parser
from localbase.cli.call import Call, call_of
from localbase.cli.official_cli import run_official
from localbase.cli.table import Instead, Official
from localbase.cli.terminal import (
    as_typed,
    forget_output,
    open_standard_streams,
    program,
    say,
    show_error,
)
from localbase.core.errors import UserError

_RIGHTS = "Check the rights there: a project's local data belongs to the user who has started it first."
# What the machine denies, where no command has said something better: never a traceback.
_REMEDIES = {
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: "localbase writes in the project's supabase/.localbase, or in the folder that LOCALBASE_STATE names.",
    errno.ENOSPC: "Free some space on that disk and try again.",
    errno.EDQUOT: "Free some space on that disk and try again.",
}
_OTHER = "Check that path, and what lies there."


def main(arguments: Sequence[str] | None = None, platform: str = sys.platform) -> int:
    """Runs one command; its exit code: 1 for an error that has been printed, 2 for a command that does not exist."""
    if platform == "win32":
        # Locks, signals and users are those of Unix: half of the commands would end in a traceback.
        say("localbase does not run on Windows itself: install and start it in WSL (`wsl --install`).")
        return 1
    argv = list(sys.argv[1:] if arguments is None else arguments)
    open_standard_streams()
    try:
        code = _run(argv)
        # Here, where it can still be caught that the reader has gone.
        sys.stdout.flush()
    except parser.UsageError as error:
        parser.show_usage_error(error)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # `… | head` has had what it wanted.
        forget_output(sys.stdout)
        return 0
    except OSError as error:
        # What a command says of its own files, it has said: this is the result, on its way out.
        forget_output(sys.stdout)
        show_error(_denied(error))
        return 1
    else:
        return code


def _run(argv: list[str]) -> int:
    command_line = parser.find(argv)
    row = command_line.row
    if row is None and {"--version", "-v"} & set(command_line.rest):
        # To import and read a distribution's metadata takes longer than all the rest.
        import importlib.metadata

        print(f"localbase {importlib.metadata.version('localbase')}")
        return 0
    if row is None or (command_line.asks_for_help and isinstance(row, Official | Instead)):
        parser.show_help(command_line)
        return 0
    if isinstance(row, Instead):
        say(f"{program()} {command_line.words}: {row.instead}")
        return 2
    if isinstance(row, Official) or (command_line.is_hosted and not command_line.asks_for_help):
        try:
            return run_official(Path.cwd(), argv)
        except UserError as error:
            show_error(error)
            return 2
    try:
        call = call_of(parser.parse(row, command_line.rest))
    except SystemExit:
        # Its help has been shown.
        return 0
    try:
        return parser.run(row, call)
    except UserError as error:
        _show(call, error)
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and error.errno not in _REMEDIES:
            raise
        _show(call, _denied(error))
    return 1


def _denied(error: OSError) -> UserError:
    """Return what the machine denies a command, as said to a person."""
    place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else "while writing"
    return UserError(f"{error.strerror}: {place}", _REMEDIES.get(error.errno or 0, _OTHER))


def _show(call: Call, error: UserError) -> None:
    if call.output.is_json:
        said = {"message": as_typed(error.message), "remedy": as_typed(error.remedy)}
        say(json.dumps({"error": said}, ensure_ascii=False))
    else:
        show_error(error)


if __name__ == "__main__":
    sys.exit(main())
