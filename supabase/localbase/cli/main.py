"""The command line: which verb, and how errors reach the person."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from localbase.cli import grammar
from localbase.cli.call import Call, call_of
from localbase.cli.official import run_official
from localbase.cli.terminal import say, show_error
from localbase.cli.verbs.table import Instead, Official
from localbase.core.errors import UserError

_RIGHTS = "Check the rights there: a project's local data belongs to the user who has started it first."
# What the machine denies, where no command has said something better: never a traceback.
_REMEDIES = {
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: "localbase must be allowed to write in the project's supabase/.localbase.",
    errno.ENOSPC: "Free some space on that disk and try again.",
    errno.EDQUOT: "Free some space on that disk and try again.",
}


def main(arguments: Sequence[str] | None = None, platform: str = sys.platform) -> int:
    """Runs one command; its exit code: 1 for an error that has been printed, 2 for a command that does not exist."""
    if platform == "win32":
        # Locks, signals and users are those of Unix: half of the commands would end in a traceback.
        say("localbase does not run on Windows itself: install and start it in WSL (`wsl --install`).")
        return 1
    argv = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(argv)
    except grammar.UsageError as error:
        grammar.show_usage_error(error)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # `… | head`: what is left unwritten must not fail once more at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _run(argv: list[str]) -> int:
    command_line = grammar.find(argv)
    row = command_line.row
    if row is None and {"--version", "-v"} & set(command_line.rest):
        # To import and read a distribution's metadata takes longer than all the rest.
        import importlib.metadata

        print(f"localbase {importlib.metadata.version('localbase')}")
        return 0
    if row is None or (command_line.asks_for_help and isinstance(row, Official | Instead)):
        grammar.show_help(command_line)
        return 0
    if isinstance(row, Instead):
        say(f"{grammar.program()} {command_line.words}: {row.instead}")
        return 2
    if isinstance(row, Official) or (command_line.is_hosted and not command_line.asks_for_help):
        try:
            return run_official(Path.cwd(), argv)
        except UserError as error:
            show_error(error)
            return 2
    module = grammar.module_of(row)
    call = call_of(grammar.parse(row, module, command_line.rest))
    try:
        return int(module.run(call))
    except UserError as error:
        _show(call, error)
    except BrokenPipeError:
        raise
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0)
        if remedy is None:
            raise
        _show(call, UserError(f"{error.strerror}: {error.filename or 'while writing'}", remedy))
    return 1


def _show(call: Call, error: UserError) -> None:
    if call.output.is_json:
        say(json.dumps({"error": {"message": error.message, "remedy": error.remedy}}, ensure_ascii=False))
    else:
        show_error(error)


if __name__ == "__main__":
    sys.exit(main())
