"""core.outgoing: vendors are verified by one reading of the certificates, which calls without TLS do not need."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from _shared.core import outgoing
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


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
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    outgoing._certificates.cache_clear()
    yield _certificate(tmp_path)
    outgoing._certificates.cache_clear()


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


def status_of(url: str) -> int:
    with httpx.Client(transport=outgoing.OutgoingTransport("stripe")) as client:
        return client.get(url).status_code


def test_vendor_with_a_certificate_of_its_own_making_is_refused(vendor: str) -> None:
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        status_of(vendor)


def test_vendor_with_a_trusted_certificate_is_called(
    vendor: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert [status_of(vendor), status_of(vendor)] == [204, 204]
    assert outgoing._certificates.cache_info().misses == 1


@pytest.mark.usefixtures("certificate")
def test_call_without_tls_reads_no_certificates() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Vendor)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with closing(server.socket):
        assert status_of(f"http://127.0.0.1:{server.server_port}/") == 204
        server.shutdown()
    assert outgoing._certificates.cache_info().misses == 0
