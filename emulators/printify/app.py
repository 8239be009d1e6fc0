"""Printify's routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from emulators.inputs import read_json
from emulators.printify import catalog
from emulators.printify.errors import PrintifyError
from emulators.printify.mockups import Mockups, nearest_size
from emulators.printify.orders import Orders
from emulators.printify.paging import Page
from emulators.printify.products import Products
from emulators.printify.uploads import Uploads
from emulators.printify.webhooks import Webhooks

Endpoint = Callable[[Request], Awaitable[Response]]
Answer = Callable[["Ask"], Awaitable[object]]

# What is drawn for a product does not change until its picture or place does.
_IMAGE_HEADERS = {"Cache-Control": "public, max-age=86400", "Access-Control-Allow-Origin": "*"}
_LIMITS = {"catalog": "100", "publish": "200"}


@dataclass(frozen=True)
class Printify:
    """The vendor's parts, and the one shop that the token may use."""

    products: Products
    orders: Orders
    uploads: Uploads
    webhooks: Webhooks
    mockups: Mockups
    token: str
    shop: int
    base_url: str


@dataclass(frozen=True)
class Ask:
    request: Request
    body: dict[str, Any]

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def page(self, largest: int = 50) -> Page:
        return Page.of(self.request.query_params, str(self.request.url.path), largest)


def routes(printify: Printify) -> list[BaseRoute]:
    def route(method: str, path: str, answer: Answer, *, of_shop: bool = False) -> Route:
        where = f"/v1/shops/{{shop}}{path}" if of_shop else f"/v1{path}"
        return Route(where, _guarded(printify, answer), methods=[method])

    def of_shop(method: str, path: str, answer: Answer) -> Route:
        return route(method, path, answer, of_shop=True)

    return [
        *_catalog_routes(printify, route),
        *_upload_routes(printify, route),
        *_product_routes(printify, of_shop),
        *_order_routes(printify, of_shop),
        *_webhook_routes(printify, of_shop),
        *_picture_routes(printify),
    ]


def _guarded(printify: Printify, answer: Answer) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        headers = {"X-RateLimit-Limit": _LIMITS["catalog"] if "/catalog/" in request.url.path else "600"}
        try:
            _admit(printify, request)
            return JSONResponse(await answer(Ask(request, await _body(request))), 200, headers)
        except PrintifyError as error:
            return JSONResponse(error.body, error.status, headers)

    return endpoint


def _admit(printify: Printify, request: Request) -> None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or token.strip() != printify.token:
        raise PrintifyError(401, {"error": "Unauthenticated."})
    if not request.headers.get("user-agent"):
        raise PrintifyError(403, {"error": "The User-Agent header is required."})
    shop = request.path_params.get("shop")
    if shop is not None and shop != str(printify.shop):
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


def _catalog_routes(printify: Printify, route: Callable[[str, str, Answer], Route]) -> list[Route]:
    def known(ask: Ask) -> None:
        wanted = {"blueprint": str(catalog.BLUEPRINT), "provider": str(catalog.PROVIDER)}
        for name, value in wanted.items():
            if ask.request.path_params.get(name, value) != value:
                raise PrintifyError.missing()

    async def shops(_ask: Ask) -> object:
        return [{"id": printify.shop, "title": "Teesmith", "sales_channel": "disconnected"}]

    async def blueprints(_ask: Ask) -> object:
        return [catalog.blueprint(printify.base_url)]

    async def blueprint(ask: Ask) -> object:
        known(ask)
        return catalog.blueprint(printify.base_url)

    async def providers(ask: Ask) -> object:
        known(ask)
        return [{"id": catalog.PROVIDER, "title": "Monster Digital"}]

    async def variants(ask: Ask) -> object:
        known(ask)
        return catalog.variants_answer()

    async def shipping(ask: Ask) -> object:
        known(ask)
        return catalog.shipping_answer()

    of_provider = "/catalog/blueprints/{blueprint}/print_providers/{provider}"
    return [
        route("GET", "/shops.json", shops),
        route("GET", "/catalog/blueprints.json", blueprints),
        route("GET", "/catalog/blueprints/{blueprint}.json", blueprint),
        route("GET", "/catalog/blueprints/{blueprint}/print_providers.json", providers),
        route("GET", f"{of_provider}/variants.json", variants),
        route("GET", f"{of_provider}/shipping.json", shipping),
    ]


def _upload_routes(printify: Printify, route: Callable[[str, str, Answer], Route]) -> list[Route]:
    async def create(ask: Ask) -> object:
        return await printify.uploads.create(ask.body)

    async def listed(ask: Ask) -> object:
        return printify.uploads.page(ask.page())

    async def get(ask: Ask) -> object:
        return printify.uploads.get(ask.path("id"))

    async def archive(ask: Ask) -> object:
        printify.uploads.get(ask.path("id"))
        return {}

    return [
        route("POST", "/uploads/images.json", create),
        route("GET", "/uploads.json", listed),
        route("GET", "/uploads/{id}.json", get),
        route("POST", "/uploads/{id}/archive.json", archive),
    ]


