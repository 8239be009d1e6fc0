"""The official program's own help: it lists the commands that `official_commands.txt` has an answer for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.official_cli import find_official_cli
from tests.support.official_commands import COMMANDS, groups_of, help_reader
from tests.support.random_cases import TIMES


@pytest.mark.skipif(TIMES == 1, reason="the lists change with the program's version: weekly (RANDOM_CASES)")
def test_help_of_every_group_lists_the_commands_that_have_an_answer(tmp_path: Path) -> None:
    program = find_official_cli()
    assert program is not None, "install it: python -m tests.support.official_cli"
    commands = COMMANDS.read_text(encoding="utf-8").splitlines()
    groups = groups_of(commands)
    with ThreadPoolExecutor(4) as pool:
        shown = list(pool.map(help_reader(program, str(tmp_path)), groups))
    # `logs` shows itself below itself
    listed = {
        f"{group} {name}".lstrip()
        for group, each in zip(groups, shown, strict=True)
        for name in each.commands
        if (group, name) != ("logs", "supabase")
    }
    assert listed - set(commands) == set()
    assert set(commands) - listed == set()
