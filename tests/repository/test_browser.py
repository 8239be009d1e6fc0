"""The browser of the end-to-end tests: a named one, the system's, or the one that Playwright has installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.browser import _MACOS, find_browser


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_named_browser_comes_first(tmp_path: Path) -> None:
    system = program(tmp_path / "bin" / "chromium")
    environ = {"PATH": str(system.parent), "CHROMIUM": "/opt/browser"}
    assert find_browser(environ, tmp_path) == "/opt/browser"
    assert find_browser({"PATH": str(system.parent)}, tmp_path) == str(system)


def test_browser_without_windows_comes_before_one_with_them(tmp_path: Path) -> None:
    shell = program(tmp_path / "shell" / "chromium-headless-shell")
    folders = [str(program(tmp_path / "bin" / "chromium").parent), str(shell.parent)]
    assert find_browser({"PATH": os.pathsep.join(folders)}, tmp_path) == str(shell)


@pytest.mark.skipif(_MACOS.exists(), reason="Chrome is found first")
@pytest.mark.parametrize(
    "place",
    [
        "chromium_headless_shell-1234/chrome-linux/headless_shell",
        "chromium_headless_shell-1234/chrome-headless-shell-linux64/chrome-headless-shell",
        "chromium_headless_shell-1234/chrome-headless-shell-mac-arm64/chrome-headless-shell",
    ],
)
def test_playwrights_browser_is_found_where_the_system_has_none(tmp_path: Path, place: str) -> None:
    assert find_browser({"PATH": str(tmp_path)}, tmp_path) is None
    installed = program(tmp_path / place)
    assert find_browser({"PATH": str(tmp_path)}, tmp_path) == str(installed)
