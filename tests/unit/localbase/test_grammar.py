"""The command line's words: every command of the official CLI has an answer, and what is wrong is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from localbase.cli import grammar
from localbase.cli.grammar import CommandLine, UsageError, find
from localbase.cli.verbs.table import GROUPS, ROWS, Verb

# What `supabase --help` lists, of 3.1.0 and of all below it (`tests/integration/localbase/test_official_cli.py`
# compares it with the program).
OFFICIAL = (Path(__file__).parent / "official_commands.txt").read_text(encoding="utf-8").split("\n")[:-1]
VERBS = [row for row in ROWS if isinstance(row, Verb)]


@pytest.mark.parametrize("words", OFFICIAL)
def test_official_command_has_an_answer(words: str) -> None:
    match = find(words.split())
    assert match.row is not None or match.words in GROUPS


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.words)
def test_verb_has_a_help_with_an_example_that_it_takes(verb: Verb) -> None:
    module = grammar.module_of(verb)
    shown = grammar.parser_of(verb, module).format_help()
    assert f"example:\n  {grammar.program()} {verb.example}" in shown
    match = find(verb.example.split())
    assert match.row == verb
    grammar.parse(verb, module, match.rest)


def test_flags_may_come_before_the_words_and_between_them() -> None:
    assert find(["--workdir", "a", "db", "-o", "json", "reset", "--yes"]) == CommandLine(
        "db reset", find(["db", "reset"]).row, ["--workdir", "a", "-o", "json", "--yes"]
    )
    assert find(["migrations", "up"]) == find(["migration", "up"])
    assert find(["help", "db", "reset"]).asks_for_help


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("stauts", "status"),
        ("reset", "db reset"),
        ("rset", "db reset"),
        ("db rest", "db reset"),
        ("function list", "functions"),
    ],
)
def test_unknown_command_is_answered_with_the_nearest(typed: str, meant: str) -> None:
    with pytest.raises(UsageError) as error:
        find(typed.split())
    assert f"Did you mean `{grammar.program()} {meant}`" in error.value.args[1]


def test_command_like_no_other_is_answered_with_the_list() -> None:
    with pytest.raises(UsageError) as error:
        find(["xyzzy"])
    assert error.value.args == (
        "There is no command 'xyzzy'.",
        f"`{grammar.program()} --help` lists the commands.",
    )


@pytest.mark.parametrize("flag", ["--linked", "--remote", "--remote=abc", "--project-ref"])
def test_flag_that_names_a_hosted_project_is_seen(flag: str) -> None:
    assert find(["migration", "list", flag]).is_hosted
    assert not find(["migration", "list", "--local"]).is_hosted
