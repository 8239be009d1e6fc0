"""The server of the built shop: settings, fallback, assets, caching and security headers."""

from __future__ import annotations

import asyncio
import gzip
import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import httpx
import pytest
from starlette.applications import Starlette

from tests.support.stacks import ROOT

ENV = {
    "SUPABASE_URL": "http://127.0.0.1:54321",
    "SUPABASE_PUBLISHABLE_KEY": "sb_publishable_x",
    "STRIPE_PUBLISHABLE_KEY": "pk_test_</script>",
    "STRIPE_JS_URL": "http://127.0.0.1:54330/stripe/js/v3",
    "MOCKUP_BASE_URL": "http://127.0.0.1:54330/printify",
    "SITE_URL": "http://127.0.0.1:3000",
}
HTML = '<script type="application/json" id="teesmith-env">{}</script><script>theme()</script><h1>%s</h1>'


def load_serve() -> ModuleType:
    # web/ is no Python package: the server is a script beside the client that it serves
    spec = importlib.util.spec_from_file_location("teesmith_web_serve", ROOT / "web" / "serve.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


serve = load_serve()


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("outside")
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text(HTML % "landing")
    (dist / "app.html").write_text(HTML % "bare")
    (dist / "404.html").write_text(HTML % "none of ours")
    (dist / "paths.json").write_text(
        '["/", "/faq", "/design", "/design/ai-generator", "/design/:designId", "/dashboard", "/mockup", '
        '"/order-details/:orderId", "/creator/:creatorId", "/discover"]'
    )
    (dist / "robots.txt").write_text("Sitemap: SITE_URL/sitemap.xml")
    (dist / "assets" / "app-1.js").write_text("plain")
    (dist / "assets" / "app-1.js.br").write_bytes(b"brotli")
    (dist / "assets" / "app-1.js.gz").write_bytes(b"gzip")
    return dist


class Shop:
    """Requests to the app in this process; bodies are returned as sent, not decompressed."""

    def __init__(self, app: Starlette) -> None:
        self._app = app

    def get(self, path: str, accepted: str = "identity") -> tuple[httpx.Response, bytes]:
        async def send_request() -> tuple[httpx.Response, bytes]:
            transport = httpx.ASGITransport(app=self._app)
            async with (
                httpx.AsyncClient(transport=transport, base_url="http://shop.test") as client,
                client.stream("GET", path, headers={"accept-encoding": accepted}) as response,
            ):
                return response, b"".join([part async for part in response.aiter_raw()])

        return asyncio.run(send_request())

    def text(self, path: str) -> str:
        return self.get(path)[1].decode()


@pytest.fixture
def shop(dist: Path) -> Shop:
    return Shop(serve.make_app(serve.Settings.from_env(ENV), dist))


def test_every_screen_answers_with_the_page_and_its_settings(shop: Shop) -> None:
    response, body = shop.get("/order-details/123?x=1")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    block = re.search(r'id="teesmith-env">(.*?)</script>', body.decode())
    assert block
    # a value cannot close its script block
    assert json.loads(block[1]) == {
        "SUPABASE_URL": ENV["SUPABASE_URL"],
        "SUPABASE_KEY": ENV["SUPABASE_PUBLISHABLE_KEY"],
        "FUNCTIONS_URL": "http://127.0.0.1:54321/functions/v1",
        "STRIPE_PUBLISHABLE_KEY": ENV["STRIPE_PUBLISHABLE_KEY"],
        "STRIPE_JS_URL": ENV["STRIPE_JS_URL"],
        "MOCKUP_BASE_URL": ENV["MOCKUP_BASE_URL"],
        "SITE_URL": ENV["SITE_URL"],
        "PROMO_ENDS_AT": "2025-08-01T00:00:00",
    }


@pytest.mark.parametrize(("accepted", "body"), [("br, gzip", b"brotli"), ("identity", b"plain")])
def test_assets_come_in_the_best_encoding_and_never_change(shop: Shop, accepted: str, body: bytes) -> None:
    response, sent = shop.get("/assets/app-1.js", accepted)
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["content-type"].startswith("text/javascript")
    assert response.headers["vary"] == "accept-encoding"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert sent == body


@pytest.mark.parametrize(
    "path",
    [
        *("/assets/gone.js", "/assets/app-1.js.br", "/index.html", "/..%2fsecret.txt", "/%2e%2e/secret.txt"),
        *("/assets/%00.js", f"/assets/{'a' * 300}.js", f"/{'a/' * 3000}x.js"),
    ],
    ids=["missing", "packed", "page", "encoded slash", "encoded dots", "NUL", "long name", "long path"],
)
def test_missing_file_is_404_and_files_outside_are_not_served(shop: Shop, path: str) -> None:
    response, body = shop.get(path)
    assert response.status_code == 404
    assert b"none of ours" in body
    assert response.headers["x-content-type-options"] == "nosniff"
    assert b"outside" not in body


@pytest.mark.parametrize(
    "path", ["/nowhere", "/order-details", "/order-details/7/8", "/FAQ/more", "/paths.json", "/404"]
)
def test_address_without_a_page_is_404_with_the_shops_page(shop: Shop, path: str) -> None:
    response, body = shop.get(path)
    assert (response.status_code, response.headers["cache-control"]) == (404, "no-cache")
    assert b"none of ours" in body
    assert shop.get("/Order-Details/7/")[0].status_code == 200


def test_content_security_policy_names_exactly_the_configured_origins(shop: Shop) -> None:
    rules = dict(
        rule.split(" ", 1) for rule in shop.get("/")[0].headers["content-security-policy"].split("; ")
    )
    assert rules["connect-src"].split() == [
        "'self'",
        "http://127.0.0.1:54321",
        "ws://127.0.0.1:54321",
        "http://127.0.0.1:54330",
    ]
    assert rules["frame-src"] == "http://127.0.0.1:54330"
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'sha256-" in rules["script-src"]
    # The maker's lettering is shaped by a program in WebAssembly. A script made of text stays forbidden.
    assert "'wasm-unsafe-eval'" in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"].split()
    assert rules["frame-ancestors"] == "'none'"


def test_functions_of_another_origin_may_be_called(dist: Path) -> None:
    settings = serve.Settings.from_env({**ENV, "FUNCTIONS_URL": "https://functions.example/shop"})
    response, body = Shop(serve.make_app(settings, dist)).get("/")
    rules = dict(rule.split(" ", 1) for rule in response.headers["content-security-policy"].split("; "))
    assert rules["connect-src"].split() == [
        *("'self'", "http://127.0.0.1:54321", "ws://127.0.0.1:54321"),
        *("https://functions.example", "http://127.0.0.1:54330"),
    ]
    assert b'"FUNCTIONS_URL": "https://functions.example/shop"' in body


def test_pages_may_ask_the_replica_that_their_settings_name(dist: Path) -> None:
    hosted = {**ENV, "SUPABASE_URL": "https://p.example", "VITE_SUPABASE_READ_URL": "https://replica.example"}
    response, body = Shop(serve.make_app(serve.Settings.from_env(hosted), dist)).get("/")
    rules = dict(rule.split(" ", 1) for rule in response.headers["content-security-policy"].split("; "))
    assert rules["connect-src"].split() == [
        *("'self'", "https://p.example", "wss://p.example"),
        *("https://replica.example", "http://127.0.0.1:54330"),
    ]
    assert b'"SUPABASE_READ_URL": "https://replica.example"' in body


def test_local_stack_never_asks_the_replica_of_production(dist: Path) -> None:
    settings = serve.Settings.from_env({**ENV, "VITE_SUPABASE_READ_URL": "https://replica.example"})
    response, body = Shop(serve.make_app(settings, dist)).get("/")
    assert b"SUPABASE_READ_URL" not in body
    assert "replica.example" not in response.headers["content-security-policy"]


def test_policy_is_one_for_all_pages(dist: Path) -> None:
    (dist / "app.html").write_text(HTML.replace("theme()", "another()") % "bare")
    shop = Shop(serve.make_app(serve.Settings.from_env(ENV), dist))
    landing, bare = shop.get("/")[0], shop.get("/dashboard")[0]
    policy = landing.headers["content-security-policy"]
    assert bare.headers["content-security-policy"] == policy
    assert policy.count("'sha256-") == 2


def test_production_trusts_stripe_and_printify_by_name() -> None:
    real = serve.Settings.from_env({name: ENV[name] for name in list(ENV)[:3]})
    policy = serve.content_security_policy(real, [])
    assert "script-src 'self' https://js.stripe.com" in policy
    assert "https://api.stripe.com" in policy
    assert "https://images.printify.com" in policy


def test_new_build_is_served_without_a_restart(shop: Shop, dist: Path) -> None:
    assert "landing" in shop.text("/")
    index = dist / "index.html"
    index.write_text(HTML % "rebuilt")
    os.utime(index, (1, 1))
    assert "rebuilt" in shop.text("/")


def test_prerendered_screens_have_a_bare_page_for_other_routes(shop: Shop, dist: Path) -> None:
    (dist / "faq").mkdir()
    (dist / "faq" / "index.html").write_text(HTML % "help")
    assert "landing" in shop.text("/")
    assert "help" in shop.text("/faq")
    assert "bare" in shop.text("/dashboard")


DESIGN = "/design/22222222-2222-4222-8222-22222222222f"


def shop_with_function(dist: Path, answer: Callable[[httpx.Request], httpx.Response]) -> Shop:
    (dist / "shared-design").mkdir()
    (dist / "shared-design" / "index.html").write_text(HTML % "shared")
    transport = httpx.MockTransport(answer)
    return Shop(serve.make_app(serve.Settings.from_env(ENV), dist, transport))


def test_designs_and_sitemaps_are_answered_by_the_function(dist: Path) -> None:
    asked: list[str] = []
    passed = {"etag": 'W/"1"', "cache-control": "s-maxage=60", "x-robots-tag": "noindex"}

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(410, headers={**passed, "set-cookie": "a=b"}, text="gone")

    shop = shop_with_function(dist, answer)
    response, body = shop.get(f"{DESIGN}?key=a%26b&utm=1", "gzip")
    assert (response.status_code, gzip.decompress(body)) == (410, b"gone")
    expected = {**passed, "vary": "accept-encoding", **serve.SECURITY_HEADERS}
    assert {name: response.headers.get(name) for name in expected} == expected
    assert "set-cookie" not in response.headers
    creator = DESIGN.replace("design", "creator")
    for path in (f"{DESIGN.upper()}/", f"{DESIGN}/share.jpg", "/sitemap.xml", "/discover", creator):
        assert shop.text(path) == "gone"
    address = "http://127.0.0.1:54321/functions/v1/design-page"
    assert asked[0] == f"{address}?path={quote(DESIGN, safe='')}&key=a%26b"
    assert len(asked) == 6
    assert shop.text("/robots.txt") == "Sitemap: http://127.0.0.1:3000/sitemap.xml"
    for path in ("/design", "/design/ai-generator", "/mockup"):
        assert "bare" in shop.text(path), path
    nobodys = ("/design/latest", f"{DESIGN[:-8]}", "/creator/nobody", "/discover/x", "/sitemap/a.xml")
    for path in (*nobodys, "/shared-design.html"):
        assert shop.get(path)[0].status_code == 404, path
    assert len(asked) == 6


def refuse(_request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("no way there")


@pytest.mark.parametrize("answer", [refuse, lambda _request: httpx.Response(502, text="a vendor's page")])
def test_pages_without_data_stand_in_while_the_function_is_away(
    dist: Path, answer: Callable[[httpx.Request], httpx.Response]
) -> None:
    shop = shop_with_function(dist, answer)
    (dist / "gallery").mkdir()
    (dist / "gallery" / "index.html").write_text(HTML % "gallery")
    pages = {DESIGN: "shared", "/discover": "gallery", DESIGN.replace("design", "creator"): "bare"}
    for path, page in pages.items():
        assert page in shop.text(path)
    assert shop.get("/sitemap.xml")[0].status_code == 503


def test_end_of_the_offer_is_a_setting(dist: Path) -> None:
    shop = Shop(
        serve.make_app(serve.Settings.from_env({**ENV, "PROMO_ENDS_AT": "2031-01-01T00:00:00"}), dist)
    )
    block = re.search(r'id="teesmith-env">(.*?)</script>', shop.text("/"))
    assert block
    assert json.loads(block[1])["PROMO_ENDS_AT"] == "2031-01-01T00:00:00"


def test_pages_do_not_reveal_the_admins(dist: Path) -> None:
    (dist / "faq").mkdir()
    (dist / "faq" / "index.html").write_text(HTML % "help")
    env = {**ENV, "ADMIN_EMAILS": "ada@teesmith.example", "NOTICE_EMAIL": "ada@teesmith.example"}
    shop = Shop(serve.make_app(serve.Settings.from_env(env), dist))
    for route in ("/", "/faq", "/auth", "/dashboard", "/admin", "/healthz", "/no/such/page"):
        response, body = shop.get(route)
        assert b"ada@teesmith.example" not in body, route
        assert not any("ada@teesmith" in value for value in response.headers.values()), route


def test_missing_settings_are_named_together() -> None:
    with pytest.raises(serve.SettingsError, match=r"SUPABASE_PUBLISHABLE_KEY, STRIPE_PUBLISHABLE_KEY"):
        serve.Settings.from_env({"SUPABASE_URL": "http://127.0.0.1:54321"})


def test_unbuilt_shop_shows_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(serve.SettingsError, match="npm run build"):
        serve.make_app(serve.Settings.from_env(ENV), tmp_path)


def test_health_responds_without_a_page(shop: Shop) -> None:
    assert json.loads(shop.text("/healthz")) == {"status": "ok"}


def test_link_previews_have_absolute_addresses(dist: Path) -> None:
    (dist / "index.html").write_text(
        HTML % "landing" + '<meta property="og:image" content="SITE_URL/share.jpg" />'
    )
    page = Shop(serve.make_app(serve.Settings.from_env(ENV), dist)).text("/")
    assert 'content="http://127.0.0.1:3000/share.jpg"' in page