def _product_routes(printify: Printify, route: Callable[[str, str, Answer], Route]) -> list[Route]:
    products = printify.products

    async def create(ask: Ask) -> object:
        return products.create(printify.shop, ask.body)

    async def listed(ask: Ask) -> object:
        return products.page(ask.page())

    async def get(ask: Ask) -> object:
        return products.get(ask.path("id"))

    async def update(ask: Ask) -> object:
        return products.update(ask.path("id"), ask.body)

    async def delete(ask: Ask) -> object:
        products.delete(ask.path("id"))
        return {}

    async def publish(ask: Ask) -> object:
        products.publish(ask.path("id"))
        return {}

    return [
        route("POST", "/products.json", create),
        route("GET", "/products.json", listed),
        route("GET", "/products/{id}.json", get),
        route("PUT", "/products/{id}.json", update),
        route("DELETE", "/products/{id}.json", delete),
        route("POST", "/products/{id}/publish.json", publish),
    ]


def _order_routes(printify: Printify, route: Callable[[str, str, Answer], Route]) -> list[Route]:
    orders = printify.orders

    async def create(ask: Ask) -> object:
        return {"id": orders.create(printify.shop, ask.body)["id"]}

    async def listed(ask: Ask) -> object:
        return orders.page(ask.page(10), ask.request.query_params.get("status"))

    async def get(ask: Ask) -> object:
        return orders.get(ask.path("id"))

    async def send(ask: Ask) -> object:
        return orders.send_to_production(ask.path("id"))

    async def cancel(ask: Ask) -> object:
        return orders.cancel(ask.path("id"))

    async def shipping(ask: Ask) -> object:
        return orders.shipping(ask.body)

    return [
        route("POST", "/orders.json", create),
        route("GET", "/orders.json", listed),
        route("POST", "/orders/shipping.json", shipping),
        route("GET", "/orders/{id}.json", get),
        route("POST", "/orders/{id}/send_to_production.json", send),
        route("POST", "/orders/{id}/cancel.json", cancel),
    ]


def _webhook_routes(printify: Printify, route: Callable[[str, str, Answer], Route]) -> list[Route]:
    webhooks = printify.webhooks

    async def create(ask: Ask) -> object:
        return webhooks.create(printify.shop, ask.body)

    async def listed(_ask: Ask) -> object:
        return webhooks.list()

    async def update(ask: Ask) -> object:
        return webhooks.update(ask.path("id"), ask.body)

    async def delete(ask: Ask) -> object:
        return webhooks.delete(ask.path("id"), ask.request.query_params.get("host"))

    async def simulate(ask: Ask) -> object:
        webhooks.simulate(ask.path("id"))
        return {}

    return [
        route("POST", "/webhooks.json", create),
        route("GET", "/webhooks.json", listed),
        route("PUT", "/webhooks/{id}.json", update),
        route("DELETE", "/webhooks/{id}.json", delete),
        route("POST", "/webhooks/{id}/simulate.json", simulate),
    ]


def _picture(request: Request, file: Path, media_type: str) -> Response:
    """The file, or 304 for a browser that has it."""
    found = file.stat()
    headers = {**_IMAGE_HEADERS, "etag": f'"{found.st_mtime_ns:x}-{found.st_size:x}"'}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return FileResponse(file, media_type=media_type, headers=headers, stat_result=found)


def _picture_routes(printify: Printify) -> list[Route]:
    async def mockup(request: Request) -> Response:
        path = request.path_params
        size = nearest_size(request.query_params.get("s"))
        try:
            file = await printify.mockups.picture(path["product"], path["variant"], path["view"], size)
        except PrintifyError as error:
            return JSONResponse(error.body, error.status)
        if file is None:
            return JSONResponse(PrintifyError.missing().body, 404)
        return _picture(request, file, "image/jpeg")

    async def blank(request: Request) -> Response:
        file = await printify.mockups.blank(request.path_params["view"])
        if file is None:
            return JSONResponse(PrintifyError.missing().body, 404)
        return _picture(request, file, "image/jpeg")

    async def preview(request: Request) -> Response:
        try:
            upload = printify.uploads.get(request.path_params["id"])
        except PrintifyError as error:
            return JSONResponse(error.body, error.status)
        return _picture(request, printify.uploads.path(upload["id"]), upload["mime_type"])

    return [
        Route("/mockup/{product}/{variant:int}/{view:int}/{name}", mockup, methods=["GET"]),
        Route("/blank/{view:int}.jpg", blank, methods=["GET"]),
        Route("/uploads/{id}", preview, methods=["GET"]),
    ]
