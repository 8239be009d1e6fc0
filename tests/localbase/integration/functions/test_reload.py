"""Functions are loaded, loaded anew when their code or variables change, and reported where they cannot be."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.localbase.integration.functions.calls import echo, log, logged, trouble
from tests.localbase.integration.small_project import until
from tests.support.stacks import Stack

_BOOT_ERROR = {"code": "BOOT_ERROR", "message": "Function failed to start (please check logs)"}


@pytest.fixture
def functions(services: Stack) -> Path:
    return services.root / "supabase" / "functions"


@pytest.fixture
def added(functions: Path) -> Iterator[Callable[[str, str], Path]]:
    """Writes a function's `main.py`; it is gone afterwards."""
    made: list[Path] = []

    def add(slug: str, code: str) -> Path:
        path = functions / slug / "main.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(code)
        made.append(path)
        return path

    yield add
    for path in made:
        path.unlink()
        path.parent.rmdir() if not list(path.parent.iterdir()) else None


def simple(target: str, value: object, before: str = "") -> str:
    return (
        f"import functions_framework\n{before}\n@functions_framework.http\n"
        f"def {target}(request):\n    return {{'value': {value!r}}}\n"
    )


def call(stack: Stack, slug: str) -> httpx.Response:
    headers = {"authorization": f"Bearer {stack.service_role_key}"}
    return httpx.get(f"{stack.api_url}/functions/v1/{slug}", headers=headers, timeout=30)


def responds_with(stack: Stack, slug: str, value: object) -> bool:
    return bool(call(stack, slug).json() == {"value": value})


def test_changed_code_runs_within_a_second(services: Stack, added: Callable[[str, str], Path]) -> None:
    path = added("changing", simple("changing", 1))
    assert call(services, "changing").json() == {"value": 1}
    for value in (22, 333):
        path.write_text(simple("changing", value))
        began = time.monotonic()
        assert until(partial(responds_with, services, "changing", value), 5)
        assert time.monotonic() - began < 1.0


def test_changed_shared_code_reloads_all(services: Stack, functions: Path) -> None:
    path = functions / "_shared" / "greeting.py"
    original = path.read_text()
    assert echo(services).json()["greeting"] == "Good day there"
    pid = trouble(services, "do=pid").json()["pid"]
    try:
        path.write_text(original.replace("} {name}", "}, dear {name}"))
        assert until(lambda: echo(services).json()["greeting"] == "Good day, dear there", 5)
        assert until(lambda: trouble(services, "do=pid").json()["pid"] != pid, 5)
    finally:
        path.write_text(original)
    assert until(lambda: echo(services).json()["greeting"] == "Good day there", 5)


def test_running_request_finishes_on_the_old_code(services: Stack, functions: Path) -> None:
    path = functions / "stream" / "main.py"
    original = path.read_text()
    address = f"{services.api_url}/functions/v1/stream"
    try:
        with httpx.stream("GET", f"{address}?do=gated&name=old", timeout=30) as response:
            parts = response.iter_bytes()
            assert next(parts) == b"first\n"
            path.write_text(original.replace('return {"name": name}', 'return {"newer": name}'))
            assert until(lambda: "newer" in httpx.get(f"{address}?do=release&name=new").json(), 5)
            # The old code's gate opens by itself after a while: the new code's is another one.
            assert b"".join(parts) == b"second\n"
    finally:
        path.write_text(original)
        assert until(lambda: "name" in httpx.get(f"{address}?do=release&name=new").json(), 5)


def test_code_that_cannot_be_loaded_is_reported_until_it_is_mended(
    services: Stack, added: Callable[[str, str], Path]
) -> None:
    path = added("mended", "import functions_framework\nsyntax error here\n")
    response = call(services, "mended")
    assert (response.status_code, response.json()) == (503, _BOOT_ERROR)
    assert response.headers["x-relay-error"] == "true"
    assert logged(services, "functions.mended its process has ended: its code cannot be loaded")
    assert "SyntaxError" in log(services)
    path.write_text(simple("mended", "yes"))
    # at once: the developer who has mended it calls it
    assert call(services, "mended").json() == {"value": "yes"}


