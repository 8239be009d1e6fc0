"""Finds the browser for the end-to-end tests; `python -m tests.support.browser` installs one if there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from localbase.cli.terminal import Progress

# The headless shell first: without windows to draw, it takes half of the processor time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MACOS = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
# Playwright's own build, of the version that its package names.
_INSTALLED = Path(__file__).resolve().parents[2] / ".localbase" / "browsers"
_PLAYWRIGHTS = (
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium_headless_shell-*/*/headless_shell",
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser(environ: Mapping[str, str] = os.environ, installed: Path = _INSTALLED) -> str | None:
    """The program named by CHROMIUM, or the first browser found: the system's own, or the one installed here."""
    named = environ.get("CHROMIUM")
    if named:
        return named
    path = environ.get("PATH")
    browser = next((program for name in _NAMES if (program := shutil.which(name, path=path))), None)
    if browser or _MACOS.exists():
        return browser or str(_MACOS)
    return next((str(program) for pattern in _PLAYWRIGHTS for program in installed.glob(pattern)), None)


def install_browser() -> None:
    """Debian's headless shell through apt-get, elsewhere Playwright's. Ends the program where neither works."""
    with Progress().step("installing Chromium for the browser tests"):
        if not _install_from_debian():
            _install_from_playwright()
    if find_browser() is None:
        sys.exit(
            "error: Chromium could not be installed.\n"
            "  → Install it or Chrome by hand, or set CHROMIUM to a browser's program."
        )


def _install_from_debian() -> bool:
    apt = shutil.which("apt-get")
    if apt is None:
        return False
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environ = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = [*prefix, apt, "install", "-y", "-q", "--no-install-recommends"]
    subprocess.run([*prefix, apt, "update", "-q"], env=environ, stdout=subprocess.DEVNULL, check=False)
    # An older Debian has no package of the shell alone.
    return any(
        subprocess.run([*install, package], env=environ, stdout=subprocess.DEVNULL, check=False).returncode
        == 0
        for package in ("chromium-headless-shell", "chromium")
    )


def _install_from_playwright() -> None:
    environ = os.environ | {"PLAYWRIGHT_BROWSERS_PATH": str(_INSTALLED)}
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    if find_browser() is None:
        install_browser()
