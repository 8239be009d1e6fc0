"""The parser of the command line: a verb with its options, and every help.

A parser is made for the verb that is called, not for all of them: starting takes as long as that verb's imports.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from localbase.cli.call import FORMATS, Call
from localbase.cli.table import ALIASES, CHANGES_DATA, GROUPS, MEANT, ROWS, Instead, Official, Row, Verb
from localbase.cli.terminal import program, say, styled

_ROWS = {row.words: row for row in ROWS}
_GROUPS = {
    " ".join(words[:count]) for words in (row.words.split() for row in ROWS) for count in range(len(words))
}
# The official CLI's own, which have no meaning here: name, and whether a value follows.
_IGNORED = {
    "--debug": False,
    "--experimental": False,
    "--create-ticket": False,
    "--local": False,
    "--profile": True,
    "--network-id": True,
    "--dns-resolver": True,
    "--agent": True,
    "--log-level": True,
}
_VALUED = {"--workdir", "--output", "-o", "--output-format", *(k for k, valued in _IGNORED.items() if valued)}
# What says that a hosted project is meant.
_HOSTED = ("--linked", "--remote", "--project-ref")


class UsageError(Exception):
    """Arguments that no command takes; the exit code is 2. The second argument says what to do."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The command that arguments name: its row or, for a group, its words, and the arguments that are left."""

    words: str
    row: Row | None
    rest: list[str]

    @property
    def asks_for_help(self) -> bool:
        """Tell whether its help is wanted, which a group shows without being asked."""
        return self.row is None or bool({"-h", "--help"} & set(self.rest))

    @property
    def is_hosted(self) -> bool:
        """Tell whether a hosted project is named."""
        # A database's address needs no platform.
        hosted = [
            each for each in self.rest if not each.startswith(("--remote=postgres:", "--remote=postgresql:"))
        ]
        return any(each == flag or each.startswith(f"{flag}=") for each in hosted for flag in _HOSTED)


def find(arguments: Sequence[str]) -> CommandLine:
    """The command. Raises `UsageError` for one that does not exist, naming the nearest."""
    words, at = "", 0
    flags: list[str] = []
    while at < len(arguments) and words not in _ROWS:
        argument = arguments[at]
        count = 2 if argument in _VALUED else 1
        if argument.startswith("-"):
            flags += arguments[at : at + count]
            at += count
            continue
        if argument == "help" and not words:
            flags.append("--help")
        else:
            words = f"{words} {ALIASES.get(argument, argument)}".lstrip()
            if words not in _ROWS and words not in _GROUPS:
                raise _unknown(words)
        at += 1
    return CommandLine(words, _ROWS.get(words), [*flags, *arguments[at:]])


def _unknown(words: str) -> UsageError:
    group, _, last = words.rpartition(" ")
    # `reset` for `db reset`: a command too few was typed.
    elsewhere = {row.words.rsplit(" ", 1)[-1]: row.words for row in ROWS if isinstance(row, Verb)}
    if last in MEANT:
        hint = MEANT[last].format(program=program())
    elif last in elsewhere:
        hint = f"Did you mean `{program()} {elsewhere[last]}`?"
    else:
        there = {row.words[len(group) :].split()[0] for row in ROWS if _is_below(row.words, group)}
        close = [f"{group} {each}".lstrip() for each in difflib.get_close_matches(last, sorted(there), n=3)]
        # By letters alone nothing is proposed that changes what somebody has.
        guesses = [each for each in close if each not in CHANGES_DATA][:2]
        hint = f"Did you mean {' or '.join(f'`{program()} {each}`' for each in guesses)}?" if guesses else ""
    all_of_them = f"`{program()} {group + ' ' if group else ''}--help` lists the commands."
    return UsageError(f"There is no command {words!r}.", f"{hint} {all_of_them}".lstrip())


def _is_below(words: str, group: str) -> bool:
    return not group or words.startswith(f"{group} ")


