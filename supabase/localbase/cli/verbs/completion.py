"""`completion …`: completion of commands for a shell."""

from __future__ import annotations

import argparse

from localbase.cli import parser
from localbase.cli.call import Call
from localbase.cli.completion import scripts
from localbase.cli.ignored_flags import accept
from localbase.cli.terminal import program

# `completion bash | fish | powershell | zsh`: a script for the shell, with every command and its flags.


def shell_arguments(arguments: argparse.ArgumentParser) -> None:
    """It takes none of meaning."""
    accept(arguments, "--no-descriptions", reason="there are none")


def run_shell(call: Call) -> int:
    """Prints the script."""
    shell = call.options.words.rsplit(" ", 1)[-1]
    print(scripts[shell](program(), parser.words_and_flags()), end="")
    return 0
