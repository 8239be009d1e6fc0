"""Requests that no client sends by accident: none is a 500, none forges a log line, none leaves a traceback."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import socket
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from localbase.core.log_text import as_text
from localbase.core.tokens import jwt

from tests.support.stacks import Stack
from tests.support.users import Person, Users

_DEEP = b"[" * 200_000
_NASTY = [
    *(
        "%00",
        "%0d%0a",
        "%0a2026-01-01%2000:00:00,000%20INFO%20forged",
        "%ff%fe",
        "%ed%a0%80",
        "%c0%ae",
        "%1b[2J",
    ),
    *("%", "%zz", "%2", "%252e%252e", "a%2f..%2fb", "..;/", "%e2%80%a8", "%f0%9f%98%80", "*", "a" * 5000),
    *("%c2%b2", "%d9%a3", "9" * 30, "9" * 5000, "-1", "1e9"),
]
_PATHS = [
    *("/rest/v1/{}", "/rest/v1/rpc/{}", "/rest/v1/sign_ups?{}", "/rest/v1/sign_ups?select={}"),
    *("/rest/v1/sign_ups?email=eq.{}", "/rest/v1/sign_ups?{}=eq.1", "/rest/v1/sign_ups?order={}"),
    *("/auth/v1/{}", "/auth/v1/verify?token={}&type=signup", "/auth/v1/verify?token_hash=a&type={}"),
    *("/auth/v1/authorize?provider={}", "/auth/v1/callback?state={}&code={}", "/auth/v1/admin/users/{}"),
    *("/auth/v1/admin/users?page={}", "/auth/v1/authorize?provider=google&redirect_to={}"),
    *("/storage/v1/object/public/pictures/{}", "/storage/v1/object/public/{}/a.txt", "/storage/v1/bucket/{}"),
    *("/storage/v1/object/private/{}", "/storage/v1/object/sign/private/{}?token={}", "/storage/v1/{}"),
    *("/functions/v1/{}", "/functions/v1/mirror/{}", "/functions/v1/mirror?{}", "/{}", "/health?{}"),
]
_HEADERS = [
    *(
        "accept: {}",
        "range: {}",
        "prefer: {}",
        "accept-profile: {}",
        "content-type: {}",
        "authorization: Bearer {}",
    ),
    *("cookie: {}", "x-request-id: {}", "if-none-match: {}", "x-forwarded-for: {}", "x-client-info: {}"),
    *(
        "authorization: {}",
        "x-supabase-api-version: {}",
        "accept-encoding: {}",
        "host: {}",
        "content-encoding: {}",
    ),
]
_HEADER_VALUES = [
    b"",
    b"\xff\xfe",
    b"\x85",
    "\u2028é".encode(),
    b"\t\t",
    b",,,;;==",
    b"a" * 5000,
    b"bytes=0-,-1",
    b"*",
    b"max-affected=" + b"9" * 5000,
    b"9" * 5000 + b"-",
]


class Wire:
    """Sends bytes to a server and reads the response's status."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._address = (str(parts.hostname), int(parts.port or 80))

    def status(self, target: str, *lines: bytes, method: str = "GET", body: bytes = b"") -> int:
        head = [f"{method} {target} HTTP/1.1".encode(), b"connection: close", *lines]
        if not any(line.startswith(b"host:") for line in lines):
            head.append(b"host: localhost")
        head.append(b"content-length: %d" % len(body))
        with socket.create_connection(self._address, timeout=30) as connection:
            connection.sendall(b"\r\n".join(head) + b"\r\n\r\n" + body)
            response = connection.makefile("rb").readline()
        assert response.startswith(b"HTTP/1.1 "), (method, target, lines, response)
        return int(response.split(b" ")[1])

    def hang_up(
        self, target: str, *lines: bytes, method: str = "POST", part: bytes = b'{"email":"half'
    ) -> None:
        """Sends half of a body, for which the application waits, and goes."""
        head = b"\r\n".join([f"{method} {target} HTTP/1.1".encode(), b"host: localhost", *lines])
        with socket.create_connection(self._address, timeout=30) as connection:
            connection.sendall(head + b"\r\ncontent-length: 10000\r\nexpect: 100-continue\r\n\r\n")
            assert connection.makefile("rb").readline().startswith(b"HTTP/1.1 100"), target
            connection.sendall(part)


