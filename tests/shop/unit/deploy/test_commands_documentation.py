"""docs/deploy.md: each command on the page exists, and each of ours is on the page."""

from __future__ import annotations

import re
import shlex

import pytest

from deploy.__main__ import build_parser
from deploy.verbs import VERBS
from tests.support.official_cli import PACKAGES
from tests.support.stacks import ROOT

PAGE = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?ms)^ *```sh\n(.*?)^ *```", PAGE)
LINES = [line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines() if line.strip()]
VERB_LINES = [line for line in LINES if "python -m deploy" in line]
MAKE_TARGETS = set(
    re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
)


def test_page_has_its_commands_in_blocks() -> None:
    assert len(BLOCKS) >= 5
    assert len(VERB_LINES) >= 6


@pytest.mark.parametrize("line", VERB_LINES)
def test_command_on_the_page_is_one_that_the_parser_takes(line: str) -> None:
    words = shlex.split(line)[3:]
    build_parser(VERBS, words[0]).parse_args(words)


def test_each_verb_is_on_the_page_or_behind_make() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    missing = [
        verb.name
        for verb in VERBS
        if f"-m deploy {verb.name}" not in PAGE and f"-m deploy {verb.name}" not in makefile
    ]
    assert missing == []


def test_each_make_target_on_the_page_exists() -> None:
    targets = set(re.findall(r"\bmake (?:-C \S+ )?([a-z-]+)", PAGE)) - {"sure"}
    assert {"deploy", "production-check", "setup"} <= targets
    assert sorted(targets - MAKE_TARGETS - {"setup"}) == []


def test_each_file_on_the_page_exists() -> None:
    folders = "deploy|docs|functions|sql|supabase|web"
    named = set(re.findall(rf"`((?:{folders})/[\w./-]+)`", PAGE)) | set(
        re.findall(r"\]\(\.\./([\w./-]+)\)", PAGE)
    )
    assert len(named) > 8
    # what another repository has, and what a build makes
    outside = {
        "supabase/docker",
        "web/_headers",
        "web/_redirects",
        "web/_routes.json",
        "web/_worker.js",
        "web/",
    }
    assert [name for name in sorted(named - outside) if not (ROOT / name).exists()] == []


def test_official_command_line_on_the_page_is_the_tested_version() -> None:
    assert set(re.findall(r"npx (supabase@\S+)", PAGE)) == {PACKAGES[0]}
    assert "## " not in PAGE


def test_page_says_what_was_not_tried() -> None:
    assert PAGE.count("Not tried, for want of an account:") == 2
