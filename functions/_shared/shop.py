"""The shop: rules and clients put together from settings, each on first use.

Imports stand inside the properties on purpose: a ZIP look-up must neither load Stripe's library nor need it
installed, so a bundled function carries only what its own requirements.txt names.
"""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from _shared.settings import Group, Settings, read_settings

if TYPE_CHECKING:
    from _shared.artist import Artist
    from _shared.callers import Callers
    from _shared.catalog import Catalog
    from _shared.clients.outward import Outward
    from _shared.clients.printify import Printify
    from _shared.clients.replicate import Replicate
    from _shared.clients.stripe_api import Stripe
    from _shared.clients.zippopotam import Zippopotam
    from _shared.data import Data
    from _shared.designs import Designs
    from _shared.fulfilment import Fulfilment
    from _shared.ledger import Ledger
    from _shared.notices import Notices
    from _shared.orders import Orders
    from _shared.payments import Payments
    from _shared.printify_hook import PrintifyHook
    from _shared.printing import Printing
    from _shared.reversals import Reversals
    from _shared.stripe_hook import StripeHook
    from _shared.sweep import Sweep
    from _shared.usage import Usage


class Shop:
    """What a function is given to work with."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def callers(self) -> Callers:
        from _shared.callers import Callers
        from _shared.clients.accounts import Accounts

        keys = (self.settings.service_role_key, self.settings.secret_key)
        accounts = Accounts(self.settings.supabase_url, self.settings.service_role_key)
        return Callers(accounts, self.data, keys)

    @cached_property
    def data(self) -> Data:
        from _shared.clients.database import Database

        return Database(self.settings.supabase_url, self.settings.service_role_key)

    @cached_property
    def catalog(self) -> Catalog:
        from _shared.catalog import Catalog

        return Catalog(self.data)

    @cached_property
    def designs(self) -> Designs:
        from _shared.designs import Designs

        return Designs(self.data)

    @cached_property
    def orders(self) -> Orders:
        from _shared.orders import Orders

        return Orders(self.data, self.designs, self.catalog, self.settings.mockup_base_url)

    @cached_property
    def ledger(self) -> Ledger:
        from _shared.ledger import Ledger

        return Ledger(self.data, self.settings.lease_seconds)

    @cached_property
    def stripe(self) -> Stripe:
        from _shared.clients.stripe_api import Stripe

        settings = self.settings
        return Stripe(settings.stripe_secret_key, settings.stripe_api_base, settings.stripe_webhook_secret)

    @cached_property
    def payments(self) -> Payments:
        from _shared.payments import Payments

        return Payments(self.stripe, self.orders, self.ledger)

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
        )

    @cached_property
    def fulfilment(self) -> Fulfilment:
        from _shared.clients.storage import Storage
        from _shared.fulfilment import Fulfilment
        from _shared.print_file import Enlarger

        settings = self.settings
        store = Storage(settings.supabase_url, settings.supabase_public_url, settings.service_role_key)
        enlarger = Enlarger(self.models, settings.replicate_upscale_model)
        return Fulfilment(self.printer, self.catalog, self.designs, enlarger, store)

    @cached_property
    def printing(self) -> Printing:
        from _shared.printing import Printing

        releases = self.settings.printify_send_to_production
        return Printing(self.printer, self.orders, self.ledger, releases=releases)

    @cached_property
    def reversals(self) -> Reversals:
        from _shared.reversals import Reversals

        return Reversals(self.orders, self.ledger, self.payments, self.printing)

    @cached_property
    def notices(self) -> Notices:
        from _shared.clients.automation import Automation
        from _shared.clients.smtp import Smtp
        from _shared.notices import Notices

        settings = self.settings
        post = Smtp(
            settings.smtp_host, settings.smtp_port, settings.smtp_user, settings.smtp_pass, settings.mail_from
        )
        listener = Automation(
            settings.order_webhook_url, settings.tracking_webhook_url, settings.automation_secret
        )
        return Notices(
            post,
            listener,
            self.orders,
            self.ledger,
            site_url=settings.site_url,
            notice_email=settings.notice_email,
        )

    @cached_property
    def stripe_hook(self) -> StripeHook:
        from _shared.stripe_hook import StripeHook

        return StripeHook(self.stripe, self.ledger, self.payments, self.printing, self.notices)

    @cached_property
    def printify_hook(self) -> PrintifyHook:
        from _shared.printify_hook import PrintifyHook

        return PrintifyHook(self.printer, self.ledger, self.printing, self.notices)

    @cached_property
    def sweep(self) -> Sweep:
        from _shared.sweep import Sweep

        return Sweep(self.orders, self.ledger, self.payments, self.printing, self.reversals, self.notices)

    @cached_property
    def outward(self) -> Outward:
        from _shared.clients.outward import Outward

        return Outward(allow_private=self.settings.webhook_allow_private)

    @cached_property
    def artist(self) -> Artist:
        from _shared.artist import Artist, Crew

        settings = self.settings
        crew = Crew(
            text=settings.replicate_text_model,
            lettering=settings.replicate_lettering_model,
            photo=settings.replicate_photo_model,
            cutter=settings.replicate_cutout_model,
        )
        return Artist(self.models, crew)

    @cached_property
    def models(self) -> Replicate:
        from _shared.clients.replicate import Replicate

        return Replicate(self.settings.replicate_base_url, self.settings.replicate_api_token)

    @cached_property
    def usage(self) -> Usage:
        from _shared.usage import Usage, UsageLimits

        settings = self.settings
        return Usage(
            self.data,
            {
                "picture": UsageLimits(
                    settings.generations_per_hour,
                    settings.generations_per_day,
                    settings.shop_generations_per_day,
                ),
                "print_product": UsageLimits(
                    settings.print_products_per_hour,
                    settings.print_products_per_day,
                    settings.shop_print_products_per_day,
                ),
                "import": UsageLimits(
                    settings.imports_per_hour, settings.imports_per_day, settings.shop_imports_per_day
                ),
                "order": UsageLimits(
                    settings.orders_per_hour, settings.orders_per_day, settings.shop_orders_per_day
                ),
            },
        )

    @cached_property
    def zip_codes(self) -> Zippopotam:
        from _shared.clients.zippopotam import Zippopotam

        return Zippopotam(self.settings.zippopotam_api_base)


@lru_cache
def open_shop(groups: frozenset[Group]) -> Shop:
    """The process's shop for functions that need these settings. Not cached while some are missing."""
    return Shop(read_settings(os.environ, sorted(groups)))
