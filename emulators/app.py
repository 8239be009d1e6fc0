"""All emulators behind one port: each vendor's routes under its prefix, and their work in the background."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from emulators.assets import Assets
from emulators.faults import FaultMiddleware, Faults
from emulators.faults import routes as fault_routes
from emulators.google.app import routes as google_routes
from emulators.google.identity import Identities
from emulators.printify.app import Printify
from emulators.printify.app import routes as printify_routes
from emulators.printify.mockups import Mockups
from emulators.printify.orders import Orders
from emulators.printify.products import Products
from emulators.printify.uploads import Uploads
from emulators.printify.webhooks import Webhooks
from emulators.render_pool import RenderPool
from emulators.replicate.app import routes as replicate_routes
from emulators.replicate.files import Files
from emulators.replicate.predictions import Predictions
from emulators.settings import Settings
from emulators.store import Store
from emulators.stripe import webhook_endpoints
from emulators.stripe.account import Account
from emulators.stripe.app import routes as stripe_routes
from emulators.zippopotam.app import routes as zippopotam_routes
from emulators.zippopotam.places import Places

Work = Callable[[], Awaitable[None]]

# What the shop's webhooks are registered for, here and at the real vendors alike.
SHOP_EVENTS = {
    "stripe": (
        "payment_intent.succeeded", "payment_intent.payment_failed", "payment_intent.canceled",
        "charge.refunded", "refund.failed", "charge.dispute.created",
    ),
    "printify": (
        "order:created", "order:updated", "order:sent-to-production", "order:shipment:created",
        "order:shipment:delivered",
    ),
}  # fmt: skip


class Emulators:
    """The vendors that `settings` name, with the state they share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.data / "state.sqlite")
        if self.store.warning:
            sys.stdout.write(f"warning: {self.store.warning}\n")
            sys.stdout.flush()
        self.faults = Faults(self.store)
        self.render_pool = RenderPool()
        self.background: list[Work] = []
        makers = {
            "stripe": self._stripe,
            "printify": self._printify,
            "replicate": self._replicate,
            "google": self._google,
            "zippopotam": self._zippopotam,
        }
        self.mounts = [
            Mount(
                f"/{name}",
                routes=makers[name](f"{settings.base_url}/{name}"),
                middleware=[Middleware(FaultMiddleware, vendor=name, faults=self.faults)],
            )
            for name in settings.vendors
        ]

    def _stripe(self, base_url: str) -> list[BaseRoute]:
        account = Account(self.store, self.settings.stripe_webhook_secret, base_url, self.faults)
        if self.settings.functions_url:
            webhook_endpoints.subscribe(
                account, f"{self.settings.functions_url}/stripe-webhook", SHOP_EVENTS["stripe"]
            )
        self.background.append(account.webhooks.run)
        return stripe_routes(account)

    def _printify(self, base_url: str) -> list[BaseRoute]:
        folder = self.settings.data / "printify"
        webhooks = Webhooks(self.store, self.faults)
        if self.settings.functions_url:
            webhooks.subscribe(
                self.settings.printify_shop,
                SHOP_EVENTS["printify"],
                f"{self.settings.functions_url}/printify-webhook",
                self.settings.printify_webhook_secret,
            )
        uploads = Uploads(self.store, folder / "uploads", base_url)
        products = Products(self.store, uploads, webhooks, base_url)
        orders = Orders(self.store, products, webhooks, self.settings.speed)
        mockups = Mockups(products, uploads, self.render_pool, folder / "mockups")
        self.background += [webhooks.webhooks.run, orders.run]
        return printify_routes(
            Printify(
                products, orders, uploads, webhooks, mockups,
                self.settings.printify_token, self.settings.printify_shop, base_url,
            )
        )  # fmt: skip

    def _replicate(self, base_url: str) -> list[BaseRoute]:
        folder = self.settings.data / "replicate"
        files = Files(self.store, folder / "files", base_url)
        predictions = Predictions(
            self.store,
            folder / "outputs",
            files,
            self.render_pool,
            base_url,
            Assets(self.settings.modules, folder),
        )
        self.background.append(predictions.webhooks.run)
        return replicate_routes(predictions, files, self.settings.replicate_token)

    def _google(self, base_url: str) -> list[BaseRoute]:
        folder = self.settings.data / "google"
        settings = self.settings
        return google_routes(
            Identities(self.store, folder, base_url, settings.google_client_id, settings.google_client_secret)
        )

    def _zippopotam(self, _base_url: str) -> list[BaseRoute]:
        return zippopotam_routes(Places(self.settings.data / "zippopotam"))

    @contextlib.asynccontextmanager
    async def running(self, _app: Starlette) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_run(work)) for work in self.background]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                self.render_pool.close(wait=True)


async def _run(work: Work) -> None:
    await work()


def build_app(settings: Settings) -> Starlette:
    emulators = Emulators(settings)

    async def health(_request: Request) -> Response:
        return JSONResponse({"status": "ok", "emulated": list(settings.vendors)})

    routes = [Route("/health", health), *fault_routes(emulators.faults), *emulators.mounts]
    return Starlette(routes=routes, lifespan=emulators.running)
