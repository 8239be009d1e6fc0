"""`make audit` whole, against services of advisories that know one vulnerability each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.authorities import trusting_all
from tests.support.random_cases import TIMES
from tests.support.stacks import ROOT

_OSV = {
    "vulns": [
        {
            "id": "PYSEC-2026-1",
            "summary": "",
            "aliases": [],
            "affected": [],
            "published": "2026-01-01T00:00:00Z",
        }
    ]
}
_NPM = {
    "react": [
        {
            "id": 1,
            "url": "https://github.com/advisories/GHSA-react",
            "title": "t",
            "severity": "high",
            "vulnerable_versions": "<99.0.0",
            "cwe": [],
            "cvss": {"score": 7},
        }
    ]
}


class _Services(BaseHTTPRequestHandler):
    """OSV's query and npm's bulk advisories."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if self.path == "/v1/query":
            response: object = _OSV if json.loads(body)["package"]["name"] == "flask" else {}
        else:
            response = _NPM
        self._send(200, response)

    def do_GET(self) -> None:
        # npm looks the vulnerable package's versions up.
        self._send(404, {"error": "not found"})

    def _send(self, status: int, response: object) -> None:
        sent = json.dumps(response).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def services() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Services)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.skipif(
    TIMES == 1, reason="what is known changes without a change of ours: weekly (RANDOM_CASES)"
)
@pytest.mark.timeout(240)
def test_audit_lists_what_is_to_do(services: str) -> None:
    environ = trusting_all(os.environ) | {
        "AUDIT_OSV_URL": f"{services}/v1/query",
        "npm_config_registry": services,
        # Of the make that runs the tests, which hands its own arguments on.
        "MAKEFLAGS": "",
        "ARGS": "",
    }
    done = subprocess.run(
        ["make", "audit"], cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=220
    )
    assert done.returncode == 2, done.stdout + done.stderr
    to_do = re.findall(r"^to do: (.*)$", done.stdout, re.MULTILINE)
    assert "requirements.txt: flask 3.1.3: PYSEC-2026-1" in to_do, done.stdout + done.stderr
    assert "package-lock.json: react <99.0.0: GHSA-react" in to_do
    assert not [line for line in to_do if "flask" not in line and "react" not in line]
    for name, component in (("python", "Flask"), ("web", "react")):
        document = json.loads((ROOT / "build" / "sbom" / f"{name}.cdx.json").read_text())
        assert document["bomFormat"] == "CycloneDX"
        assert component in {each["name"] for each in document["components"]}