@pytest.fixture(scope="module")
def owner(services: Stack) -> Person:
    return Users(services).new("hostile")


@pytest.fixture
def log(services: Stack) -> Iterator[Callable[[], str]]:
    """Lines of the log since; no test leaves a traceback there."""
    folder = services.state / "logs"
    before = {path: path.stat().st_size for path in folder.glob("*.log")}

    def written() -> str:
        # The access log is written in bursts, in the order in which requests end: behind this one all is there.
        mark = uuid.uuid4().hex
        httpx.get(f"{services.api_url}/{mark}")
        deadline = time.monotonic() + 20
        while mark not in (text := _all_logs(folder, before)):
            assert time.monotonic() < deadline, text
            time.sleep(0.02)
        return text

    yield written
    assert "Traceback" not in written()


def _all_logs(folder: Path, before: dict[Path, int]) -> str:
    return "".join(_tail(path, before.get(path, 0)) for path in sorted(folder.glob("*.log")))


def _tail(path: Path, start: int) -> str:
    with path.open("rb") as file:
        file.seek(start)
        lines = file.read().decode(errors="replace").split("\n")
        return "\n".join(as_text(line) for line in lines)


@pytest.mark.parametrize("path", _PATHS)
def test_any_path_and_query_is_no_500(services: Stack, log: Callable[[], str], path: str) -> None:
    wire = Wire(services.api_url)
    keys = [
        b"apikey: " + services.secret_key.encode(),
        b"authorization: Bearer " + services.secret_key.encode(),
    ]
    for nasty in _NASTY:
        for method in ("GET", "POST"):
            target = path.replace("{}", nasty)
            assert wire.status(target, *keys, method=method) < 500, (method, target)
    assert "forged" not in "".join(line[:60] for line in log().splitlines())


@pytest.mark.parametrize("header", _HEADERS)
def test_any_header_is_no_500(services: Stack, log: Callable[[], str], header: str) -> None:
    wire = Wire(services.api_url)
    key = b"apikey: " + services.publishable_key.encode()
    for path in (
        *(
            "/rest/v1/sign_ups?limit=1",
            "/auth/v1/user",
            "/auth/v1/settings",
            "/functions/v1/mirror",
            "/health",
        ),
        *("/storage/v1/object/public/pictures/a.txt", "/storage/v1/bucket"),
    ):
        for value in _HEADER_VALUES:
            line = header.encode().replace(b"{}", value)
            assert wire.status(path, key, line) < 500, (path, line)
    assert log()


@pytest.mark.parametrize(
    "path", ["/{}", "/view/{}", "/api/v1/message/{}", "/api/v1/search?query={}", "/api/v1/messages?start={}"]
)
def test_any_request_to_the_mailbox_is_no_500(services: Stack, log: Callable[[], str], path: str) -> None:
    wire = Wire(services.mailbox_url)
    for nasty in _NASTY:
        assert wire.status(path.replace("{}", nasty)) < 500, nasty
    assert "forged" not in log()


def test_large_head_is_rejected_by_both_servers(services: Stack) -> None:
    for address in (services.api_url, services.mailbox_url):
        assert Wire(address).status("/health", b"x-large: " + b"x" * 60_000) == 200
        assert Wire(address).status("/health", b"x-large: " + b"x" * 66_000) == 431


def _deep(stack: Stack, method: str, path: str, token: str = "") -> tuple[int, Any]:
    headers = {"apikey": stack.publishable_key, "content-type": "application/json"}
    headers |= {"authorization": f"Bearer {token}"} if token else {}
    response = httpx.request(method, f"{stack.api_url}{path}", content=_DEEP, headers=headers)
    return response.status_code, response.json()


