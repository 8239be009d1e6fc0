"""The emulators' settings, read once from the environment and passed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from emulators.core.environment import DEFAULT_PORT, ROOT, VENDORS, emulated_vendors


@dataclass(frozen=True)
class Settings:
    """`speed` divides the print shop's waiting times (1 is a demo's pace: a parcel within minutes).

    `functions_url` is where the shop's webhooks are, when a stack runs around the emulators. `hosts` are names by which
    they are reached besides this machine's own, and `address` is what answers name instead of it.
    """

    port: int
    data: Path
    modules: Path
    vendors: tuple[str, ...] = tuple(vendor.name for vendor in VENDORS)
    stripe_webhook_secret: str = "whsec_emulator"  # noqa: S105 - the emulator's, known to all
    printify_token: str = "printify_emulator_token"  # noqa: S105
    printify_shop: int = 1
    printify_webhook_secret: str = "pfysec_emulator"  # noqa: S105
    replicate_token: str = "r8_emulator"  # noqa: S105
    functions_url: str = ""
    google_client_id: str = "emulator.apps.googleusercontent.com"
    google_client_secret: str = "GOCSPX-emulator"  # noqa: S105
    speed: float = 1.0
    hosts: tuple[str, ...] = ()
    address: str = ""

    @property
    def base_url(self) -> str:
        return self.address or f"http://127.0.0.1:{self.port}"


class SettingsError(Exception):
    """A setting that cannot be used; the message names it."""


def read_settings(environ: Mapping[str, str], dotenv: Mapping[str, str]) -> Settings:
    variables = {**dotenv, **{name: value for name, value in environ.items() if value}}
    try:
        port = int(variables.get("EMULATORS_PORT") or DEFAULT_PORT)
        speed = float(variables.get("EMULATORS_SPEED") or 1.0)
        shop = int(variables.get("PRINTIFY_SHOP_ID") or 1)
    except ValueError as error:
        raise SettingsError(
            f"EMULATORS_PORT, EMULATORS_SPEED and PRINTIFY_SHOP_ID are numbers: {error}"
        ) from error
    if speed <= 0:
        raise SettingsError("EMULATORS_SPEED must be above 0")
    state = Path(environ.get("LOCALBASE_DATA") or ROOT / ".localbase")
    return Settings(
        port=port,
        data=state / "emulators",
        modules=Path(environ.get("EMULATORS_NODE_MODULES") or ROOT / "node_modules"),
        vendors=tuple(vendor.name for vendor in emulated_vendors(environ, dotenv)),
        stripe_webhook_secret=variables.get("STRIPE_WEBHOOK_SECRET") or "whsec_emulator",
        printify_token=variables.get("PRINTIFY_API_TOKEN") or "printify_emulator_token",
        printify_shop=shop,
        printify_webhook_secret=variables.get("PRINTIFY_WEBHOOK_SECRET") or "pfysec_emulator",
        replicate_token=variables.get("REPLICATE_API_TOKEN") or "r8_emulator",
        google_client_id=variables.get("GOOGLE_CLIENT_ID") or "emulator.apps.googleusercontent.com",
        google_client_secret=variables.get("GOOGLE_CLIENT_SECRET") or "GOCSPX-emulator",
        functions_url=f"{environ['SUPABASE_URL'].rstrip('/')}/functions/v1"
        if environ.get("SUPABASE_URL")
        else "",
        speed=speed,
        hosts=tuple(name.strip() for name in variables.get("EMULATORS_HOSTS", "").split(",") if name.strip()),
        address=(variables.get("EMULATORS_URL") or "").rstrip("/"),
    )