def test_code_that_changes_while_it_is_loaded_is_loaded_again(
    services: Stack, added: Callable[[str, str], Path]
) -> None:
    whole = simple("half_written", "whole")
    added("half-written", f"open(__file__, 'w').write({whole!r})\nraise SystemExit\n")
    assert call(services, "half-written").json() == {"value": "whole"}


@pytest.mark.parametrize(
    ("slug", "code", "words"),
    [
        ("loads-exiting", "import os\nos._exit(5)\n", "it ended with 5 before it was loaded"),
        ("loads-leaving", "import sys\nsys.exit(0)\n", "its code cannot be loaded"),
        ("loads-nothing", "value = 1\n", "its code cannot be loaded"),
        ("loads-allocating", "blocks = []\nwhile True: blocks.append(bytearray(b'x' * 4000000))\n", "its "),
    ],
)
def test_code_that_fails_while_it_is_loaded_affects_no_other(
    services: Stack, added: Callable[[str, str], Path], slug: str, code: str, words: str
) -> None:
    added(slug, code)
    response = call(services, slug)
    assert (response.status_code, response.json()) == (503, _BOOT_ERROR)
    assert logged(services, f"functions.{slug} its process has ended: ")
    assert words in log(services)
    assert echo(services).status_code == 201


def test_variables_of_the_file_count_and_change(services: Stack, functions: Path) -> None:
    query = "do=environ&name=OWN&name=SHADOWED&name=SUPABASE_URL&name=LOCALBASE_FUNCTIONS_FD"
    path = functions / ".env"
    plain = {
        "OWN": None,
        "SHADOWED": "by the secrets",
        "SUPABASE_URL": services.api_url,
        "LOCALBASE_FUNCTIONS_FD": None,
    }
    assert trouble(services, query).json() == plain
    try:
        path.write_text('OWN="of the file"\nSHADOWED=too\nSUPABASE_URL=http://elsewhere.example\n')
        changed = {**plain, "OWN": "of the file", "SHADOWED": "too"}
        assert until(lambda: trouble(services, query).json() == changed, 5)
        assert logged(services, "Env name cannot start with SUPABASE_, skipping: SUPABASE_URL")
        path.write_text("not a variable\n")
        assert until(lambda: trouble(services, query).status_code == 503, 5)
        assert logged(services, "line 1 is not NAME=value")
    finally:
        path.unlink()
    assert until(lambda: trouble(services, query).json() == plain, 5)


def test_keys_of_the_platform_are_variables(services: Stack) -> None:
    names = ["SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_DB_URL", "SUPABASE_PUBLISHABLE_KEYS"]
    names += ["SUPABASE_SECRET_KEYS", "SUPABASE_JWKS"]
    assert trouble(services, "do=environ&" + "&".join(f"name={name}" for name in names)).json() == {
        "SUPABASE_ANON_KEY": services.anon_key,
        "SUPABASE_SERVICE_ROLE_KEY": services.service_role_key,
        "SUPABASE_DB_URL": services.db_url,
        "SUPABASE_PUBLISHABLE_KEYS": f'{{"default": "{services.publishable_key}"}}',
        "SUPABASE_SECRET_KEYS": f'{{"default": "{services.secret_key}"}}',
        "SUPABASE_JWKS": '{"keys": []}',
    }


def test_secret_with_a_name_of_the_platform_is_left_out_and_reported(services: Stack) -> None:
    assert "warning: Env name cannot start with SUPABASE_, skipping: SUPABASE_URL" in log(services)


def test_entrypoint_names_the_file(services: Stack) -> None:
    response = httpx.get(f"{services.api_url}/functions/v1/moved-away")
    assert response.json() == {"who": "moved-away", "greeting": "Good day from afar"}
    for missing in ("moved", "gone", "mirror-deno"):
        assert call(services, missing).status_code == 404