def parse(verb: Verb, arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a verb. Ends the program for `--help`; raises `UsageError`."""
    return parser_of(verb).parse_args(arguments)


def run(verb: Verb, call: Call) -> int:
    """Does what a verb is for; its exit code. Raises `UserError`."""
    code: int = getattr(importlib.import_module(verb.module), f"run_{verb.name}")(call)
    return code


def parser_of(verb: Verb) -> argparse.ArgumentParser:
    """The parser of a verb, whose module says what it takes, if it takes anything."""
    parser = _Parser(
        prog=f"{program()} {verb.words}",
        description=f"{verb.summary}.",
        epilog=f"example:\n  {program()} {verb.example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # A verb may have a meaning of its own for `-o`.
        conflict_handler="resolve",
        allow_abbrev=False,
    )
    common = parser.add_argument_group("flags of every command")
    common.add_argument(
        "--workdir", type=Path, help="the project's root (default: the nearest one from here upward)"
    )
    common.add_argument(
        "-o", "--output", choices=FORMATS, default="text", help="how results are printed", metavar="FORMAT"
    )
    common.add_argument("--output-format", dest="output", choices=("text", "json"), help=argparse.SUPPRESS)
    common.add_argument("--yes", "-y", action="store_true", help="answer yes to every question")
    for flag, valued in _IGNORED.items():
        kind = {} if valued else {"action": "store_true"}
        common.add_argument(flag, dest=f"ignored{flag}", help=argparse.SUPPRESS, **kind)  # type: ignore[arg-type]
    parser.set_defaults(words=verb.words)
    add_arguments = getattr(importlib.import_module(verb.module), f"{verb.name}_arguments", None)
    if add_arguments is not None:
        add_arguments(parser)
    return parser


def accept(parser: argparse.ArgumentParser, *names: str, reason: str, is_switch: bool = True) -> None:
    """Takes a flag that changes nothing here, with a value unless it is a switch. `reason` says why."""
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


def words_and_flags() -> dict[str, list[str]]:
    """Return what may follow each command, for completion: the commands below a group, the flags of a verb."""
    completions: dict[str, list[str]] = {}
    for row in ROWS:
        words = row.words.split()
        for count in range(len(words)):
            below = completions.setdefault(" ".join(words[:count]), [])
            if words[count] not in below:
                below.append(words[count])
        if isinstance(row, Verb):
            completions[row.words] = _flags_of(parser_of(row))
    return completions


def _flags_of(parser: argparse.ArgumentParser) -> list[str]:
    actions = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    return sorted(flag for action in actions for flag in action.option_strings if flag.startswith("--"))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}.", f"`{self.prog} --help` shows what it takes.")


def show_help(command_line: CommandLine) -> None:
    """The help of a group, of all, or of what is not done here."""
    row = command_line.row
    if isinstance(row, Instead):
        print(f"{row.summary}.\n\n{row.instead}")
    elif isinstance(row, Official):
        print(f"{row.summary}: by the official CLI, where it is installed.")
    elif command_line.words:
        print(f"{GROUPS[command_line.words]}.\n\nusage: {program()} {command_line.words} COMMAND\n")
        _show_rows(command_line.words)
    else:
        print(f"A local Supabase stack without Docker.\n\nusage: {program()} COMMAND\n")
        _show_rows("")


def _show_rows(group: str) -> None:
    below: dict[bool, dict[str, str]] = {True: {}, False: {}}
    for row in ROWS:
        if not _is_below(row.words, group):
            continue
        first = row.words[len(group) :].split()[0]
        words = f"{group} {first}".lstrip()
        works = any(isinstance(each, Verb) for each in ROWS if _is_below(f"{each.words} ", words))
        below[works].setdefault(first, row.summary if words == row.words else GROUPS[words])
    for works, title in ((True, "commands"), (False, "handed to the official CLI")):
        if below[works]:
            print(styled(f"{title}:", "bold", sys.stdout))
            width = max(len(word) for word in below[works])
            print("\n".join(f"  {word.ljust(width)}  {text}" for word, text in below[works].items()))
            print()
    prefix = f"{program()} {group}".rstrip()
    print(f"`{prefix} COMMAND --help` shows what a command takes.")
    if not group:
        print("Every command takes --workdir DIR, --output FORMAT and --yes.")


def show_usage_error(error: UsageError) -> None:
    """Shows a fault of the arguments, with its remedy."""
    message, remedy = error.args
    say(f"{styled('error:', 'red', sys.stderr)} {message}\n  → {remedy}")
