"""Large bodies: what happens when the process that reads one fails."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from localbase.rest.api_request.large_bodies import LargeBodies
from localbase.rest.api_request.media_type import parse_media
from localbase.rest.api_request.payload import Payload
from localbase.rest.errors import RestError


def _read(*command: str) -> Payload:
    bodies = LargeBodies(command) if command else LargeBodies()
    read = bodies.read(b'[{"a": 1}, {"a": 2}]', parse_media("application/json"), None, for_function=False)
    return asyncio.run(read)


def test_large_body_is_read_by_its_own_process() -> None:
    assert _read() == Payload(b'[{"a": 1}, {"a": 2}]', ("a",), False, None)


def test_process_of_a_large_body_imports_no_loop_and_no_client_of_postgres() -> None:
    """It is started for each body, and they take longer to import than most bodies to read."""
    reader = "localbase.rest.api_request.large_body_reader"
    program = f"import sys, {reader}; print(*{{'asyncio', 'psycopg'}} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout == "\n"


def test_large_body_beyond_a_limit_is_too_large() -> None:
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    for ended in (killed, "pass"):
        with pytest.raises(RestError) as raised:
            _read(sys.executable, "-c", ended)
        assert raised.value.status == 413


def test_failed_process_of_a_large_body_is_an_internal_error_with_its_log() -> None:
    with pytest.raises(RuntimeError, match="ImportError: no such module"):
        _read(sys.executable, "-c", "raise ImportError('no such module')")
