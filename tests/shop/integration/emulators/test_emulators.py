"""The emulators' common part: health, ZIP codes, state that outlives the process, who is served."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from emulators.core.environment import VENDORS
from tests.shop.integration.emulators.conftest import Served, free_port
from tests.support.stacks import ROOT


def test_health_names_the_emulated_vendors(emulators: Served) -> None:
    response = httpx.get(f"{emulators.url}/health")
    expected = {"status": "ok", "emulated": [vendor.name for vendor in VENDORS]}
    assert (response.status_code, response.json()) == (200, expected)


def test_zip_code_response_has_the_vendors_shape(emulators: Served) -> None:
    response = httpx.get(f"{emulators.url}/zippopotam/us/90210")
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.json() == {
        "post code": "90210",
        "country": "United States",
        "country abbreviation": "US",
        "places": [
            {
                "place name": "Beverly Hills",
                "longitude": "-118.4065",
                "state": "California",
                "state abbreviation": "CA",
                "latitude": "34.0901",
            }
        ],
    }


@pytest.mark.parametrize("path", ["us/00000", "us/abc", "de/10115"])
def test_unknown_zip_code_is_an_empty_object(emulators: Served, path: str) -> None:
    response = httpx.get(f"{emulators.url}/zippopotam/{path}")
    assert (response.status_code, response.json()) == (404, {})


def test_payments_survive_a_restart(tmp_path: Path) -> None:
    served = Served(tmp_path, free_port(), "1")
    served.start()
    try:
        url = f"{served.url}/stripe/v1/payment_intents"
        made = httpx.post(
            url, data={"amount": "990", "currency": "usd"}, auth=("sk_test_emulator", "")
        ).json()
        served.stop()
        served.start()
        assert httpx.get(f"{url}/{made['id']}", auth=("sk_test_emulator", "")).json() == made
    finally:
        served.stop()


def test_run_command_gets_the_vendors_variables() -> None:
    names = ("STRIPE_", "PRINTIFY_", "REPLICATE_", "ZIPPOPOTAM_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    code = "import os; print(os.environ['STRIPE_API_BASE'], os.environ['STRIPE_SECRET_KEY'])"
    done = subprocess.run(
        [sys.executable, "-m", "emulators", "run", "--", sys.executable, "-c", code],
        cwd=ROOT, env={**environ, "EMULATORS_PORT": "54999"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "http://127.0.0.1:54999/stripe sk_test_emulator\n"
