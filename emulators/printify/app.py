"""Printify's routes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from emulators.core.inputs import read_json
from emulators.printify import catalog
from emulators.printify.errors import PrintifyError
from emulators.printify.mockups import Mockups, nearest_size
from emulators.printify.orders import Orders
from emulators.printify.paging import Page
from emulators.printify.products import Products
from emulators.printify.uploads import Uploads
from emulators.printify.webhooks import Webhooks
from emulators.shop_events import shop_events
from emulators.vendor_app import Host, VendorApp, credentials, read_nothing, vendor_route

# What is drawn for a product does not change until its picture or place does.
_IMAGE_HEADERS = {"Cache-Control": "public, max-age=86400", "Access-Control-Allow-Origin": "*"}
_CATALOG_LIMIT, _LIMIT = {"X-RateLimit-Limit": "100"}, {"X-RateLimit-Limit": "600"}


@dataclass(frozen=True)
class Call:
    """A request with a valid token and the body that it brought."""

    request: Request
    body: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.request.path_params["id"])

    def page(self, largest: int = 50) -> Page:
        return Page.of(self.request.query_params, str(self.request.url.path), largest)


AddRoute = Callable[[str, str, Callable[[Call], object]], Route]


def build(host: Host) -> VendorApp:
    settings = host.settings
    webhooks = Webhooks(host.store, host.faults)
    if settings.functions_url:
        webhooks.subscribe(
            settings.printify_shop,
            shop_events("printify"),
            f"{settings.functions_url}/printify-webhook",
            settings.printify_webhook_secret,
        )
    uploads = Uploads(host.store, host.folder / "uploads", host.base_url)
    products = Products(host.store, uploads, webhooks, host.base_url)
    orders = Orders(host.store, products, webhooks, settings.speed)
    mockups = Mockups(products, uploads, host.render_pool, host.folder / "mockups")
    shop = settings.printify_shop

    async def read(request: Request) -> Call:
        _admit(request, settings.printify_token, shop)
        return Call(request, await _body(request))

    def route(method: str, path: str, handler: Callable[[Call], object]) -> Route:
        headers = _CATALOG_LIMIT if "/catalog/" in path else _LIMIT
        return vendor_route(method, f"/v1{path}", read, handler, headers)

    def of_shop(method: str, path: str, handler: Callable[[Call], object]) -> Route:
        return route(method, f"/shops/{{shop}}{path}", handler)

    routes = [
        route(
            "GET",
            "/shops.json",
            lambda _: [{"id": shop, "title": "Teesmith", "sales_channel": "disconnected"}],
        ),
        *_catalog_routes(host.base_url, route),
        *_upload_routes(uploads, route),
        *_product_routes(products, shop, of_shop),
        *_order_routes(orders, shop, of_shop),
        *_webhook_routes(webhooks, shop, of_shop),
        *_picture_routes(mockups, uploads),
    ]
    return VendorApp(routes, (webhooks.webhooks.run, orders.run))


def _admit(request: Request, token: str, shop: int) -> None:
    if credentials(request) != ("bearer", token):
        raise PrintifyError(401, {"error": "Unauthenticated."})
    if not request.headers.get("user-agent"):
        raise PrintifyError(403, {"error": "The User-Agent header is required."})
    if request.path_params.get("shop", str(shop)) != str(shop):
        raise PrintifyError.missing()


async def _body(request: Request) -> dict[str, Any]:
    content = await request.body()
    if not content or request.method in ("GET", "DELETE"):
        return {}
    try:
        body = read_json(content)
    except ValueError as error:
        raise PrintifyError.invalid("body", "The request body is not valid JSON.") from error
    return body if isinstance(body, dict) else {}


def _catalog_routes(base_url: str, route: AddRoute) -> list[Route]:
    def if_served(handler: Callable[[], object]) -> Callable[[Call], object]:
        """The handler for the one blueprint and the one print provider that are served."""
        served = {"blueprint": str(catalog.BLUEPRINT), "provider": str(catalog.PROVIDER)}

        def checked(call: Call) -> object:
            for name, value in served.items():
                if call.request.path_params.get(name, value) != value:
                    raise PrintifyError.missing()
            return handler()

        return checked

    blueprint = "/catalog/blueprints/{blueprint}"
    provider = f"{blueprint}/print_providers/{{provider}}"
    providers = [{"id": catalog.PROVIDER, "title": "Monster Digital"}]
    return [
        route("GET", "/catalog/blueprints.json", lambda _: [catalog.blueprint(base_url)]),
        route("GET", f"{blueprint}.json", if_served(lambda: catalog.blueprint(base_url))),
        route("GET", f"{blueprint}/print_providers.json", if_served(lambda: providers)),
        route("GET", f"{provider}/variants.json", if_served(catalog.variants_body)),
        route("GET", f"{provider}/shipping.json", if_served(catalog.shipping_body)),
    ]


def _upload_routes(uploads: Uploads, route: AddRoute) -> list[Route]:
    def archive(call: Call) -> object:
        uploads.get(call.id)
        return {}

    return [
        route("POST", "/uploads/images.json", lambda call: uploads.create(call.body)),
        route("GET", "/uploads.json", lambda call: uploads.page(call.page())),
        route("GET", "/uploads/{id}.json", lambda call: uploads.get(call.id)),
        route("POST", "/uploads/{id}/archive.json", archive),
    ]


def _product_routes(products: Products, shop: int, route: AddRoute) -> list[Route]:
    def delete(call: Call) -> object:
        products.delete(call.id)
        return {}

    def publish(call: Call) -> object:
        products.publish(call.id)
        return {}

    return [
        route("POST", "/products.json", lambda call: products.create(shop, call.body)),
        route("GET", "/products.json", lambda call: products.page(call.page())),
        route("GET", "/products/{id}.json", lambda call: products.get(call.id)),
        route("PUT", "/products/{id}.json", lambda call: products.update(call.id, call.body)),
        route("DELETE", "/products/{id}.json", delete),
        route("POST", "/products/{id}/publish.json", publish),
    ]


def _order_routes(orders: Orders, shop: int, route: AddRoute) -> list[Route]:
    def listed(call: Call) -> object:
        return orders.page(call.page(10), call.request.query_params.get("status"))

    return [
        route("POST", "/orders.json", lambda call: {"id": orders.create(shop, call.body)["id"]}),
        route("GET", "/orders.json", listed),
        route("POST", "/orders/shipping.json", lambda call: orders.shipping(call.body)),
        route("GET", "/orders/{id}.json", lambda call: orders.get(call.id)),
        route(
            "POST", "/orders/{id}/send_to_production.json", lambda call: orders.send_to_production(call.id)
        ),
        route("POST", "/orders/{id}/cancel.json", lambda call: orders.cancel(call.id)),
    ]


def _webhook_routes(webhooks: Webhooks, shop: int, route: AddRoute) -> list[Route]:
    def delete(call: Call) -> object:
        return webhooks.delete(call.id, call.request.query_params.get("host"))

    def simulate(call: Call) -> object:
        webhooks.simulate(call.id)
        return {}

    return [
        route("POST", "/webhooks.json", lambda call: webhooks.create(shop, call.body)),
        route("GET", "/webhooks.json", lambda _: webhooks.list()),
        route("PUT", "/webhooks/{id}.json", lambda call: webhooks.update(call.id, call.body)),
        route("DELETE", "/webhooks/{id}.json", delete),
        route("POST", "/webhooks/{id}/simulate.json", simulate),
    ]


def _picture_routes(mockups: Mockups, uploads: Uploads) -> list[Route]:
    async def mockup(request: Request) -> Response:
        path = request.path_params
        size = nearest_size(request.query_params.get("s"))
        file = await mockups.picture(path["product"], path["variant"], path["view"], size)
        return _picture(request, file, "image/jpeg")

    async def blank(request: Request) -> Response:
        return _picture(request, await mockups.blank(request.path_params["view"]), "image/jpeg")

    def preview(request: Request) -> Response:
        upload = uploads.get(request.path_params["id"])
        return _picture(request, uploads.path(upload["id"]), upload["mime_type"])

    return [
        vendor_route("GET", "/mockup/{product}/{variant:int}/{view:int}/{name}", read_nothing, mockup),
        vendor_route("GET", "/blank/{view:int}.jpg", read_nothing, blank),
        vendor_route("GET", "/uploads/{id}", read_nothing, preview),
    ]


def _picture(request: Request, file: Path | None, media_type: str) -> Response:
    """The file, or 304 for a browser that has it. Raises `PrintifyError` where there is none."""
    if file is None:
        raise PrintifyError.missing()
    stat = file.stat()
    headers = {**_IMAGE_HEADERS, "etag": f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return FileResponse(file, media_type=media_type, headers=headers, stat_result=stat)
