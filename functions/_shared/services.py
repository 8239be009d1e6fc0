"""What the shop reaches out to: Supabase, the vendors, mail, each wired by the settings on first use.

Imports stand inside the properties on purpose: a ZIP look-up must neither load Stripe's library nor need it
installed, so a bundled function carries only what its own requirements.txt names.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from _shared.core.clock import Clock
from _shared.core.outgoing import OutgoingTransport, Vendor
from _shared.core.settings import Settings

if TYPE_CHECKING:
    import httpx

    from _shared.clients.accounts import Accounts
    from _shared.clients.printify import Printify
    from _shared.clients.replicate_api import Replicate
    from _shared.clients.safe_http import SsrfSafeClient
    from _shared.clients.smtp import Smtp
    from _shared.clients.storage import Storage
    from _shared.clients.stripe_api import Stripe
    from _shared.clients.zippopotam import Zippopotam
    from _shared.core.data import Data
    from supabase import Client


class Services:
    """The clients, by settings, clock and network."""

    def __init__(
        self, settings: Settings, clock: Clock | None = None, network: httpx.BaseTransport | None = None
    ) -> None:
        """`network` sends what goes out over HTTP; by default the real one does."""
        self.settings = settings
        self.clock = clock or Clock()
        self._network = network

    def transport(self, vendor: Vendor) -> OutgoingTransport:
        """The way out to a vendor, with its limits."""
        return OutgoingTransport(vendor, self._network)

    @cached_property
    def supabase(self) -> Client:
        from _shared.clients.supabase_api import connect

        return connect(self.settings.supabase_url, self.settings.service_role_key, self.transport)

    @cached_property
    def accounts(self) -> Accounts:
        from _shared.clients.accounts import Accounts

        return Accounts(self.supabase)

    @cached_property
    def data(self) -> Data:
        from _shared.clients.database import Database

        return Database(self.supabase)

    @cached_property
    def storage(self) -> Storage:
        from _shared.clients.storage import Storage

        return Storage(self.supabase, self.settings.supabase_public_url)

    @cached_property
    def stripe(self) -> Stripe:
        from _shared.clients.stripe_api import Stripe

        settings = self.settings
        return Stripe(
            settings.stripe_secret_key,
            settings.stripe_api_base,
            settings.stripe_webhook_secret,
            previous_webhook_secret=settings.stripe_webhook_secret_previous,
            transport=self.transport("stripe"),
            clock=self.clock,
        )

    @cached_property
    def printer(self) -> Printify:
        from _shared.clients.printify import Printify

        return Printify(
            self.settings.printify_api_base,
            self.settings.printify_api_token,
            self.settings.printify_shop_id,
            blueprint_id=self.settings.printify_blueprint_id,
            print_provider_id=self.settings.printify_print_provider_id,
            webhook_secret=self.settings.printify_webhook_secret,
            previous_webhook_secret=self.settings.printify_webhook_secret_previous,
            transport=self.transport("printify"),
        )

    @cached_property
    def mailer(self) -> Smtp:
        from _shared.clients.smtp import Smtp

        settings = self.settings
        return Smtp(
            settings.smtp_host, settings.smtp_port, settings.smtp_user, settings.smtp_pass, settings.mail_from
        )

    @cached_property
    def safe_http(self) -> SsrfSafeClient:
        from _shared.clients.safe_http import SsrfSafeClient

        return SsrfSafeClient(allow_private=self.settings.webhook_allow_private)

    @cached_property
    def replicate(self) -> Replicate:
        from _shared.clients.replicate_api import Replicate

        settings, transport = self.settings, self.transport("replicate")
        return Replicate(settings.replicate_base_url, settings.replicate_api_token, transport=transport)

    @cached_property
    def zip_codes(self) -> Zippopotam:
        from _shared.clients.zippopotam import Zippopotam

        return Zippopotam(self.settings.zippopotam_api_base, self.transport("zippopotam"))
