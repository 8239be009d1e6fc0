"""`make bundle`: a function's folder runs alone under the real functions-framework, as it will on Cloud Run.

Each runs in an environment of its own requirements.txt and of nothing else.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.bundle import bundle, slugs
from tests.shop.integration.functions.conftest import Functions, Json, Shopper
from tests.shop.integration.functions.test_order_status import token_in
from tests.support.functions.environ import function_environ
from tests.support.functions.parts import PROBE, TOUCHES
from tests.support.functions.wheels import LOCKS, environment_of, install
from tests.support.mailbox import wait_for_mail
from tests.support.processes import free_port, wait_until_open
from tests.support.random_cases import few
from tests.support.stacks import ROOT, Stack
from tests.support.users import Person, Users

# One of each lock and of each kind of caller. test_container.py asks the same of every function.
ALONE = ("create-printify-product", "stripe-webhook", "sweep", "add-artwork")
# Of the other locks; their processes are there for more.
STARTED_BELOW = ("create-payment-intent", "get-order-status")
PAGE = "design-page"
# Probes one function after the other, with what the first one has loaded of `_shared` and of the libraries.
_PROBES = f"""
import sys
words, path = sys.argv[1:], sys.path[:]
for slug, folder, touches in zip(words[::3], words[1::3], words[2::3]):
    sys.path[:], sys.argv[1:] = path, [folder, folder, touches, ""]
    sys.modules.pop("main", None)
    exec({PROBE!r})
    getattr(main, slug.replace("-", "_"))
"""


def set_of(slug: str) -> str:
    """The name of the function's lock."""
    return (ROOT / "functions" / slug / "requirements.txt").resolve().stem


