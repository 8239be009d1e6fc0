"""Completion: bash itself completes by the script; other shells get the same table."""

from __future__ import annotations

import subprocess

import pytest
from localbase.cli import parser
from localbase.cli.verbs.completion import scripts

from tests.support.stacks import SUPABASE

# What a shell does before it calls the function: the words, and which one is being typed.
_CALL = """
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_supabase_complete
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def bash() -> str:
    """The script for bash."""
    command = [str(SUPABASE), "completion", "bash"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("supabase stat", ["status"]),
        ("supabase db re", ["reset"]),
        ("supabase --yes migration ''", ["new", "up", "list"]),
        ("supabase storage cp --rec", ["--recursive"]),
        ("supabase storage cp a ss:///b --cache", ["--cache-control"]),
        ("supabase inspect db table-s", ["table-stats", "table-sizes"]),
        ("supabase xyzzy", []),
    ],
)
def test_bash_completes_commands_and_flags(bash: str, words: str, offered: list[str]) -> None:
    text = bash + _CALL.format(words=words)
    done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert set(offered) <= set(done.stdout.split())
    if not words.endswith("''"):
        assert sorted(offered) == sorted(done.stdout.split())


def test_script_of_every_shell_has_commands_and_flags() -> None:
    following = parser.words_and_flags()
    assert "--cache-control" in following["storage cp"]
    for shell, script in scripts.items():
        text = script("localbase", following)
        missing = [word for words, after in following.items() for word in (words, *after) if word not in text]
        assert missing == [], shell