def test_deep_json_is_rejected_with_each_services_error(
    services: Stack, owner: Person, log: Callable[[], str]
) -> None:
    assert _deep(services, "POST", "/rest/v1/sign_ups") == (
        400,
        {"code": "PGRST102", "details": None, "hint": None, "message": "Empty or invalid json"},
    )
    assert _deep(services, "POST", "/auth/v1/signup") == (
        400,
        {"code": 400, "error_code": "bad_json", "msg": "Could not read request body as JSON"},
    )
    assert _deep(services, "POST", "/storage/v1/object/list/private", owner.token) == (
        400,
        {
            "statusCode": "400",
            "code": "InvalidRequest",
            "error": "Error",
            "message": "Body is not valid JSON but content-type is set to 'application/json'",
        },
    )
    assert _deep(services, "POST", "/storage/v1/object/sign/private", owner.token)[0] == 400
    assert _deep(services, "POST", "/storage/v1/bucket", owner.token)[0] == 400
    assert _deep(services, "DELETE", "/storage/v1/object/private", owner.token)[0] == 400
    response = httpx.request("DELETE", f"{services.mailbox_url}/api/v1/messages", content=_DEEP)
    assert (response.status_code, response.text) == (400, "The body is not JSON")
    assert log()


def test_lone_surrogate_is_rejected_without_a_500(services: Stack, log: Callable[[], str]) -> None:
    half = r'{"email":"\ud800@example.com","password":"\udc00 long enough","data":{"\ud800":"\udfff"}}'
    headers = {"apikey": services.secret_key, "content-type": "application/json"}
    for path in ("/rest/v1/sign_ups", "/auth/v1/signup", "/auth/v1/token?grant_type=password"):
        response = httpx.post(f"{services.api_url}{path}", content=half, headers=headers)
        assert response.status_code < 500, (path, response.text)
    response = httpx.post(f"{services.api_url}/rest/v1/sign_ups", content=r'{"\ud800":1}', headers=headers)
    assert (response.status_code, response.json()["code"]) == (400, "PGRST204")
    assert log()


def test_client_that_hangs_up_leaves_nothing_behind(
    services: Stack, owner: Person, log: Callable[[], str]
) -> None:
    wire, mailbox = Wire(services.api_url), Wire(services.mailbox_url)
    keys = [b"apikey: " + services.publishable_key.encode(), b"authorization: Bearer " + owner.token.encode()]
    for path in (
        *("/rest/v1/sign_ups", "/auth/v1/signup", "/functions/v1/mirror", "/storage/v1/object/sign/private"),
        *(f"/storage/v1/object/private/{owner.id}/half.txt", "/storage/v1/object/list/private"),
    ):
        wire.hang_up(path, *keys)
        multipart = b"content-type: multipart/form-data; boundary=x"
        wire.hang_up(path, *keys, multipart, part=b"--x\r\ncontent-disposition: form-data")
    mailbox.hang_up("/api/v1/messages", method="DELETE")
    deadline = time.monotonic() + 20
    while len(re.findall(r" 499 [0-9.]+ ms ", written := log())) < 12:
        # A server hears of a hang-up when it reads next.
        assert time.monotonic() < deadline, written
    assert len(re.findall(r" 499 [0-9.]+ ms ", written)) == 12, written
    assert owner.client.storage.from_("private").list(owner.id) == []


def test_truncated_body_is_not_processed(services: Stack) -> None:
    mark = uuid.uuid4().hex
    with psycopg.connect(services.db_url, autocommit=True) as connection:
        connection.execute("create table notes_of_halves (body text)")
        connection.execute("grant all on notes_of_halves to anon")
        try:
            _until(services, "notes_of_halves")
            parts = urlsplit(services.api_url)
            with socket.create_connection((str(parts.hostname), int(parts.port or 80))) as wire:
                wire.sendall(
                    b"POST /rest/v1/notes_of_halves HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\napikey: "
                    + services.publishable_key.encode()
                    + f"\r\ncontent-length: 10000\r\n\r\nbody\n{mark}".encode()
                )
                time.sleep(0.05)
            time.sleep(0.3)
            assert connection.execute("select body from notes_of_halves").fetchall() == []
        finally:
            connection.execute("drop table notes_of_halves")


