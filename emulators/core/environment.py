"""The emulated vendors, and the variables that point the shop at them.

A vendor is emulated where its key is set neither in the environment nor in the root's `.env`:
with a real key in either place the shop talks to the vendor, and this process does not serve it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dotenv import dotenv_values

ROOT = Path(__file__).resolve().parents[2]
DEFAULT_PORT = 54330


@dataclass(frozen=True)
class Vendor:
    """One outside service: the variable that holds its key, and the values of its emulator.

    `{base}` in a value is the emulators' address. A vendor without a key of its own (`key=None`) is
    emulated unless its base address is set.
    """

    name: str
    key: str | None
    values: tuple[tuple[str, str], ...]

    @property
    def marker(self) -> str:
        """The variable that, if set, selects the real vendor."""
        return self.key if self.key is not None else self.values[0][0]

    @property
    def emulated_marker(self) -> str:
        return dict(self.values)[self.marker]


VENDORS = (
    Vendor(
        "stripe",
        "STRIPE_SECRET_KEY",
        (
            ("STRIPE_SECRET_KEY", "sk_test_emulator"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_test_emulator"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_emulator"),
            ("STRIPE_API_BASE", "{base}/stripe"),
            ("STRIPE_JS_URL", "{base}/stripe/js/v3"),
        ),
    ),
    Vendor(
        "printify",
        "PRINTIFY_API_TOKEN",
        (
            ("PRINTIFY_API_TOKEN", "printify_emulator_token"),
            ("PRINTIFY_SHOP_ID", "1"),
            ("PRINTIFY_WEBHOOK_SECRET", "pfysec_emulator"),
            ("PRINTIFY_API_BASE", "{base}/printify"),
            ("MOCKUP_BASE_URL", "{base}/printify"),
        ),
    ),
    Vendor(
        "replicate",
        "REPLICATE_API_TOKEN",
        (("REPLICATE_API_TOKEN", "r8_emulator"), ("REPLICATE_BASE_URL", "{base}/replicate")),
    ),
    Vendor(
        "google",
        "GOOGLE_CLIENT_ID",
        (
            ("GOOGLE_CLIENT_ID", "emulator.apps.googleusercontent.com"),
            ("GOOGLE_CLIENT_SECRET", "GOCSPX-emulator"),
            ("GOOGLE_ISSUER", "{base}/google"),
        ),
    ),
    Vendor("zippopotam", None, (("ZIPPOPOTAM_API_BASE", "{base}/zippopotam"),)),
)


def read_dotenv(path: Path) -> dict[str, str]:
    """The assignments of a `.env` file, without the empty ones."""
    return {name: value for name, value in dotenv_values(path, interpolate=False).items() if value}


def base_url(environ: Mapping[str, str], dotenv: Mapping[str, str]) -> str:
    """The emulators' address."""
    if address := environ.get("EMULATORS_URL") or dotenv.get("EMULATORS_URL"):
        return address.rstrip("/")
    return f"http://127.0.0.1:{environ.get('EMULATORS_PORT') or dotenv.get('EMULATORS_PORT') or DEFAULT_PORT}"


def emulated_vendors(environ: Mapping[str, str], dotenv: Mapping[str, str]) -> tuple[Vendor, ...]:
    """The vendors without a real key. An emulator's own value in the key's place is not a real key."""
    base = base_url(environ, dotenv)
    emulated = []
    for vendor in VENDORS:
        configured = environ.get(vendor.marker) or dotenv.get(vendor.marker)
        if not configured or configured == vendor.emulated_marker.format(base=base):
            emulated.append(vendor)
    return tuple(emulated)


def vendor_variables(environ: Mapping[str, str], dotenv: Mapping[str, str]) -> dict[str, str]:
    """Name → value for every emulated vendor. A value that the caller set on purpose stays as it is."""
    base = base_url(environ, dotenv)
    values: dict[str, str] = {}
    for vendor in emulated_vendors(environ, dotenv):
        for name, value in vendor.values:
            values[name] = environ.get(name) or dotenv.get(name) or value.format(base=base)
    return values


def current_dotenv() -> dict[str, str]:
    return read_dotenv(ROOT / ".env")


def run_command(command: list[str]) -> None:
    """Replaces this process by `command`, with the emulated vendors' variables added."""
    environ = dict(os.environ)
    environ.update(vendor_variables(os.environ, current_dotenv()))
    os.execvpe(command[0], command, environ)  # noqa: S606 - the developer's own command
