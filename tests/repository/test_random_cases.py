"""What an ordinary run leaves out runs weekly: every test that takes a part of its cases is named in the workflow."""

from __future__ import annotations

import re

from tests.support.stacks import ROOT


def test_every_test_of_random_cases_runs_weekly() -> None:
    workflow = (ROOT / ".github" / "workflows" / "weekly.yml").read_text()
    named = re.search(r'make test-python ARGS="([^"]+)"\n\s+env:\n\s+RANDOM_CASES: "\d\d"', workflow)
    assert named
    paths = tuple(word for word in named[1].split() if word.startswith("tests/"))
    assert all((ROOT / path).exists() for path in paths)
    users = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("*.py")
        if "tests.support.random_cases import" in path.read_text() and path.name != "test_random_cases.py"
    ]
    assert len(users) > 20
    assert [path for path in users if not path.startswith(paths)] == []
