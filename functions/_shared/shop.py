"""The shop: its subjects, wired by the settings, each on first use and imported there, as services.py says."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from _shared.services import Services

if TYPE_CHECKING:
    from _shared.accounts.deletion import Deletion
    from _shared.accounts.export import AccountExport
    from _shared.catalog.catalog import Catalog
    from _shared.core.callers import Callers
    from _shared.core.idempotency import Idempotency
    from _shared.core.usage import Usage
    from _shared.designs.design_jobs import DesignJobs
    from _shared.designs.designs import Design, Designs
    from _shared.designs.image_generation import ImageGenerator, ModelNames
    from _shared.designs.image_models import ImageModels
    from _shared.designs.print_files import PrintFiles
    from _shared.designs.print_products import PrintProducts
    from _shared.designs.stored_pictures import StoredPictures
    from _shared.moderation.design_notices import DesignNotices
    from _shared.moderation.reports import Reports
    from _shared.orders.cancellation import Cancellation
    from _shared.orders.fulfilment import Fulfilment
    from _shared.orders.notifications import Notifications
    from _shared.orders.order_links import OrderLinks
    from _shared.orders.order_rpc import OrderRpc
    from _shared.orders.orders import Orders
    from _shared.orders.payments import Payments
    from _shared.orders.print_sheets import PrintSheets
    from _shared.orders.printify_events import PrintifyEvents
    from _shared.orders.refunds import Refunds
    from _shared.orders.stripe_events import StripeEvents
    from _shared.orders.sweep import Sweep
    from _shared.orders.tracking import Tracking
    from _shared.pages.pages import Pages
    from _shared.print_check.design_check import DesignCheck
    from _shared.versions.artwork import Artworks
    from _shared.versions.artwork_upkeep import ArtworkUpkeep
    from _shared.versions.drafts import Drafts
    from _shared.versions.pictures import ScenePictures
    from _shared.versions.scene_versions import SceneVersions


class Shop(Services):
    """The parts that functions use."""

    @cached_property
    def callers(self) -> Callers:
        from _shared.core.callers import Callers

        keys = (self.settings.service_role_key, self.settings.secret_key)
        return Callers(self.accounts, self.data, keys)

    @cached_property
    def account_export(self) -> AccountExport:
        from _shared.accounts.export import AccountExport

        return AccountExport(self.data, self.storage, self.clock)

    @cached_property
    def deletion(self) -> Deletion:
        from _shared.accounts.deletion import Deletion

        return Deletion(self.data, self.accounts, self.orders, self.payments, self.usage)

    @cached_property
    def idempotency(self) -> Idempotency:
        from _shared.core.idempotency import Idempotency

        return Idempotency(self.data, self.settings.service_role_key)

    @cached_property
    def catalog(self) -> Catalog:
        from _shared.catalog.catalog import Catalog

        return Catalog(self.data)

    @cached_property
    def stored_pictures(self) -> StoredPictures:
        from _shared.designs.stored_pictures import StoredPictures

        return StoredPictures(self.data, self.storage)

    @cached_property
    def designs(self) -> Designs:
        from _shared.designs.designs import Designs

        return Designs(self.data)

    @cached_property
    def pages(self) -> Pages:
        from _shared.clients.mockups import Mockups
        from _shared.clients.site import Site
        from _shared.pages.design_page import DesignPages
        from _shared.pages.gallery_pages import GalleryPages
        from _shared.pages.link_picture import LinkPictures
        from _shared.pages.pages import Pages
        from _shared.pages.sitemap import Sitemaps

        settings = self.settings
        site = Site(settings.site_url, self.transport("site"))
        return Pages(
            DesignPages(self.data, site, self.storage, settings.mockup_base_url),
            GalleryPages(self.data, site),
            LinkPictures(
                self.data,
                self.storage,
                Mockups(settings.mockup_base_url, self.transport("mockups")),
                f"{settings.site_url}/share.jpg",
            ),
            Sitemaps(self.data, settings.site_url),
        )

    @cached_property
    def orders(self) -> Orders:
        from _shared.orders.orders import Orders

        return Orders(self.data, self.designs, self.catalog, self.settings.mockup_base_url)

    @cached_property
    def order_rpc(self) -> OrderRpc:
        from _shared.orders.order_rpc import OrderRpc

        return OrderRpc(self.data, self.settings.lease_seconds)

    @cached_property
    def order_links(self) -> OrderLinks:
        from _shared.orders.order_links import OrderLinks

        return OrderLinks(self.settings.order_link_secrets, self.settings.site_url)

    @cached_property
    def tracking(self) -> Tracking:
        from _shared.core.failure_limit import FailureLimit
        from _shared.orders.tracking import Tracking

        return Tracking(self.data, self.order_links, FailureLimit(most=30, seconds=60))

    @cached_property
    def payments(self) -> Payments:
        from _shared.orders.payments import Payments

        return Payments(self.stripe, self.orders, self.order_rpc)

    @cached_property
    def artworks(self) -> Artworks:
        from _shared.versions.artwork import Artworks

        return Artworks(self.data, self.storage)

    @cached_property
    def artwork_upkeep(self) -> ArtworkUpkeep:
        from _shared.core.owner_settings import owner_settings
        from _shared.versions.artwork_upkeep import ArtworkUpkeep

        return ArtworkUpkeep(self.data, after_days=owner_settings().storage.unused_artwork_days)

    @cached_property
    def drafts(self) -> Drafts:
        from _shared.versions.drafts import Drafts

        return Drafts(self.data, self.catalog)

    def _scene_versions_with(self, models: ImageModels) -> SceneVersions:
        from _shared.designs.back_views import BackViews
        from _shared.designs.print_file import Enlarger
        from _shared.versions.scene_versions import SceneVersions
        from _shared.versions.shown import ShownPictures

        return SceneVersions(
            self.data,
            self.designs,
            self._print_products_with(models),
            Enlarger(models, self.settings.replicate_upscale_model),
            self._scene_pictures,
            ShownPictures(self.data, self.storage),
            BackViews(self.data, self.printer),
        )

    def _scene_pictures(self, design: Design) -> ScenePictures:
        from _shared.versions.pictures import ScenePictures

        return ScenePictures(design, self.artworks, self.storage)

    @cached_property
    def print_products(self) -> PrintProducts:
        return self._print_products_with(self.replicate)

    def _print_products_with(self, models: ImageModels) -> PrintProducts:
        from _shared.designs.print_file import Enlarger
        from _shared.designs.print_products import PrintProducts

        enlarger = Enlarger(models, self.settings.replicate_upscale_model)
        return PrintProducts(self.printer, self.catalog, self.designs, enlarger, self.storage)

    @cached_property
    def print_files(self) -> PrintFiles:
        from _shared.core.owner_settings import owner_settings
        from _shared.designs.print_files import PrintFiles

        days = owner_settings().storage.unordered_print_file_days
        return PrintFiles(
            self.data,
            self.designs,
            self.print_products,
            lambda: self._scene_versions_with(self.replicate),
            self.clock,
            after_days=days,
        )

    @cached_property
    def design_check(self) -> DesignCheck:
        from _shared.core.owner_settings import owner_settings
        from _shared.designs.print_file import Enlarger
        from _shared.print_check.design_check import DesignCheck
        from _shared.print_check.ink_profile import ink_profile

        return DesignCheck(
            self.catalog,
            self.drafts,
            self.artworks,
            self.print_products,
            Enlarger(self.replicate, self.settings.replicate_upscale_model),
            self._scene_pictures,
            lambda: ink_profile(owner_settings().ink_profile),
        )

    @cached_property
    def design_jobs(self) -> DesignJobs:
        from _shared.designs.design_job_rpc import DesignJobRpc
        from _shared.designs.design_jobs import DesignJobs
        from _shared.designs.image_generation import random_seed
        from _shared.designs.job_work import JobWork

        work = JobWork(
            self._model_names,
            self.designs,
            self._print_products_with,
            self._scene_versions_with,
            self.storage,
        )
        rpc = DesignJobRpc(self.data, self.usage)
        return DesignJobs(rpc, self.replicate, work, self.storage, random_seed)

    @cached_property
    def print_sheets(self) -> PrintSheets:
        from _shared.orders.print_sheets import PrintSheets

        return PrintSheets(self.data, self.printer, self.storage)

    @cached_property
    def fulfilment(self) -> Fulfilment:
        from _shared.orders.fulfilment import Fulfilment

        return Fulfilment(
            self.printer,
            self.orders,
            self.order_rpc,
            lambda order: self.payments.sync(order.payment_intent_id),
            sends_to_production=self.settings.printify_send_to_production,
        )

    @cached_property
    def cancellation(self) -> Cancellation:
        from _shared.orders.cancellation import Cancellation

        return Cancellation(self.orders, self.order_rpc, self.payments, self.fulfilment)

    @cached_property
    def refunds(self) -> Refunds:
        from _shared.orders.refunds import Refunds

        return Refunds(self.order_rpc, self.payments, self.cancellation)

    @cached_property
    def notifications(self) -> Notifications:
        from _shared.clients.automation import Automation
        from _shared.orders.notifications import Notifications

        settings = self.settings
        webhook_sender = Automation(
            settings.order_webhook_url,
            settings.tracking_webhook_url,
            settings.automation_secret,
            self.transport("automation"),
            self.clock.time,
        )
        return Notifications(
            self.mailer,
            webhook_sender,
            self.orders,
            self.order_rpc,
            self.order_links,
            site_url=settings.site_url,
            notice_email=settings.notice_email,
            pause=self.clock.sleep,
        )

    @cached_property
    def stripe_events(self) -> StripeEvents:
        from _shared.orders.stripe_events import StripeEvents

        return StripeEvents(
            self.stripe,
            self.order_rpc,
            self.payments,
            self.fulfilment,
            self.notifications,
            now=self.clock.now,
        )

    @cached_property
    def printify_events(self) -> PrintifyEvents:
        from _shared.orders.printify_events import PrintifyEvents

        return PrintifyEvents(
            self.printer, self.order_rpc, self.fulfilment, self.notifications, now=self.clock.now
        )

    @cached_property
    def sweep(self) -> Sweep:
        from _shared.orders.money_check import MoneyCheck
        from _shared.orders.sweep import Sweep
        from _shared.orders.total_checks import TotalChecks

        return Sweep(
            self.orders,
            self.order_rpc,
            self.payments,
            self.fulfilment,
            self.cancellation,
            self.notifications,
            MoneyCheck(
                self.data,
                self.stripe,
                self.payments.sync,
                self.mailer,
                self.clock,
                notice_email=self.settings.notice_email,
                lease_seconds=self.settings.lease_seconds,
            ),
            TotalChecks(self.data, self.mailer, notice_email=self.settings.notice_email),
            self.clock,
        )

    @cached_property
    def reports(self) -> Reports:
        from _shared.core.usage import UsageLimits
        from _shared.moderation.reports import Reports

        settings = self.settings
        limits = UsageLimits(
            settings.reports_per_hour, settings.reports_per_day, settings.shop_reports_per_day
        )
        return Reports(self.data, limits, settings.service_role_key)

    @cached_property
    def design_notices(self) -> DesignNotices:
        from _shared.moderation.design_notices import DesignNotices

        settings = self.settings
        return DesignNotices(
            self.data,
            self.mailer,
            settings.site_url,
            settings.lease_seconds,
            notice_email=settings.notice_email,
        )

    @cached_property
    def image_generator(self) -> ImageGenerator:
        from _shared.designs.image_generation import ImageGenerator

        return ImageGenerator(self.replicate, self._model_names)

    @cached_property
    def _model_names(self) -> ModelNames:
        from _shared.designs.image_generation import ModelNames

        settings = self.settings
        return ModelNames(
            text=settings.replicate_text_model,
            lettering=settings.replicate_lettering_model,
            photo=settings.replicate_photo_model,
            cutout=settings.replicate_cutout_model,
        )

    @cached_property
    def usage(self) -> Usage:
        from _shared.core.usage import Usage, limits_by_kind

        return Usage(self.data, limits_by_kind(self.settings))
