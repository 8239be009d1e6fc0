"""What the emulators and the site's server hold at rest: nothing that only some requests need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.stacks import ROOT

_OF_SOME_REQUESTS = ("PIL", "cryptography", "httpx", "joserfc", "numpy")


@pytest.mark.parametrize("module", ["emulators.app", "web.serve"])
def test_start_imports_no_library_before_the_first_request_that_needs_it(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert [name for name in _OF_SOME_REQUESTS if name in shown.stdout.split()] == []
