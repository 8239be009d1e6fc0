"""The command's words where it cannot run."""

from __future__ import annotations

import subprocess
import sys

import pytest
from localbase.cli.main import main

LINE = "localbase does not run on Windows itself: install and start it in WSL (`wsl --install`).\n"
# Python on Windows has none of these modules.
_UNIX = ("fcntl", "grp", "pwd", "resource", "termios", "uvloop")


@pytest.mark.parametrize("arguments", [["start"], ["--help"], ["db", "reset"], ["nonsense"], []])
def test_windows_gets_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments, platform="win32") == 1
    assert capsys.readouterr() == ("", LINE)


def test_line_comes_without_the_modules_of_unix() -> None:
    script = (
        f"import sys; sys.modules.update(dict.fromkeys({_UNIX!r}));"
        "from localbase.cli.main import main; sys.exit(main(['start'], platform='win32'))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", LINE)
