"""Flags of the official CLI that scripts may have and that change nothing here: they are taken, and that is said."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from localbase.cli.terminal import say


def accept(parser: argparse.ArgumentParser, *names: str, reason: str, is_switch: bool = True) -> None:
    """Takes a flag, with a value unless it is a switch. `reason` says why it changes nothing."""
    parser.add_argument(
        *names,
        action=_Accepted,
        nargs=0 if is_switch else None,
        help=argparse.SUPPRESS,
        default=argparse.SUPPRESS,
        metavar=reason,
    )


class _Accepted(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002 - argparse calls it so
        namespace: argparse.Namespace,  # noqa: ARG002
        values: str | Sequence[Any] | None,  # noqa: ARG002
        option_string: str | None = None,
    ) -> None:
        say(f"{option_string} changes nothing here: {self.metavar}.")
