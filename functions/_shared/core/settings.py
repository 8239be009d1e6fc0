"""The functions' settings: read once from the environment, frozen, and passed in.

Defaults are the real vendors. Each function names the groups it needs; the names that these lack are reported
together, so a deployment is put right in one go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Literal

Group = Literal["supabase", "stripe", "stripe_events", "printify", "printify_events", "replicate", "mail"]

REQUIRED: Mapping[Group, tuple[str, ...]] = {
    "supabase": ("SUPABASE_URL", "SUPABASE_SERVICE_ROLE_KEY"),
    "stripe": ("STRIPE_SECRET_KEY",),
    "stripe_events": ("STRIPE_WEBHOOK_SECRET",),
    "printify": ("PRINTIFY_API_TOKEN", "PRINTIFY_SHOP_ID"),
    "printify_events": ("PRINTIFY_WEBHOOK_SECRET",),
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
    supabase_public_url: str
    service_role_key: str
    secret_key: str
    site_url: str
    order_link_secrets: tuple[str, ...]
    stripe_secret_key: str
    stripe_webhook_secret: str
    stripe_webhook_secret_previous: str
    stripe_api_base: str
    printify_api_token: str
    printify_shop_id: str
    printify_webhook_secret: str
    printify_webhook_secret_previous: str
    printify_send_to_production: bool
    printify_api_base: str
    printify_blueprint_id: int
    printify_print_provider_id: int
    mockup_base_url: str
    replicate_api_token: str
    replicate_base_url: str
    replicate_text_model: str
    replicate_lettering_model: str
    replicate_photo_model: str
    replicate_cutout_model: str
    replicate_upscale_model: str
    zippopotam_api_base: str
    smtp_host: str
    smtp_port: int
    smtp_user: str
    smtp_pass: str
    mail_from: str
    notice_email: str
    order_webhook_url: str
    tracking_webhook_url: str
    automation_secret: str
    webhook_allow_private: bool
    lease_seconds: int
    admin_emails: frozenset[str]
    generations_per_hour: int
    generations_per_day: int
    shop_generations_per_day: int
    print_products_per_hour: int
    print_products_per_day: int
    shop_print_products_per_day: int
    scenes_per_hour: int
    scenes_per_day: int
    shop_scenes_per_day: int
    artwork_per_hour: int
    artwork_per_day: int
    shop_artwork_per_day: int
    print_checks_per_hour: int
    print_checks_per_day: int
    shop_print_checks_per_day: int
    imports_per_hour: int
    imports_per_day: int
    shop_imports_per_day: int
    orders_per_hour: int
    orders_per_day: int
    shop_orders_per_day: int
    reports_per_hour: int
    reports_per_day: int
    shop_reports_per_day: int


def read_settings(environ: Mapping[str, str], groups: Iterable[Group]) -> Settings:
    """The environment as `Settings`; raises `MissingSettingsError` with every name that `groups` lack."""
    missing = [name for group in groups for name in REQUIRED[group] if not environ.get(name)]
    if missing:
        raise MissingSettingsError(missing)

    def text(name: str, default: str = "") -> str:
        return environ.get(name) or default

    def address(name: str, default: str = "") -> str:
        return text(name, default).rstrip("/")

    def yes(name: str, default: str) -> bool:
        return text(name, default).lower() in ("true", "1", "yes")

    mail_from = text("MAIL_FROM", "Teesmith <orders@teesmith.example>")
    return Settings(
        supabase_url=address("SUPABASE_URL"),
        # where the vendors reach the project: self-hosted functions know it by an inner name as well
        supabase_public_url=address("SUPABASE_PUBLIC_URL", text("SUPABASE_URL")),
        service_role_key=text("SUPABASE_SERVICE_ROLE_KEY"),
        secret_key=text("SUPABASE_SECRET_KEY"),
        site_url=address("SITE_URL", "http://127.0.0.1:3000"),
        # signs with the first; the service key serves until the shop has a secret of its own
        order_link_secrets=(
            text("ORDER_LINK_SECRET", text("SUPABASE_SERVICE_ROLE_KEY")),
            text("ORDER_LINK_SECRET_PREVIOUS"),
        ),
        stripe_secret_key=text("STRIPE_SECRET_KEY"),
        stripe_webhook_secret=text("STRIPE_WEBHOOK_SECRET"),
        stripe_webhook_secret_previous=text("STRIPE_WEBHOOK_SECRET_PREVIOUS"),
        stripe_api_base=address("STRIPE_API_BASE", "https://api.stripe.com"),
        printify_api_token=text("PRINTIFY_API_TOKEN"),
        printify_shop_id=text("PRINTIFY_SHOP_ID"),
        printify_webhook_secret=text("PRINTIFY_WEBHOOK_SECRET"),
        printify_webhook_secret_previous=text("PRINTIFY_WEBHOOK_SECRET_PREVIOUS"),
        # A print order waits on hold until it is released; `false` leaves that to a person at the printer's.
        printify_send_to_production=yes("PRINTIFY_SEND_TO_PRODUCTION", "true"),
        printify_api_base=address("PRINTIFY_API_BASE", "https://api.printify.com"),
        # Gildan 5000 at Monster Digital: the catalog has this shirt's variant ids
        printify_blueprint_id=int(text("PRINTIFY_BLUEPRINT_ID", "6")),
        printify_print_provider_id=int(text("PRINTIFY_PRINT_PROVIDER_ID", "29")),
        mockup_base_url=address("MOCKUP_BASE_URL", "https://images.printify.com"),
        replicate_api_token=text("REPLICATE_API_TOKEN"),
        replicate_base_url=address("REPLICATE_BASE_URL", "https://api.replicate.com"),
        replicate_text_model=text("REPLICATE_TEXT_MODEL", "openai/gpt-image-1.5"),
        replicate_lettering_model=text("REPLICATE_LETTERING_MODEL", "openai/gpt-image-1.5"),
        replicate_photo_model=text("REPLICATE_PHOTO_MODEL", "black-forest-labs/flux-kontext-pro"),
        replicate_cutout_model=text("REPLICATE_CUTOUT_MODEL", "bria/remove-background"),
        replicate_upscale_model=text("REPLICATE_UPSCALE_MODEL", "nightmareai/real-esrgan"),
        zippopotam_api_base=address("ZIPPOPOTAM_API_BASE", "https://api.zippopotam.us"),
        smtp_host=text("SMTP_HOST"),
        smtp_port=int(text("SMTP_PORT", "587")),
        smtp_user=text("SMTP_USER"),
        smtp_pass=text("SMTP_PASS"),
        mail_from=mail_from,
        notice_email=text("NOTICE_EMAIL", parseaddr(mail_from)[1]),
        order_webhook_url=text("ORDER_WEBHOOK_URL"),
        tracking_webhook_url=text("TRACKING_WEBHOOK_URL", text("ORDER_WEBHOOK_URL")),
        automation_secret=text("AUTOMATION_WEBHOOK_SECRET"),
        webhook_allow_private=yes("WEBHOOK_ALLOW_PRIVATE", "false"),
        # longer than any vendor takes to answer: until it runs out no other process takes the work up
        lease_seconds=int(text("SWEEP_LEASE_SECONDS", "120")),
        admin_emails=frozenset(
            address.strip().lower() for address in text("ADMIN_EMAILS").split(",") if address.strip()
        ),
        # what one person, and everybody together, may have drawn and prepared for print; 0 closes
        generations_per_hour=int(text("GENERATIONS_PER_HOUR", "30")),
        generations_per_day=int(text("GENERATIONS_PER_DAY", "100")),
        shop_generations_per_day=int(text("SHOP_GENERATIONS_PER_DAY", "1000")),
        print_products_per_hour=int(text("PRINT_PRODUCTS_PER_HOUR", "30")),
        print_products_per_day=int(text("PRINT_PRODUCTS_PER_DAY", "100")),
        shop_print_products_per_day=int(text("SHOP_PRINT_PRODUCTS_PER_DAY", "1000")),
        scenes_per_hour=int(text("SCENES_PER_HOUR", "30")),
        scenes_per_day=int(text("SCENES_PER_DAY", "100")),
        shop_scenes_per_day=int(text("SHOP_SCENES_PER_DAY", "1000")),
        artwork_per_hour=int(text("ARTWORK_PER_HOUR", "60")),
        artwork_per_day=int(text("ARTWORK_PER_DAY", "150")),
        shop_artwork_per_day=int(text("SHOP_ARTWORK_PER_DAY", "5000")),
        print_checks_per_hour=int(text("PRINT_CHECKS_PER_HOUR", "120")),
        print_checks_per_day=int(text("PRINT_CHECKS_PER_DAY", "400")),
        shop_print_checks_per_day=int(text("SHOP_PRINT_CHECKS_PER_DAY", "20000")),
        imports_per_hour=int(text("IMPORTS_PER_HOUR", "60")),
        imports_per_day=int(text("IMPORTS_PER_DAY", "200")),
        shop_imports_per_day=int(text("SHOP_IMPORTS_PER_DAY", "5000")),
        orders_per_hour=int(text("ORDERS_PER_HOUR", "20")),
        orders_per_day=int(text("ORDERS_PER_DAY", "60")),
        # an order costs the shop nothing until it is paid: a low ceiling would only let a few accounts close the shop
        shop_orders_per_day=int(text("SHOP_ORDERS_PER_DAY", "100000")),
        # of designs, from one address: people behind one proxy share it
        reports_per_hour=int(text("REPORTS_PER_HOUR", "10")),
        reports_per_day=int(text("REPORTS_PER_DAY", "30")),
        shop_reports_per_day=int(text("SHOP_REPORTS_PER_DAY", "2000")),
    )
