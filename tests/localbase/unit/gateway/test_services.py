"""What the gateway's start waits for: its own modules, and none of a service that is loaded at its first request."""

from __future__ import annotations

import subprocess
import sys

_LATER = (
    "localbase.auth",
    "localbase.storage",
    "localbase.realtime",
    "localbase.mail.page",
    "aiosmtpd",
    "cryptography",
    "httpx",
    "joserfc",
    "PIL",
    "webauthn",
)


def test_start_of_the_gateway_imports_no_service_before_its_first_request() -> None:
    program = "import sys, localbase.gateway.server; print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert [name for name in _LATER if name in shown.stdout.split()] == []
