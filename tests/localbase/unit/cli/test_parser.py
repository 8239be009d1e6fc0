"""The command line's words: every command of the official CLI has an answer, and what is wrong is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from localbase.cli import parser
from localbase.cli.parser import CommandLine, UsageError, find
from localbase.cli.table import CHANGES_DATA, GROUPS, ROWS, Verb
from localbase.cli.terminal import program

# What `supabase --help` lists, of 3.1.0 and of all below it (`tests/localbase/integration/cli/test_official_cli.py`
# compares it with the program).
OFFICIAL = (Path(__file__).parent / "official_commands.txt").read_text(encoding="utf-8").split("\n")[:-1]
VERBS = [row for row in ROWS if isinstance(row, Verb)]


@pytest.mark.parametrize("words", OFFICIAL)
def test_official_command_has_an_answer(words: str) -> None:
    match = find(words.split())
    assert match.row is not None or match.words in GROUPS


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.words)
def test_verb_has_a_help_with_an_example_that_it_takes(verb: Verb) -> None:
    shown = parser.parser_of(verb).format_help()
    assert f"example:\n  {program()} {verb.example}" in shown
    match = find(verb.example.split())
    assert match.row == verb
    parser.parse(verb, match.rest)


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
        ("db lnt", "db lint"),
        ("function list", "functions"),
    ],
)
def test_unknown_command_is_answered_with_the_nearest(typed: str, meant: str) -> None:
    with pytest.raises(UsageError) as error:
        find(typed.split())
    assert f"Did you mean `{program()} {meant}`" in error.value.args[1]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("ps", "status` shows what runs"),
        ("studio", "status` shows Studio's address"),
        ("psql", "db query SQL`"),
        ("db shell", "db query SQL`"),
        ("db execute", "db query SQL`"),
        ("db url", "status` shows what runs"),
        ("db branch", "A second worktree"),
        ("functions invoke", "FUNCTIONS_URL"),
        ("version", "--version`"),
        ("restart", "stop`, then `"),
        ("open", "status` shows Studio's address"),
    ],
)
def test_word_of_another_tool_is_answered_by_its_meaning(typed: str, answer: str) -> None:
    with pytest.raises(UsageError) as error:
        find(typed.split())
    assert answer in error.value.args[1]


@pytest.mark.parametrize("verb", CHANGES_DATA)
def test_command_that_changes_data_is_no_guess_by_letters(verb: str) -> None:
    group, _, last = verb.rpartition(" ")
    for number in range(1, len(last)):
        typed = f"{group} {last[:number]}{last[number + 1 :]}x".strip()
        with pytest.raises(UsageError) as error:
            find(typed.split())
        assert f"`{program()} {verb}`" not in error.value.args[1], typed


def test_every_command_that_changes_data_exists() -> None:
    assert {row.words for row in VERBS} | {"functions delete"} >= set(CHANGES_DATA)


def test_command_like_no_other_is_answered_with_the_list() -> None:
    with pytest.raises(UsageError) as error:
        find(["xyzzy"])
    assert error.value.args == (
        "There is no command 'xyzzy'.",
        f"`{program()} --help` lists the commands.",
    )


@pytest.mark.parametrize("flag", ["--linked", "--remote", "--remote=abc", "--project-ref"])
def test_flag_that_names_a_hosted_project_is_seen(flag: str) -> None:
    assert find(["migration", "list", flag]).is_hosted
    assert not find(["migration", "list", "--local"]).is_hosted
