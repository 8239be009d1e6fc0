"""`completion bash | fish | powershell | zsh`: a script for the shell, with every command and its flags."""

from __future__ import annotations

import argparse
import importlib

from localbase.cli.accepted import accept
from localbase.cli.call import Call
from localbase.cli.completion import scripts


def arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none of meaning."""
    accept(parser, "--no-descriptions", reason="there are none")


def run(call: Call) -> int:
    """Prints the script."""
    # Imported by name: the grammar imports the table of verbs, and verbs must not import it back.
    grammar = importlib.import_module("localbase.cli.grammar")
    shell = call.options.words.rsplit(" ", 1)[-1]
    print(scripts[shell](grammar.program(), grammar.words_and_flags()), end="")
    return 0
