"""The official command line's commands and flags, read from its help.

`python -m tests.support.official_commands` writes the two lists that the tests of our own command line compare with.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.support.official_cli import OFFICIAL_ENVIRON, find_official_cli

_FOLDER = Path(__file__).resolve().parents[1] / "localbase" / "unit" / "cli"
COMMANDS = _FOLDER / "official_commands.txt"
FLAGS = _FOLDER / "official_flags.txt"
_ROW = re.compile(r"  (\S+?),? +\S")
_FLAG = re.compile(r"  (--[\w-]+)(?:, (-\w))?(\[=\S*)?( (?:\w+|<\S+>))? {2,}(.*)")
_CHOICES = re.compile(r"\(choices: ([^,)]+)")
# A value of each kind that a flag has in the help.
_VALUES = {"string": "text", "integer": "1"}


@dataclass(frozen=True, slots=True)
class Help:
    """The names in one command's help: the commands below it, and each flag as it may be written."""

    commands: list[str]
    flags: list[str]


def read_help(text: str) -> Help:
    """The help as the program prints it. A command's own name and its other names stand in one line."""
    commands = [match[1] for line in _section(text, "SUBCOMMANDS") if (match := _ROW.match(line))]
    flags = []
    for line in _section(text, "FLAGS"):
        match = _FLAG.match(line)
        if match is None:
            continue
        name, short, optional, kind, about = match.groups()
        choices = _CHOICES.search(about)
        value = choices[1] if choices else _VALUES.get((kind or "").strip(), "text")
        flags += [
            f"{each} {value}" if kind and not optional else each for each in (name, short) if each is not None
        ]
    return Help(commands, flags)


def _section(text: str, title: str) -> list[str]:
    lines = text.splitlines()
    if title not in lines:
        return []
    start = lines.index(title) + 1
    end = next((at for at in range(start, len(lines)) if not lines[at].startswith(" ")), len(lines))
    return lines[start:end]


def groups_of(commands: Iterable[str]) -> list[str]:
    """The commands that have others below them; the program itself is the empty one."""
    listed = list(commands)
    return ["", *(each for each in listed if any(other.startswith(f"{each} ") for other in listed))]


def help_reader(program: Path, home: str) -> Callable[[str], Help]:
    """Return what reads the help of a command."""
    environ = {"HOME": home, "NO_COLOR": "1", **OFFICIAL_ENVIRON}

    def read(words: str) -> Help:
        command = [str(program), *words.split(), "--help"]
        path = {"PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"}
        done = subprocess.run(
            command, env=environ | path, cwd=home, capture_output=True, text=True, check=True, timeout=30
        )
        return read_help(done.stdout)

    return read


def walk(program: Path) -> dict[str, Help]:
    """The help of every command. `logs supabase` repeats `logs` in the help, and is no command."""
    pages: dict[str, Help] = {}
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(4) as pool:
        todo = [""]
        while todo:
            for words, shown in zip(todo, pool.map(help_reader(program, home), todo), strict=True):
                pages[words] = shown
            todo = [
                f"{words} {name}".lstrip()
                for words in todo
                for name in pages[words].commands
                if words != "logs"
            ]
    del pages[""]
    return pages


def main() -> None:
    """Writes both lists."""
    program = find_official_cli()
    if program is None:
        raise SystemExit("error: install it: python -m tests.support.official_cli")
    pages = walk(program)
    COMMANDS.write_text("".join(f"{words}\n" for words in sorted(pages)), encoding="utf-8")
    lines = [f"{words} {flag}\n" for words in sorted(pages) for flag in pages[words].flags]
    FLAGS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
