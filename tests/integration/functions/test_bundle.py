"""`make bundle`: a function's folder runs alone under the real functions-framework, as it will on Cloud Run."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.bundle import bundle, slugs
from tests.integration.functions.conftest import Shopper
from tests.support.stacks import Stack
from tests.support.users import People, Person

COMMAND = Path(sys.executable).with_name("functions-framework")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(folder: Path, slug: str, environ: dict[str, str]) -> Iterator[httpx.Client]:
    """The bundled function in a process of its own, with these settings and no others."""
    port = free_port()
    command = [str(COMMAND), "--source", str(folder / "main.py"), "--target", slug.replace("-", "_")]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "THREADS": "2", **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            _wait_until_open(process, port)
            yield client
    finally:
        process.terminate()
        process.communicate(timeout=20)


def _wait_until_open(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    process.kill()
    raise AssertionError(f"did not start:\n{process.communicate()[0].decode()}")


@pytest.fixture
def environ(stack: Stack) -> dict[str, str]:
    """What a deployment sets, with the emulators as vendors."""
    return {
        "SUPABASE_URL": stack.api_url,
        "SUPABASE_SERVICE_ROLE_KEY": stack.service_role_key,
        "STRIPE_SECRET_KEY": "sk_test_emulator",
        "STRIPE_WEBHOOK_SECRET": "whsec_emulator",
        "STRIPE_API_BASE": f"{stack.emulators_url}/stripe",
        "PRINTIFY_API_TOKEN": "printify_emulator_token",
        "PRINTIFY_SHOP_ID": "1",
        "PRINTIFY_WEBHOOK_SECRET": "pfysec_emulator",
        "PRINTIFY_API_BASE": f"{stack.emulators_url}/printify",
        "REPLICATE_API_TOKEN": "r8_emulator",
        "REPLICATE_BASE_URL": f"{stack.emulators_url}/replicate",
        "ZIPPOPOTAM_API_BASE": f"{stack.emulators_url}/zippopotam",
        "SMTP_HOST": "127.0.0.1",
    }


@pytest.mark.parametrize("slug", slugs())
def test_bundled_function_runs_alone(slug: str, environ: dict[str, str], tmp_path: Path) -> None:
    folder = bundle(slug, tmp_path)
    assert {path.name for path in folder.iterdir()} == {"main.py", "requirements.txt", "_shared"}
    with running(folder, slug, environ) as client:
        response = client.post("/", json={})
        expected = {
            "lookup-zip-code": (400, "invalid_request"),
            "printify-webhook": (400, "invalid_signature"),
            "stripe-webhook": (400, "invalid_signature"),
        }.get(slug, (401, "unauthenticated"))
        assert (response.status_code, response.json()["code"]) == expected


def test_bundled_look_up_needs_no_settings_but_its_own(stack: Stack, tmp_path: Path) -> None:
    environ = {
        "ZIPPOPOTAM_API_BASE": f"{stack.emulators_url}/zippopotam",
        "FUNCTIONS_CORS_ORIGIN": "https://shop.example",
    }
    with running(bundle("lookup-zip-code", tmp_path), "lookup-zip-code", environ) as client:
        response = client.post("/", json={"zipCode": "10001"})
        assert (response.status_code, response.json()) == (200, {"city": "New York", "state": "NY"})
        preflight = client.options("/")
        assert (preflight.status_code, preflight.headers["access-control-allow-origin"]) == (
            204,
            "https://shop.example",
        )


def test_bundled_checkout_places_a_real_order(
    shopper: Shopper, environ: dict[str, str], tmp_path: Path
) -> None:
    slug = "create-payment-intent"
    with running(bundle(slug, tmp_path), slug, environ) as client:
        signed_in = {"authorization": f"Bearer {shopper.token}"}
        response = client.post("/", json=shopper.cart(), headers=signed_in)
        assert response.status_code == 200, response.text
        assert set(response.json()) == {"client_secret", "order_id", "payment_intent_id"}
        too_large = client.post("/", content=b" " * (20 * 1024 * 1024 + 1), headers=signed_in)
        assert (too_large.status_code, too_large.json()["code"]) == (413, "payload_too_large")


def test_admin_page_opens_by_a_listed_address(
    people: People, environ: dict[str, str], tmp_path: Path
) -> None:
    slug = "check-admin-access"
    listed, other = people.new("listed"), people.new("other")
    environ["ADMIN_EMAILS"] = f" somebody@example.com, {listed.email.upper()} ,"
    with running(bundle(slug, tmp_path), slug, environ) as client:

        def request(person: Person) -> dict[str, Any]:
            response = client.post("/", json={}, headers={"authorization": f"Bearer {person.token}"})
            assert response.status_code == 200, response.text
            answer: dict[str, Any] = response.json()
            return answer

        assert request(listed) == {"allowed": True}
        # no other address, and no list, comes with the answer
        assert request(other) == {"allowed": False}


def test_unavailable_vendor_is_a_plain_error(tmp_path: Path) -> None:
    environ = {"ZIPPOPOTAM_API_BASE": f"http://127.0.0.1:{free_port()}"}
    with running(bundle("lookup-zip-code", tmp_path), "lookup-zip-code", environ) as client:
        response = client.post("/", json={"zipCode": "10001"})
        assert (response.status_code, response.json()) == (
            502,
            {"error": "Failed to lookup ZIP code information.", "code": "zip_lookup_unavailable"},
        )


def test_unknown_function_is_named_with_the_known_ones() -> None:
    with pytest.raises(
        SystemExit,
        match=r"There is no function 'nonsense'. There are: cancel-order, check-admin-access, create-payment",
    ):
        bundle("nonsense")
