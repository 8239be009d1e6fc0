"""Public of localbase is what its package lists: the command, `localbase.testing`, and pytest's plugin."""

from __future__ import annotations

import re
import tomllib

import localbase
import pytest
from localbase import testing
from localbase.testing import pytest_plugin

from tests.support.stacks import ROOT

_PROJECT = tomllib.loads((ROOT / "supabase" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_DOCSTRING = localbase.__doc__ or ""


def test_package_lists_one_public_module() -> None:
    assert localbase.__all__ == ["testing"]
    assert "`localbase.testing`" in _DOCSTRING


def test_testing_lists_what_a_test_receives() -> None:
    assert testing.__all__ == ["LocalbaseProject"]
    assert all(hasattr(testing, name) for name in testing.__all__)


def test_distribution_installs_the_command_and_the_plugin_alone() -> None:
    assert _PROJECT["scripts"] == {"localbase": "localbase.__main__:run"}
    assert _PROJECT["entry-points"] == {"pytest11": {"localbase": "localbase.testing.pytest_plugin"}}
    assert "command `localbase`" in _DOCSTRING


def test_fixture_and_setting_of_the_plugin_are_listed(pytestconfig: pytest.Config) -> None:
    fixtures = {
        name
        for name, value in vars(pytest_plugin).items()
        if type(value) is type(pytest_plugin.localbase_project) and not name.startswith("_")
    }
    assert fixtures == {"localbase_project"}
    assert pytestconfig.getini("localbase_workdir") is not None
    assert set(re.findall(r"`(localbase_\w+)`", _DOCSTRING)) == {*fixtures, "localbase_workdir"}