class Bundles:
    """Makes bundles, and runs them in the environments of their locks."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def running(self, slug: str, environ: dict[str, str]) -> Iterator[httpx.Client]:
        """The bundled function in a process of its own, with these settings and no others."""
        port = free_port()
        folder = bundle(slug, self._folder)
        program = environment_of(LOCKS / f"{set_of(slug)}.txt") / "functions-framework"
        command = [str(program), "--source", str(folder / "main.py")]
        process = subprocess.Popen(
            [*command, "--target", slug.replace("-", "_"), "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "THREADS": "2", **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                wait_until_open(process, port)
                yield client
        finally:
            process.terminate()
            process.communicate(timeout=20)


@pytest.fixture
def bundles(tmp_path: Path) -> Bundles:
    return Bundles(tmp_path)


@pytest.fixture
def environ(stack: Stack) -> dict[str, str]:
    return function_environ(stack)


def failure(response: httpx.Response) -> tuple[int, str]:
    """Status and code."""
    return response.status_code, response.json()["code"]


def require_contract(slug: str, client: httpx.Client, environ: dict[str, str], admin: Person) -> None:
    signed, service = slug.endswith("y-webhook") or slug == "stripe-webhook", slug == "sweep"
    token = environ["SUPABASE_SERVICE_ROLE_KEY"] if service else admin.token
    headers = {"authorization": f"Bearer {token}"}
    assert failure(client.get("/")) == (405, "method_not_allowed")
    if signed:
        assert failure(client.post("/", json={}, headers=headers)) == (400, "invalid_signature")
    else:
        opened = slug in ("get-order-status", "lookup-zip-code", "report-design")
        refused = (400, "invalid_request") if opened else (401, "unauthenticated")
        assert failure(client.post("/", json={})) == refused
        # past the caller's check, which asks Auth and the database
        assert failure(client.post("/", content=b"{", headers=headers)) == (400, "invalid_json")


@pytest.mark.parametrize("slug", few(ALONE, 1))
def test_bundled_function_meets_its_contract_alone(
    slug: str, bundles: Bundles, environ: dict[str, str], admin: Person
) -> None:
    with bundles.running(slug, environ) as client:
        require_contract(slug, client, environ, admin)


def test_bundled_page_keeps_the_address_that_a_host_leads_to_it(
    bundles: Bundles, environ: dict[str, str], stack: Stack
) -> None:
    """Firebase leads `/design/…` to the service of that name with its path."""
    with bundles.running(PAGE, environ | {"SITE_URL": stack.site_url}) as client:
        assert failure(client.post("/")) == (405, "method_not_allowed")
        for path in ("/design/latest", "/sitemap.xml"):
            alone, ours = client.get(path), httpx.get(f"{stack.site_url}{path}", timeout=30)
            assert alone.status_code == ours.status_code, path
        assert alone.text == ours.text


def probe(lock: Path, folder: Path, *slugs: str) -> subprocess.CompletedProcess[str]:
    """Imports the functions of the bundles in `folder` in the environment of `lock`."""
    words = [word for slug in slugs for word in (slug, str(folder / slug), TOUCHES[slug])]
    command = [str(environment_of(lock) / "python"), "-c", _PROBES, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("lock", sorted({set_of(slug) for slug in slugs()}))
def test_bundles_import_everything_from_their_own_lock(lock: str, tmp_path: Path) -> None:
    of_lock = [slug for slug in slugs() if set_of(slug) == lock]
    for slug in of_lock:
        folder = bundle(slug, tmp_path)
        assert {path.name for path in folder.iterdir()} == {
            *("main.py", "requirements.txt", "_shared", ".gcloudignore")
        }
        assert not (folder / "requirements.txt").is_symlink()
    done = probe(LOCKS / f"{lock}.txt", tmp_path, *of_lock)
    assert (done.returncode, done.stderr) == (0, "")
    assert not set(of_lock).isdisjoint((*ALONE, *STARTED_BELOW, PAGE))


def without(lock: Path, name: str, folder: Path) -> Path:
    """A copy of `lock` that lacks one package."""
    shortened, cut = re.subn(rf"(?m)^{name}==.*\n(?:    .*\n)+", "", lock.read_text())
    assert cut == 1
    copy = folder / "requirements.txt"
    copy.write_text(shortened)
    return copy


@pytest.mark.parametrize("name", few(("httpcore", "pydantic-core", "urllib3"), 1))
def test_lock_that_lacks_what_a_package_pulls_in_does_not_install(name: str, tmp_path: Path) -> None:
    lock = without(LOCKS / "payments.txt", name, tmp_path)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        install(lock, tmp_path / "environment")
    assert f"\n    {name}" in failed.value.stderr
    assert "--require-hashes mode" in failed.value.stderr


def test_bundle_that_lacks_a_requirement_fails(tmp_path: Path) -> None:
    slug = "cancel-order"
    lock = without(LOCKS / f"{set_of(slug)}.txt", "stripe", tmp_path)
    bundle(slug, tmp_path)
    done = probe(lock, tmp_path, slug)
    assert done.returncode == 1
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'stripe'\n")


def test_bundled_look_up_needs_no_settings_but_its_own(stack: Stack, bundles: Bundles) -> None:
    environ = {
        "ZIPPOPOTAM_API_BASE": f"{stack.emulators_url}/zippopotam",
        "FUNCTIONS_CORS_ORIGIN": "https://shop.example",
    }
    with bundles.running("lookup-zip-code", environ) as client:
        response = client.post("/", json={"zipCode": "10001"})
        assert (response.status_code, response.json()) == (200, {"city": "New York", "state": "NY"})
        preflight = client.options("/")
        assert (preflight.status_code, preflight.headers["access-control-allow-origin"]) == (
            204,
            "https://shop.example",
        )


def test_bundled_checkout_places_a_real_order(
    shopper: Shopper, environ: dict[str, str], bundles: Bundles, admin: Person
) -> None:
    slug = "create-payment-intent"
    with bundles.running(slug, environ) as client:
        require_contract(slug, client, environ, admin)
        signed_in = {"authorization": f"Bearer {shopper.token}"}
        response = client.post("/", json=shopper.cart(), headers=signed_in)
        assert response.status_code == 200, response.text
        assert set(response.json()) == {"client_secret", "order_id", "payment_intent_id"}
        too_large = client.post("/", content=b" " * (20 * 1024 * 1024 + 1), headers=signed_in)
        assert (too_large.status_code, too_large.json()["code"]) == (413, "payload_too_large")


def test_admin_page_opens_by_a_listed_address(
    users: Users, environ: dict[str, str], bundles: Bundles
) -> None:
    slug = "check-admin-access"
    listed, other = users.new("listed"), users.new("other")
    environ["ADMIN_EMAILS"] = f" somebody@example.com, {listed.email.upper()} ,"
    with bundles.running(slug, environ) as client:

        def request(person: Person) -> dict[str, Any]:
            response = client.post("/", json={}, headers={"authorization": f"Bearer {person.token}"})
            assert response.status_code == 200, response.text
            body: dict[str, Any] = response.json()
            return body

        assert request(listed) == {"allowed": True}
        # no other address, and no list, comes with the response
        assert request(other) == {"allowed": False}


def test_replaced_secret_opens_old_mails_while_it_is_the_previous_one(
    functions: Functions,
    shopper: Shopper,
    stack: Stack,
    paid: Json,
    environ: dict[str, str],
    bundles: Bundles,
    admin: Person,
) -> None:
    """The mail was signed by way of the service key; then the shop gets a secret of its own."""
    functions.sweep()
    number = f"#{paid['order_id'][-6:].upper()}"
    token = token_in(wait_for_mail(stack, shopper.person.email, f"order {number} is confirmed"))
    environ["ORDER_LINK_SECRET"] = "new"
    with bundles.running("get-order-status", environ) as client:
        assert failure(client.post("/", json={"token": token})) == (404, "order_not_found")
    environ["ORDER_LINK_SECRET_PREVIOUS"] = environ["SUPABASE_SERVICE_ROLE_KEY"]
    with bundles.running("get-order-status", environ) as client:
        response = client.post("/", json={"token": token})
        assert (response.status_code, response.json()["number"]) == (200, number)
        require_contract("get-order-status", client, environ, admin)


def test_unavailable_vendor_is_a_plain_error(bundles: Bundles) -> None:
    environ = {"ZIPPOPOTAM_API_BASE": f"http://127.0.0.1:{free_port()}"}
    with bundles.running("lookup-zip-code", environ) as client:
        response = client.post("/", json={"zipCode": "10001"})
        assert (response.status_code, response.json()) == (
            502,
            {"error": "Failed to lookup ZIP code information.", "code": "zip_lookup_unavailable"},
        )


def test_unknown_function_is_named_with_the_known_ones() -> None:
    with pytest.raises(
        SystemExit,
        match=r"There is no function 'nonsense'. There are: add-artwork, begin-design, cancel-order",
    ):
        bundle("nonsense")
