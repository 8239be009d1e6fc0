"""Flags of the official command line: a command that works here takes every one, with a meaning or without."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from localbase.cli import parser
from localbase.cli.table import Official, Verb

from tests.support.official_commands import FLAGS, read_help
from tests.support.stacks import clean_environ, supabase

# Values of flags that are read more closely than as any text.
_VALUES = {
    "--exp": "2030-01-01T00:00:00Z",
    "--from": "2026-01-01T00:00:00Z",
    "--limit": "5",
    "--override-name": "auth.anon_key=KEY",
    "--payload": "{}",
    "--query-timeout": "15s",
    "--since": "1h",
    "--to": "2026-01-01T00:00:00Z",
    "--valid-for": "1h",
    "--version": "20260101000000",
}


def verb_flags() -> list[tuple[Verb, list[str]]]:
    """Each flag of a command that works, as it may be written. Those of hosted projects are handed over."""
    flags = []
    for line in FLAGS.read_text(encoding="utf-8").splitlines():
        words, _, rest = line.partition(" -")
        row = parser.find(words.split()).row
        arguments = f"-{rest}".split(maxsplit=1)
        if isinstance(row, Verb) and arguments[0] != "--remote":
            flags.append((row, [arguments[0], *(_VALUES.get(arguments[0], each) for each in arguments[1:])]))
    return flags


@pytest.mark.parametrize(
    ("verb", "arguments"),
    verb_flags(),
    ids=lambda value: value.words if isinstance(value, Verb) else value[0],
)
def test_official_flag_is_taken(verb: Verb, arguments: list[str]) -> None:
    example = parser.find(verb.example.split()).rest
    if verb.words == "db reset":
        # Its example says that no seed runs; other flags say which.
        example = []
    assert parser.parse(verb, [*example, *arguments]) is not None


def test_help_is_read_with_other_names_and_choices() -> None:
    shown = read_help(
        """DESCRIPTION
  Something.

FLAGS
  --remote[=<ref|branch>]    Another one.
  --lang choice              The language. (default typescript) (choices: typescript, go)
  --schema, -s string        Some.
  --dry-run                  Nothing is done.

GLOBAL FLAGS
  --help, -h    Show help information

SUBCOMMANDS
  list                  List
  migration, migrations Other names
"""
    )
    assert shown.flags == ["--remote", "--lang typescript", "--schema text", "-s text", "--dry-run"]
    assert shown.commands == ["list", "migration"]


@pytest.fixture
def official_program(tmp_path: Path) -> Path:
    """A folder with an official program that prints what it is called with, and ends with 7."""
    program = tmp_path / "node_modules" / ".bin" / "supabase"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n', encoding="utf-8")
    program.chmod(0o755)
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        supabase(*arguments),
        cwd=folder,
        env=clean_environ({}),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("projects", "list", "--output", "json"),
        ("branches", "create", "a name", "--persistent"),
        ("migration", "list", "--remote=abc"),
    ],
)
def test_hosted_command_is_handed_to_the_official_program(
    official_program: Path, arguments: tuple[str, ...]
) -> None:
    done = run(official_program, *arguments)
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (7, list(arguments), "")


def test_hosted_command_without_the_official_program_says_how_to_get_it(tmp_path: Path) -> None:
    assert isinstance(parser.find(["projects", "list"]).row, Official)
    environ = clean_environ({}) | {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        supabase("projects", "list"),
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "npm install --save-dev supabase" in done.stderr