def _until(stack: Stack, table: str) -> None:
    deadline = time.monotonic() + 10
    headers = {"apikey": stack.secret_key}
    while httpx.get(f"{stack.api_url}/rest/v1/{table}", headers=headers).status_code != 200:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_log_lines_cannot_be_forged(services: Stack, log: Callable[[], str]) -> None:
    wire = Wire(services.api_url)
    forged = b'{"time":"2026-01-01T00:00:00.000Z","severity":"INFO","path":"/forged"}'
    quoted = "".join(f"%{byte:02x}" for byte in b"\n" + forged)
    key = b"apikey: " + services.publishable_key.encode()
    for mount in ("/", "/rest/v1/", "/functions/v1/", "/storage/v1/", "/auth/v1/"):
        wire.status(mount + quoted, key)
    wire.status("/rest/v1/sign_ups", key, b"x-request-id: a\x85" + forged)
    wire.status("/rest/v1/sign_ups", key, b"x-request-id: a " + forged)
    lines = log().splitlines()
    assert not [line for line in lines if line.startswith(("{", "2026-01-01")) or " /forged " in line]
    assert len([line for line in lines if quoted in line]) == 5


def test_request_id_of_a_client_is_echoed_if_it_is_one_word(services: Stack) -> None:
    address = f"{services.api_url}/health"
    assert httpx.get(address, headers={"x-request-id": "mine-1"}).headers["x-request-id"] == "mine-1"
    for bad in (b"two words", b"x" * 200, b"\xc3\xa9"):
        request_id = httpx.get(address, headers={b"x-request-id": bad}).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{32}", request_id)


def test_signed_address_is_neither_key_nor_user(services: Stack, owner: Person) -> None:
    name = f"{owner.id}/signed.txt"
    storage = owner.client.storage.from_("private")
    storage.upload(name, b"x", {"content-type": "text/plain"})
    token = str(storage.create_signed_url(name, 60)["signedURL"]).partition("token=")[2]
    rejected = (401, {"message": "Invalid authentication credentials"})
    for path in ("/rest/v1/sign_ups", "/auth/v1/user"):
        address = f"{services.api_url}{path}"
        for response in (
            httpx.get(address, headers={"apikey": token}),
            httpx.get(address, params={"apikey": token}),
            httpx.get(address, headers={"apikey": owner.token}),
        ):
            assert (response.status_code, response.json()) == rejected
    both = {"apikey": services.publishable_key, "authorization": f"Bearer {token}"}
    response = httpx.get(f"{services.api_url}/auth/v1/user", headers=both)
    assert (response.status_code, response.json()["error_code"]) == (403, "bad_jwt")
    # To the Data API it is a token of no role, as upstream: its rights are those of anon.
    anonymous = httpx.get(
        f"{services.api_url}/rest/v1/sign_ups", headers={"apikey": services.publishable_key}
    )
    response = httpx.get(f"{services.api_url}/rest/v1/sign_ups", headers=both)
    assert (response.status_code, response.json()) == (anonymous.status_code, anonymous.json())


def test_token_with_critical_extensions_is_rejected_everywhere(services: Stack, owner: Person) -> None:
    claims = jwt._object(owner.token.split(".")[1])
    assert claims is not None
    token = _with_header({"alg": "HS256", "typ": "JWT", "crit": ["x"], "x": 1}, claims, services.jwt_secret)
    headers = {"apikey": services.publishable_key, "authorization": f"Bearer {token}"}
    for path, status in (
        *(("/rest/v1/sign_ups", 401), ("/auth/v1/user", 403), ("/storage/v1/bucket", 400)),
        ("/functions/v1/neighbour", 401),
    ):
        response = httpx.get(f"{services.api_url}{path}", headers=headers)
        assert response.status_code == status, (path, response.text)


def _with_header(header: dict[str, Any], claims: dict[str, Any], secret: str) -> str:
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, claims)
    ]
    digest = hmac.new(secret.encode(), ".".join(parts).encode(), hashlib.sha256).digest()
    return ".".join([*parts, base64.urlsafe_b64encode(digest).rstrip(b"=").decode()])
