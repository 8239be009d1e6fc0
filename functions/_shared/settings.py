"""The functions' settings: read once from the environment, frozen, and passed in.

Defaults are the real vendors. Each function names the groups it needs; the names that these lack are reported
together, so a deployment is put right in one go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Group = Literal["supabase", "stripe", "printify", "replicate", "mail"]

REQUIRED: Mapping[Group, tuple[str, ...]] = {
    "supabase": ("SUPABASE_URL", "SUPABASE_SERVICE_ROLE_KEY"),
    "stripe": ("STRIPE_SECRET_KEY",),
    "printify": ("PRINTIFY_API_TOKEN", "PRINTIFY_SHOP_ID"),
    "replicate": ("REPLICATE_API_TOKEN",),
    "mail": ("SMTP_HOST",),
}


class MissingSettingsError(Exception):
    """Names that the environment lacks."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        super().__init__(f"not set in the environment: {', '.join(self.names)}")


@dataclass(frozen=True)
class Settings:
    """Values of groups that a function does not need may be empty."""

    supabase_url: str
    service_role_key: str
    secret_key: str
    site_url: str
    stripe_secret_key: str
    stripe_api_base: str
    printify_api_token: str
    printify_shop_id: str
    printify_api_base: str
    printify_blueprint_id: int
    printify_print_provider_id: int
    mockup_base_url: str
    replicate_api_token: str
    replicate_base_url: str
    replicate_text_model: str
    replicate_photo_model: str
    zippopotam_api_base: str
    smtp_host: str
    smtp_port: int
    smtp_user: str
    smtp_pass: str
    mail_from: str
    order_webhook_url: str


def read_settings(environ: Mapping[str, str], groups: Iterable[Group]) -> Settings:
    """The environment as `Settings`; raises `MissingSettingsError` with every name that `groups` lack."""
    missing = [name for group in groups for name in REQUIRED[group] if not environ.get(name)]
    if missing:
        raise MissingSettingsError(missing)

    def text(name: str, default: str = "") -> str:
        return environ.get(name) or default

    def address(name: str, default: str = "") -> str:
        return text(name, default).rstrip("/")

    return Settings(
        supabase_url=address("SUPABASE_URL"),
        service_role_key=text("SUPABASE_SERVICE_ROLE_KEY"),
        secret_key=text("SUPABASE_SECRET_KEY"),
        site_url=address("SITE_URL", "http://127.0.0.1:3000"),
        stripe_secret_key=text("STRIPE_SECRET_KEY"),
        stripe_api_base=address("STRIPE_API_BASE", "https://api.stripe.com"),
        printify_api_token=text("PRINTIFY_API_TOKEN"),
        printify_shop_id=text("PRINTIFY_SHOP_ID"),
        printify_api_base=address("PRINTIFY_API_BASE", "https://api.printify.com"),
        # Gildan 5000 at Monster Digital: the shirt whose variant ids the catalogue holds
        printify_blueprint_id=int(text("PRINTIFY_BLUEPRINT_ID", "6")),
        printify_print_provider_id=int(text("PRINTIFY_PRINT_PROVIDER_ID", "29")),
        mockup_base_url=address("MOCKUP_BASE_URL", "https://images.printify.com"),
        replicate_api_token=text("REPLICATE_API_TOKEN"),
        replicate_base_url=address("REPLICATE_BASE_URL", "https://api.replicate.com"),
        replicate_text_model=text("REPLICATE_TEXT_MODEL", "openai/gpt-image-1.5"),
        replicate_photo_model=text("REPLICATE_PHOTO_MODEL", "black-forest-labs/flux-kontext-pro"),
        zippopotam_api_base=address("ZIPPOPOTAM_API_BASE", "https://api.zippopotam.us"),
        smtp_host=text("SMTP_HOST"),
        smtp_port=int(text("SMTP_PORT", "587")),
        smtp_user=text("SMTP_USER"),
        smtp_pass=text("SMTP_PASS"),
        mail_from=text("MAIL_FROM", "Teesmith <orders@teesmith.example>"),
        order_webhook_url=text("ORDER_WEBHOOK_URL"),
    )
