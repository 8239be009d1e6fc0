"""The container of all functions, by its image's command, against the running shop."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from functions.bundle import slugs
from tests.shop.integration.functions.conftest import Shopper, address_of
from tests.shop.integration.functions.test_designs import WORDS
from tests.support.functions.container import Container, RunningContainer
from tests.support.functions.environ import function_environ
from tests.support.stacks import Stack
from tests.support.users import Person

# as upstream's compose file sets them
UPSTREAM = {"JWT_SECRET": "not the project's", "VERIFY_JWT": "true", "SUPABASE_DB_URL": "postgresql://unused"}


@pytest.fixture(scope="module")
def served(container: Container, stack: Stack) -> Iterator[RunningContainer]:
    keys = {"SUPABASE_ANON_KEY": stack.anon_key, "SUPABASE_SECRET_KEY": stack.secret_key}
    with container.running({**function_environ(stack), **UPSTREAM, **keys}) as running:
        yield running


def signed_in(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def failure(response: httpx.Response) -> tuple[int, str]:
    """Status and code."""
    assert set(response.json()) == {"error", "code"}
    return response.status_code, response.json()["code"]


def test_container_listens_where_upstreams_gateway_calls(container: Container) -> None:
    assert container.environ["PORT"] == "9000"
    assert "EXPOSE 9000" in (container.folder / "Dockerfile").read_text()


def test_container_holds_every_function_and_the_shared_code_once(container: Container) -> None:
    assert {path.parent.name for path in container.folder.glob("functions/*/main.py")} == set(slugs())
    assert {path.name for path in container.folder.iterdir()} == {
        *(
            ".gcloudignore",
            "Dockerfile",
            "_shared",
            "functions",
            "gunicorn.conf.py",
            "requirements.txt",
            "server.py",
        )
    }


@pytest.mark.parametrize("slug", sorted(set(slugs()) - {"design-page"}))
def test_every_function_meets_its_contract_in_the_container(
    slug: str, served: RunningContainer, stack: Stack, admin: Person
) -> None:
    service, signed = slug == "sweep", slug in ("printify-webhook", "stripe-webhook")
    headers = signed_in(stack.service_role_key if service else admin.token)
    assert failure(served.http.get(f"/{slug}")) == (405, "method_not_allowed")
    expected = "invalid_signature" if signed else "invalid_json"
    assert failure(served.http.post(f"/{slug}", content=b"{", headers=headers)) == (400, expected)
    if not signed and slug not in (
        "check-admin-access",
        "export-account",
        "sweep",
    ):  # which depend on the caller alone
        invalid = served.http.post(f"/{slug}", json={}, headers=headers)
        assert failure(invalid) == (400, "invalid_request")
    if not signed and slug not in ("get-order-status", "lookup-zip-code", "report-design"):
        assert failure(served.http.post(f"/{slug}", json={})) == (401, "unauthenticated")


def test_container_places_a_real_order_and_looks_up_a_zip_code(
    served: RunningContainer, shopper: Shopper, request: pytest.FixtureRequest
) -> None:
    cart = shopper.cart(shipping_address=address_of(shopper, request))
    placed = served.http.post("/create-payment-intent", json=cart, headers=signed_in(shopper.token))
    assert (placed.status_code, set(placed.json())) == (
        200,
        {"client_secret", "order_id", "payment_intent_id"},
    )
    response = served.http.post("/lookup-zip-code", json={"zipCode": "10001"})
    assert (response.status_code, response.json()) == (200, {"city": "New York", "state": "NY"})
    # behind a gateway that adds them: twice breaks browsers
    assert not [name for name in response.headers if name.startswith("access-control-")]


def test_health_and_readiness_are_reported_under_both_names(served: RunningContainer) -> None:
    for path in ("/healthz", "/health"):
        response = served.http.get(path)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})
    for path in ("/readyz", "/ready"):
        response = served.http.get(path)
        assert (response.status_code, response.json()) == (200, {"status": "ready", "missing": []})


def test_images_health_check_agrees(container: Container, served: RunningContainer) -> None:
    assert container.is_healthy(served.url)
    assert not container.is_healthy("http://127.0.0.1:9")


@pytest.mark.parametrize("path", ["/", "/no-such-function", "/sweep/more", "/main.py", "/%2e%2e/server"])
def test_unknown_function_is_not_found(served: RunningContainer, path: str) -> None:
    assert failure(served.http.post(path, json={})) == (404, "function_not_found")


def test_body_that_no_function_takes_is_refused_unread(served: RunningContainer) -> None:
    head = f"POST /edit-design-image HTTP/1.1\r\nHost: x\r\nContent-Length: {20 * 1024 * 1024 + 1}\r\n\r\n"
    host, _, port = served.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(head.encode())
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert (response.status, json.loads(response.read())["code"]) == (413, "payload_too_large")


def test_readiness_names_missing_settings_and_health_does_not_care(
    container: Container, stack: Stack
) -> None:
    environ = function_environ(stack)
    del environ["STRIPE_SECRET_KEY"], environ["SMTP_HOST"]
    with container.running({**environ, "FUNCTIONS_CORS_ORIGIN": "https://shop.example"}) as running:
        response = running.http.get("/readyz")
        assert (response.status_code, response.json()) == (
            503,
            {"status": "settings_missing", "missing": ["SMTP_HOST", "STRIPE_SECRET_KEY"]},
        )
        assert running.http.get("/healthz").status_code == 200
        # what the server itself sends can be read by the shop's page as well
        for response in (running.http.post("/no-such-function"), running.http.options("/sweep")):
            assert response.headers["access-control-allow-origin"] == "https://shop.example"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"SUPABASE_URL": "http://127.0.0.1:9"}, {"status": "database_unreachable", "missing": []}),
        (
            {"SUPABASE_SERVICE_ROLE_KEY": "wrong"},
            {"status": "database_refuses", "missing": [], "answered": 401},
        ),
    ],
    ids=["no answer", "wrong key"],
)
def test_readiness_reports_a_database_that_does_not_serve(
    container: Container, stack: Stack, changed: dict[str, str], expected: dict[str, object]
) -> None:
    with container.running({**function_environ(stack), **changed}) as running:
        response = running.http.get("/readyz")
        assert (response.status_code, response.json()) == (503, expected)


class SlowArtist:
    """Replicate, as far as it is called here: holds every prediction until it is released, and fails it then."""

    def __init__(self) -> None:
        self.called = threading.Semaphore(0)
        self.released = threading.Event()
        artist = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                artist.called.release()
                artist.released.wait(60)
                body = json.dumps({"detail": "no"}).encode()
                self.send_response(422)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Tests show no log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()


@contextmanager
def drawing(
    container: Container, stack: Stack, person: Person, at_once: int, **environ: str
) -> Iterator[tuple[RunningContainer, SlowArtist, list[httpx.Response]]]:
    """A container in which `at_once` calls wait for the artist; their responses come into the list afterwards."""
    artist = SlowArtist()
    settings = {**function_environ(stack), "REPLICATE_BASE_URL": artist.url, **environ}
    responses: list[httpx.Response] = []
    with container.running(settings) as running, ThreadPoolExecutor(at_once) as pool:
        calls = [
            pool.submit(
                httpx.post, f"{running.url}/generate-design-image", json=WORDS,
                headers=signed_in(person.token), timeout=60,
            )
            for _ in range(at_once)
        ]  # fmt: skip
        for _ in calls:
            assert artist.called.acquire(timeout=30)
        try:
            yield running, artist, responses
        finally:
            artist.close()
            responses.extend(call.result() for call in calls if not call.exception())


def test_slow_function_does_not_block_others(container: Container, stack: Stack, shopper: Shopper) -> None:
    with drawing(container, stack, shopper.person, 2, THREADS="4") as (running, _artist, responses):
        another = running.http.post("/generate-design-image", json=WORDS, headers=signed_in(shopper.token))
        assert failure(another) == (503, "busy")
        fast_response = running.http.post("/lookup-zip-code", json={"zipCode": "10001"})
        assert (fast_response.status_code, fast_response.json()) == (200, {"city": "New York", "state": "NY"})
    assert [failure(response)[0] for response in responses] == [502, 502]


def test_running_request_is_finished_after_sigterm(
    container: Container, stack: Stack, shopper: Shopper
) -> None:
    with drawing(container, stack, shopper.person, 1) as (running, artist, responses):
        running.process.send_signal(signal.SIGTERM)
        # one that has connected before the socket closed may hear nothing
        with pytest.raises((httpx.ConnectError, httpx.RemoteProtocolError)):
            while True:
                httpx.get(f"{running.url}/healthz")
        assert running.process.poll() is None
        artist.released.set()
        assert running.process.wait(timeout=20) == 0
    assert [failure(response)[0] for response in responses] == [502]


def test_request_that_does_not_end_is_cut_off_after_the_limit(
    container: Container, stack: Stack, shopper: Shopper
) -> None:
    with drawing(container, stack, shopper.person, 1, GRACE_SECONDS="1") as (running, _artist, responses):
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(timeout=20) == 0
    assert responses == []
