"""localbase's front page: short, with commands that exist, the platforms that are tested, and the counts of today."""

from __future__ import annotations

import re
import shlex
import tomllib

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]
from localbase.cli import parser
from localbase.cli.table import Verb

from tests.support.stacks import ROOT
from tools.compatibility import FRONT_PAGE, front_page, read_rows

_TEXT = FRONT_PAGE.read_text(encoding="utf-8")
_SYSTEMS = {"ubuntu-latest": "Linux", "macos-latest": "macOS"}


def section(title: str) -> str:
    return _TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def commands() -> list[str]:
    """Return what the page writes as commands, in blocks and in sentences."""
    block = "".join(re.findall(r"```sh\n(.*?)```", _TEXT, re.DOTALL))
    written = re.findall(r"`(localbase [^`]+)`", _TEXT) + re.findall(r"localbase [a-z][^#\n]*", block)
    return sorted(set(written))


def test_page_is_short() -> None:
    assert len(_TEXT.splitlines()) <= 150


@pytest.mark.parametrize("command", commands())
def test_command_of_the_page_exists(command: str) -> None:
    match = parser.find(shlex.split(command)[1:])
    assert isinstance(match.row, Verb), command


def test_counts_are_those_of_the_table() -> None:
    assert front_page(_TEXT, read_rows()) == _TEXT, "run: python -m tools.compatibility"


def test_platforms_are_those_that_the_workflow_tests() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["run"]["strategy"]["matrix"]
    claimed = re.findall(r"^\| (\w+) \| (3\.[\d., ]+) \|$", section("Platforms"), re.MULTILINE)
    assert claimed == [(_SYSTEMS[system], ", ".join(matrix["python"])) for system in matrix["os"]]
    metadata = tomllib.loads((ROOT / "supabase" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {
        text.rpartition(" :: ")[2] for text in metadata["classifiers"] if text.startswith("Operating System")
    }
    assert named == {system.replace("macOS", "MacOS") for system, _ in claimed}


def test_windows_is_promised_within_wsl_only() -> None:
    sentences = [part for part in re.split(r"(?<=[.|])\s", section("Platforms")) if "Windows" in part]
    assert sentences
    assert all("WSL" in sentence for sentence in sentences)
