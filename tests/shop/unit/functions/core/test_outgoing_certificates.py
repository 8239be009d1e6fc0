"""core.outgoing: vendors are verified by one reading of the certificates, which calls without TLS do not need."""

from __future__ import annotations

import os
import re
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.stacks import ROOT

_CALLS = """
import sys
import httpx
from _shared.core import outgoing
try:
    for vendor in ("stripe", "printify"):
        with httpx.Client(transport=outgoing.OutgoingTransport(vendor)) as client:
            print(client.get(sys.argv[1]).status_code, end=" ")
except httpx.ConnectError as error:
    print(error, end=" ")
print("read", outgoing._certificates.cache_info().misses)
"""


class _Vendor(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


def _certificate(folder: Path) -> Path:
    """A certificate of 127.0.0.1 with its key, signed by nobody else."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "vendor")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    form, no_password = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path = folder / "vendor.pem"
    path.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, form, no_password))
    return path


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return _certificate(tmp_path)


@pytest.fixture
def vendor(certificate: Path) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Vendor)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with closing(server.socket):
        yield f"https://127.0.0.1:{server.server_port}/"
        server.shutdown()


def called(url: str, **environ: str) -> str:
    """What two calls of a process that begins in `environ` come to, and how often it has read the certificates."""
    kept = {name: value for name, value in os.environ.items() if not re.search("(?i)proxy|ssl_cert", name)}
    command = [sys.executable, "-c", _CALLS, url]
    environ = {**kept, "PYTHONPATH": str(ROOT / "functions"), **environ}
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout.strip()


def test_vendor_with_a_certificate_of_its_own_making_is_refused(vendor: str) -> None:
    assert "CERTIFICATE_VERIFY_FAILED" in called(vendor)


def test_certificates_are_read_once_for_all_vendors(vendor: str, certificate: Path) -> None:
    assert called(vendor, SSL_CERT_FILE=str(certificate)) == "204 204 read 1"


def test_call_without_tls_reads_no_certificates() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Vendor)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with closing(server.socket):
        assert called(f"http://127.0.0.1:{server.server_port}/") == "204 204 read 0"
        server.shutdown()
