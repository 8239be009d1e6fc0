"""The route that all vendors share: what is read, what is answered, and errors in the vendor's own format."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from emulators.vendor_app import VendorError, basic_credentials, credentials, read_nothing, vendor_route

LIMIT = {"X-RateLimit-Limit": "600"}


class TeapotError(VendorError):
    media_type = "application/problem+json"

    def __init__(self) -> None:
        super().__init__(418, {"title": "Teapot"})


async def reject(_request: Request) -> Request:
    raise TeapotError


def fail(_request: Request) -> object:
    raise TeapotError


async def respond_later(_request: Request) -> object:
    return {"made": "later"}


def respond_with_text(_request: Request) -> Response:
    return PlainTextResponse("text", 201)


def get(route: Route, **headers: str) -> httpx.Response:
    async def call() -> httpx.Response:
        transport = httpx.ASGITransport(Starlette(routes=[route]))
        async with httpx.AsyncClient(transport=transport, base_url="http://vendor") as client:
            return await client.get("/thing", headers=headers)

    return asyncio.run(call())


@pytest.mark.parametrize(
    ("handler", "body"),
    [(lambda _: {"made": "at once"}, {"made": "at once"}), (respond_later, {"made": "later"})],
)
def test_value_is_sent_as_json_with_the_routes_headers(handler: Any, body: dict[str, str]) -> None:
    response = get(vendor_route("GET", "/thing", read_nothing, handler, LIMIT))
    assert (response.status_code, response.json()) == (200, body)
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-ratelimit-limit"] == "600"


def test_response_is_sent_as_it_is() -> None:
    response = get(vendor_route("GET", "/thing", read_nothing, respond_with_text, LIMIT))
    assert (response.status_code, response.text) == (201, "text")
    assert "x-ratelimit-limit" not in response.headers


@pytest.mark.parametrize(("read", "handler"), [(reject, respond_with_text), (read_nothing, fail)])
def test_error_is_sent_in_the_vendors_format(read: Any, handler: Any) -> None:
    response = get(vendor_route("GET", "/thing", read, handler, LIMIT))
    assert (response.status_code, response.json()) == (418, {"title": "Teapot"})
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-ratelimit-limit"] == "600"


@pytest.mark.parametrize(
    ("header", "pair"),
    [
        ("", ["", ""]),
        ("Bearer  key ", ["bearer", "key"]),
        ("Token", ["token", ""]),
        ("BASIC a b", ["basic", "a b"]),
    ],
)
def test_credentials_are_scheme_and_value(header: str, pair: list[str]) -> None:
    response = get(vendor_route("GET", "/thing", read_nothing, credentials), authorization=header)
    assert (response.status_code, response.json()) == (200, pair)


@pytest.mark.parametrize(
    ("value", "pair"),
    [
        ("bmFtZTpwOnc=", ("name", "p:w")),
        ("bmFtZQ==", ("name", "")),
        ("é", ("", "")),
        ("//8=", ("", "")),
        ("", ("", "")),
    ],
)
def test_basic_credentials_are_name_and_password(value: str, pair: tuple[str, str]) -> None:
    assert basic_credentials(value) == pair
