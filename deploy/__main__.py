"""`python -m deploy VERB …`: see deploy/verbs.py for the verbs."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence

from deploy.environment import read_environ
from deploy.errors import CommandError
from deploy.verbs import VERBS, Verb


def build_parser(verbs: Sequence[Verb], called: str | None) -> argparse.ArgumentParser:
    """Every verb with its summary; only the called one's module is imported, for its arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m deploy", description="Brings the shop to the internet; docs/deploy.md has the steps."
    )
    subparsers = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in verbs:
        subparser = subparsers.add_parser(verb.name, help=verb.summary, description=verb.summary)
        if verb.name == called:
            importlib.import_module(verb.module).add_arguments(subparser)
    return parser


def main(arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    called = next((argument for argument in arguments if not argument.startswith("-")), None)
    parsed = build_parser(VERBS, called).parse_args(arguments)
    module = next(verb.module for verb in VERBS if verb.name == parsed.verb)
    try:
        code: int = importlib.import_module(module).run(parsed, read_environ(environ))
    except CommandError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
