"""`python -m deploy`: every verb in the table has a module with the two functions, and the help lists them."""

from __future__ import annotations

import argparse
import importlib

import pytest

from deploy.__main__ import build_parser, main
from deploy.verbs import VERBS, Verb


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_verb_has_arguments_a_run_and_a_summary(verb: Verb, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(verb.module)
    module.add_arguments(argparse.ArgumentParser())
    assert callable(module.run)
    with pytest.raises(SystemExit) as ended:
        main([verb.name, "--help"], {})
    assert ended.value.code == 0
    assert verb.summary in " ".join(capsys.readouterr().out.split())


def test_verbs_are_all_in_the_help() -> None:
    shown = build_parser(VERBS, None).format_help()
    assert [verb.name for verb in VERBS if f"    {verb.name}" not in shown] == []


def test_unknown_verb_is_an_error_of_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["fly"], {})
    assert ended.value.code == 2
    assert "invalid choice: 'fly'" in capsys.readouterr().err
