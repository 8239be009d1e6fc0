"""Files for contributors: forms, checks and settings that editors and GitHub read agree with the project."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]
from PIL import Image

from tests.support.stacks import ROOT

GITHUB = ROOT / ".github"
FORMS = sorted(GITHUB.glob("ISSUE_TEMPLATE/[0-9]*.yml"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "LICENSE", "CHANGELOG.md")


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_repository_has_document(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) > 100


def test_workflow_runs_the_same_command_as_a_developer_on_every_supported_system() -> None:
    workflow = read_yaml(GITHUB / "workflows" / "ci.yml")
    job = workflow["jobs"]["run"]
    assert job["strategy"]["matrix"] == {
        "os": ["ubuntu-latest", "macos-latest"],
        "python": ["3.11", "3.12", "3.13"],
    }
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == [".ci/run"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    # YAML 1.1 reads `on` as a boolean.
    assert set(workflow[True]) == {"push", "pull_request", "workflow_dispatch"}
    assert workflow["permissions"] == {"contents": "read"}


def test_workflow_measures_coverage_in_a_job_of_its_own() -> None:
    job = read_yaml(GITHUB / "workflows" / "ci.yml")["jobs"]["coverage"]
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make coverage"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    whole = re.findall(r"(?m)^(?:check|test): (.*) ##", makefile)
    assert whole == ["check-python check-web", "test-web test-python"]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert all(target in script.split() for targets in whole for target in targets.split())


def test_actions_are_pinned() -> None:
    for path in GITHUB.glob("workflows/*.yml"):
        used = re.findall(r"uses: (\S+)", path.read_text())
        assert used
        for action in used:
            assert re.search(r"@(v\d+|[0-9a-f]{40})$", action), action


def test_python_and_node_versions_agree() -> None:
    python = (ROOT / ".python-version").read_text().strip()
    for folder in (ROOT, ROOT / "supabase"):
        project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        assert project["requires-python"] == f">={python}"
    oldest = re.search(r'"node": ">=(\d+)"', (ROOT / "package.json").read_text())
    assert oldest
    assert int((ROOT / ".nvmrc").read_text()) >= int(oldest[1])


def test_pre_commit_runs_make_check() -> None:
    (repository,) = read_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    (hook,) = repository["hooks"]
    assert (repository["repo"], hook["entry"], hook["pass_filenames"]) == ("local", "make check", False)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_form_is_one_that_github_accepts(path: Path) -> None:
    form = read_yaml(path)
    assert {"name", "description", "body"} <= form.keys()
    inputs = [part for part in form["body"] if part["type"] != "markdown"]
    assert all(part["type"] in {"input", "textarea", "dropdown", "checkboxes"} for part in inputs)
    identifiers = [part["id"] for part in inputs]
    assert len(set(identifiers)) == len(identifiers)
    assert all(part["attributes"]["label"] for part in inputs)
    assert any(part.get("validations", {}).get("required") for part in inputs)


def test_dependabot_watches_every_place_that_names_versions() -> None:
    updates = read_yaml(GITHUB / "dependabot.yml")["updates"]
    assert {(entry["package-ecosystem"], entry["directory"]) for entry in updates} == {
        ("pip", "/"),
        ("pip", "/supabase"),
        ("npm", "/"),
        ("github-actions", "/"),
    }


def test_binary_files_are_marked() -> None:
    attributes = (ROOT / ".gitattributes").read_text()
    marked = set(re.findall(r"(?m)^\*(\.\w+) binary$", attributes))
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]
    assert {path.suffix for path in files if b"\0" in path.read_bytes()[:8000]} == marked


def test_readme_opens_with_the_shop_and_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    opening = readme.partition("\n## ")[0]
    positions = [
        opening.index(part) for part in ("shop-dark.webp", "shop-light.webp", "make start", "make test")
    ]
    assert positions == sorted(positions)
    assert opening.index("make test") < 1200
    for subject in ("shop", "mailbox"):
        assert (
            f'<source media="(prefers-color-scheme: dark)" srcset="docs/pictures/{subject}-dark.webp">'
            in opening
        )
        for theme in ("light", "dark"):
            picture = ROOT / "docs" / "pictures" / f"{subject}-{theme}.webp"
            assert picture.stat().st_size <= 200_000
            with Image.open(picture) as opened:
                assert (opened.format, opened.width) == ("WEBP", 1600)


def test_contributing_leads_from_set_up_to_a_commit_that_follows_the_rule() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    titles = re.findall(r"(?m)^## (.+)$", page)
    assert titles[:3] == ["Set-up", "A first change, from test to commit", "Commits"]
    assert "(docs/architecture.md)" in page
    example = re.search(r"(?s)## Commits.*?```\n(.+?)\n```", page)
    assert example
    subject, blank, *body = example[1].splitlines()
    assert re.fullmatch(r"[a-z]+: [a-z].{,60}[^.]", subject)
    assert (len(subject) <= 72, blank, bool(body)) == (True, "", True)
