"""Each function's requirements.txt: a lock of the project's own versions, complete, with nothing unused."""

import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from localbase.functions.worker import libraries_of
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.functions.parts import PROBE, TOUCHES
from tests.support.stacks import ROOT

SETS = ROOT / "functions" / "requirements"
SLUGS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/main.py"))
OLDEST = (ROOT / ".python-version").read_text().strip()
# a lock made for the oldest Python holds what later ones need as well
LOCKED_FOR = {"python_version": OLDEST, "python_full_version": f"{OLDEST}.0"}
IMPORTED_AS = {"pillow": "PIL", "replicate": "replicate", "stripe": "stripe", "supabase": "supabase"}
# Probes each function in a fork of a process that has imported what they or the libraries do, and no library itself.
_PROBES = f"""
import os, sys
import flask, httpx, postgrest, prometheus_client, pydantic, realtime, storage3, supabase_auth, supabase_functions
functions, libraries, *words = sys.argv[1:]
assert sys.modules.keys().isdisjoint(libraries.split())
for slug, touches in zip(words[::2], words[1::2]):
    print(slug, end=": ", flush=True)
    if not (child := os.fork()):
        sys.argv[1:] = [f"{{functions}}/{{slug}}", functions, touches, libraries]
        exec({PROBE!r})
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(1)
"""


def locked(path: Path) -> dict[str, str]:
    """Name → what the lock says of it: the version and the hashes."""
    text = "\n".join(line for line in path.read_text().splitlines() if not line.lstrip().startswith("#"))
    return {
        entry.partition("==")[0]: entry.partition("==")[2].strip()
        for entry in re.split(r"\n(?=\S)", text)
        if entry.strip()
    }


def named(path: Path) -> set[str]:
    """The packages that a source names, with those of the sources that it includes."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    included = [named(SETS / line.removeprefix("-r ")) for line in lines if line.startswith("-r ")]
    return {line for line in lines if not line.startswith("-")}.union(*included)


def source_of(slug: str) -> Path:
    return (ROOT / "functions" / slug / "requirements.txt").resolve().with_suffix(".in")


def needed(names: set[str]) -> set[str]:
    """`names` and everything that they pull in, by what the installed packages declare."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(canonicalize_name(name), frozenset[str]()) for name in names]
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        for line in distribution(name).requires or []:
            requirement = Requirement(line)
            marker = requirement.marker
            if marker is None or any(
                marker.evaluate({**LOCKED_FOR, "extra": extra}) for extra in ("", *extras)
            ):
                waiting.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    return {str(name) for name, _ in seen}


def test_specifications_ten_functions_and_those_that_money_and_admins_need_are_there() -> None:
    assert SLUGS == [
        "add-artwork",
        "begin-design",
        "cancel-order",
        "check-admin-access",
        "check-print",
        "create-payment-intent",
        "create-printify-order",
        "create-printify-product",
        "delete-account",
        "design-page",
        "edit-design-image",
        "export-account",
        "finish-payment",
        "finish-scene",
        "generate-design-image",
        "get-order-status",
        "import-design",
        "list-print-files",
        "lookup-zip-code",
        "mend-picture",
        "printify-webhook",
        "refund-order",
        "report-design",
        "send-order-webhook",
        "send-tracking-webhook",
        "stripe-webhook",
        "sweep",
        "test-webhook",
        "update-order-status",
    ]


@pytest.mark.parametrize("source", sorted(SETS.glob("*.in")), ids=lambda path: path.stem)
def test_lock_is_complete_and_of_the_projects_own_versions_and_hashes(source: Path) -> None:
    entries, project = locked(source.with_suffix(".txt")), locked(ROOT / "requirements.txt")
    assert entries == {name: project[name] for name in entries}
    assert all("--hash=sha256:" in entry for entry in entries.values())
    assert set(entries) == needed(named(source))
    # no index: each machine has its own
    assert "--index" not in source.with_suffix(".txt").read_text()


def test_every_lock_belongs_to_a_function_or_to_the_container() -> None:
    assert {source_of(slug).stem for slug in SLUGS} | {"container"} == {
        path.stem for path in SETS.glob("*.in")
    }
    assert {path.stem for path in SETS.glob("*.txt")} == {path.stem for path in SETS.glob("*.in")}


def test_containers_lock_serves_every_function() -> None:
    container = locked(SETS / "container.txt")
    for slug in SLUGS:
        assert locked(ROOT / "functions" / slug / "requirements.txt").items() <= container.items()


def test_function_that_checks_new_addresses_requires_its_libraries() -> None:
    # imported when an address is checked, so the probe below does not see them
    assert {"email-validator", "phonenumberslite"} <= named(source_of("create-payment-intent"))


def test_functions_that_send_mail_require_the_template_library() -> None:
    # Flask imports it too, so the probe below finds it everywhere
    sending = [slug for slug in SLUGS if '"mail"' in (ROOT / "functions" / slug / "main.py").read_text()]
    assert len(sending) == 5
    assert all("jinja2" in named(source_of(slug)) for slug in sending)


def test_host_of_the_functions_loads_the_clients_before_it_is_forked() -> None:
    # a module of ours with a library's name would hide the library from it
    loaded = set(libraries_of(ROOT / "functions"))
    assert {"supabase", "stripe"} <= loaded
    # few functions need them, and the sweep at rest needs none
    assert not {"replicate.client", "phonenumbers", "resvg_py"} & loaded


def test_function_imports_only_what_it_requires() -> None:
    words = [word for slug in SLUGS for word in (slug, TOUCHES[slug])]
    arguments = [str(ROOT / "functions"), " ".join(IMPORTED_AS.values()), *words]
    done = subprocess.run(
        [sys.executable, "-c", _PROBES, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    required = {
        slug: {IMPORTED_AS[name] for name in named(source_of(slug)) if name in IMPORTED_AS} for slug in SLUGS
    }
    imported = dict(line.split(":") for line in done.stdout.splitlines())
    assert {slug: set(loaded.split()) for slug, loaded in imported.items()} == required
