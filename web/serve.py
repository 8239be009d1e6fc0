"""Serves the built shop (web/dist) on SITE_URL's port: `python web/serve.py`.

Owns what a static host would otherwise do: the page of every address and 404 for all others, what the function
design-page answers in the site's name, precompressed assets, caching, security headers, and the page's settings
(`<script id="teesmith-env">`), which are filled in from the environment so that one build serves any ports. The
settings' names are those of web/src/lib/env.ts.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import gzip
import hashlib
import json
import mimetypes
import os
import re
import socket
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    import httpx

DIST = Path(__file__).resolve().parent / "dist"
STRIPE_JS = "https://js.stripe.com/"
PRINTIFY_IMAGES = "https://images.printify.com"
SHOP_SETTINGS = Path(__file__).resolve().parent.parent / "shop.toml"
ENV_BLOCK = re.compile(r'(<script[^>]*id="teesmith-env"[^>]*>)[^<]*(</script>)')
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
# what a prerendered screen may be called: a single plain name, so that no address leaves the folder
SCREEN = re.compile(r"[a-z-]*")
# the patterns of all addresses that have a page
PATHS = "paths.json"
ROBOTS = "robots.txt"
# What the function answers: the gallery, creators, designs, the pictures of their links, the lists of all addresses.
FUNCTION, FUNCTION_PATTERNS = "design-page", ("/discover", "/creator/:creatorId", "/design/:designId")
_ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
FUNCTION_PAGE = re.compile(rf"(?i)(discover|creator/{_ID}|design/{_ID}(/share\.jpg)?)/?|sitemap(/\d+)?\.xml")
# Where it cannot be reached, by how an address begins: pages without data, which the program asks for.
STAND_INS = {"design": "shared-design/index.html", "discover": "gallery/index.html", "creator": "app.html"}
FUNCTION_SECONDS, YEAR = 10.0, 31_536_000
# of a function's answer; what it says to browsers of other sites is not this site's
PASSED_HEADERS = (
    *("content-type", "content-security-policy", "cache-control"),
    *("etag", "x-robots-tag", "location"),
)
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
# the types that mimetypes takes from the machine's registry differ from machine to machine
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


class SettingsError(Exception):
    """The environment lacks what the page needs."""


@dataclass(frozen=True)
class Settings:
    """The page's settings, and the server's address."""

    supabase_url: str
    supabase_read_url: str
    supabase_key: str
    functions_url: str
    stripe_publishable_key: str
    stripe_js_url: str
    mockup_base_url: str
    site_url: str
    promo_ends_at: str

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Settings:
        supabase_url = env.get("SUPABASE_PUBLIC_URL") or env.get("SUPABASE_URL")
        key = env.get("SUPABASE_KEY") or env.get("SUPABASE_PUBLISHABLE_KEY") or env.get("SUPABASE_ANON_KEY")
        stripe_key = env.get("STRIPE_PUBLISHABLE_KEY")
        needed = ("SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY", "STRIPE_PUBLISHABLE_KEY")
        values = (supabase_url, key, stripe_key)
        missing = [name for name, value in zip(needed, values, strict=True) if not value]
        if not supabase_url or not key or not stripe_key:
            raise SettingsError(f"The shop's page needs {', '.join(missing)}; `supabase start` sets them.")
        return cls(
            supabase_url=supabase_url,
            supabase_read_url=read_address(supabase_url, env.get("VITE_SUPABASE_READ_URL", "")),
            supabase_key=key,
            functions_url=env.get("FUNCTIONS_URL") or f"{supabase_url.rstrip('/')}/functions/v1",
            stripe_publishable_key=stripe_key,
            stripe_js_url=env.get("STRIPE_JS_URL") or STRIPE_JS,
            mockup_base_url=env.get("MOCKUP_BASE_URL") or PRINTIFY_IMAGES,
            site_url=env.get("SITE_URL") or "http://127.0.0.1:3000",
            promo_ends_at=env.get("PROMO_ENDS_AT") or default_promo_end(),
        )

    def page_env(self) -> dict[str, str]:
        values = {field.name.upper(): getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value or name != "SUPABASE_READ_URL"}


def read_address(supabase_url: str, replica: str) -> str:
    """Nothing beside a local stack, which has no replica: the one in `.env` is production's."""
    local = [urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1") for url in (supabase_url, replica)]
    return "" if local == [True, False] else replica


def default_promo_end() -> str:
    """As the owner's settings have it."""
    return str(tomllib.loads(SHOP_SETTINGS.read_text(encoding="utf-8"))["promo"]["ends_at"])


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


# with every response
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
}
PAGE_CACHE = "no-cache"
FILE_CACHE = "public, max-age=3600"
ASSET_CACHE = f"public, max-age={YEAR}, immutable"


def content_security_policy(settings: Settings, inline_scripts: Iterable[str]) -> str:
    """Only this origin, the Supabase gateway, its replica, the functions, the mockup pictures and Stripe."""
    supabase = origin(settings.supabase_url)
    stripe = origin(settings.stripe_js_url)
    hashes = [
        "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
        for text in sorted(set(inline_scripts))
    ]
    own = [url for url in (settings.supabase_read_url, settings.functions_url) if url]
    own_origins = [url for url in dict.fromkeys(map(origin, own)) if url != supabase]
    pictures = [origin(settings.mockup_base_url)]
    if pictures[0] == PRINTIFY_IMAGES:
        pictures.append("https://images-api.printify.com")
    payment_hosts = (
        ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"]
        if stripe == origin(STRIPE_JS)
        else [stripe]
    )
    payment_calls = ["https://api.stripe.com"] if stripe == origin(STRIPE_JS) else [stripe]
    rules = {
        "default-src": ["'self'"],
        "script-src": ["'self'", *hashes, *payment_hosts, "'wasm-unsafe-eval'"],
        # toasts and dialogs set their own styles
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:", supabase, *pictures],
        "media-src": ["'self'", supabase],
        "font-src": ["'self'"],
        "connect-src": [
            *("'self'", supabase, supabase.replace("http", "ws", 1)),
            *(*own_origins, *payment_calls),
        ],
        "frame-src": payment_hosts,
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
    return "; ".join(f"{name} {' '.join(values)}" for name, values in rules.items())


def fill(html: str, settings: Settings) -> str:
    """A built page with the settings in it."""
    env = json.dumps(settings.page_env()).replace("<", "\\u003c")
    filled = ENV_BLOCK.sub(lambda match: match[1] + env + match[2], html)
    # link previews and search engines take whole addresses only
    return filled.replace('"SITE_URL/', f'"{escape(settings.site_url.rstrip("/"))}/')


def policy_of(pages: Iterable[str], settings: Settings) -> str:
    """One policy for all pages: a static host has one rule for every path."""
    return content_security_policy(
        settings, [script for html in pages for script in INLINE_SCRIPT.findall(html)]
    )


def fill_robots(text: str, settings: Settings) -> str:
    """robots.txt with whole addresses, which it must have."""
    return text.replace("SITE_URL/", f"{settings.site_url.rstrip('/')}/")


class Page:
    """An HTML file with the settings filled in, ready in both encodings."""

    def __init__(self, html: str, settings: Settings, policy: str) -> None:
        self.body = fill(html, settings).encode()
        self.packed = gzip.compress(self.body, 9, mtime=0)
        self.headers = {"cache-control": PAGE_CACHE, "vary": "accept-encoding"} | {
            "content-security-policy": policy
        }

    def response(self, request: Request, status: int = 200) -> Response:
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers = {**self.headers, "content-encoding": "gzip"}
            return Response(self.packed, status, headers, media_type="text/html")
        return Response(self.body, status, self.headers, media_type="text/html")


def asset_response(root: Path, path: str, accepted: str) -> Response | None:
    """The file at `path`, in the best encoding that was built for it; None where there is none."""
    try:
        file = (root / path).resolve()
        is_file = file.is_file()
    except (OSError, ValueError):
        # a name that no file system takes: with NUL, or too long
        return None
    is_hidden = path == PATHS or file.suffix in (".html", ".br", ".gz", ".stamp")
    if not is_file or is_hidden or not file.is_relative_to(root):
        return None
    cache = ASSET_CACHE if path.startswith("assets/") else FILE_CACHE
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    for encoding, suffix in ENCODINGS:
        packed = file.with_name(file.name + suffix)
        if encoding in accepted and packed.is_file():
            return FileResponse(packed, headers={**headers, "content-encoding": encoding}, media_type=kind)
    return FileResponse(file, headers=headers, media_type=kind)


def security_headers(site_url: str) -> dict[str, str]:
    """Those of every answer of the site. RFC 6797, 7.2: transport security is promised over https alone."""
    promise = {"strict-transport-security": f"max-age={YEAR}"} if site_url.startswith("https://") else {}
    return {**SECURITY_HEADERS, **promise}


def expression(patterns: Iterable[str]) -> str:
    """What patterns like `/order-details/:orderId` stand for, as the client's router reads them."""
    names = "|".join(re.sub(r":\w+", "[^/]+", pattern.rstrip("/")) for pattern in patterns)
    return f"({names})/?"


@functools.lru_cache(maxsize=1)
def addresses(patterns: str) -> re.Pattern[str]:
    """All that the text of `paths.json` stands for, but what the function answers."""
    own = (each for each in json.loads(patterns) if each not in FUNCTION_PATTERNS)
    return re.compile(expression(own), re.IGNORECASE)


class Pages:
    """The HTML files, read again when a build has replaced them: old pages would name assets that are gone."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._root = root
        self._settings = settings
        self._texts: dict[str, tuple[int, str]] = {}
        self._pages: dict[str, tuple[int, Page]] = {}

    def _text(self, name: str) -> tuple[int, str] | None:
        """A file's time and text."""
        file = self._root / name
        read = self._texts.get(name)
        try:
            changed = file.stat().st_mtime_ns
        except FileNotFoundError:
            # in the middle of a build the last one is still the best one
            return read
        if read is None or read[0] != changed:
            read = self._texts[name] = (changed, file.read_text("utf-8"))
        return read

    def page(self, name: str) -> Page | None:
        read = self._text(name)
        if read is None:
            return None
        made = self._pages.get(name)
        if made is None or made[0] != read[0]:
            policy = policy_of(
                (each.read_text("utf-8") for each in self._root.rglob("*.html")), self._settings
            )
            made = self._pages[name] = (read[0], Page(read[1], self._settings, policy))
        return made[1]

    def for_path(self, path: str) -> Page | None:
        """The page that was prerendered for `path`, or the bare one in which the client draws every other screen.

        None for an address that the shop does not have.
        """
        prerendered = None
        if SCREEN.fullmatch(path):
            prerendered = self.page(f"{path}/index.html".lstrip("/"))
        patterns = self._text(PATHS)
        if prerendered or (patterns and addresses(patterns[1]).fullmatch(f"/{path}")):
            return prerendered or self.page("app.html")
        return None


class Functions:
    """The function design-page, which answers for the site. Nothing is kept here, so that a change is seen at once."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url, self._transport = settings.functions_url, transport
        self._http: httpx.AsyncClient | None = None

    async def page(self, request: Request) -> Response | None:
        """Its answer to this request; None where it has none."""
        import httpx  # a third of this process's memory, of which the other pages need nothing

        http = self._http = self._http or httpx.AsyncClient(
            base_url=self._url, timeout=FUNCTION_SECONDS, transport=self._transport
        )
        key, known = request.query_params.get("key"), request.headers.get("if-none-match")
        query = {"path": request.url.path} | ({"key": key} if key else {})
        try:
            sent = {"if-none-match": known} if known else {}
            answer = await http.get(f"/{FUNCTION}", params=query, headers=sent)
        except httpx.HTTPError as error:
            sys.stderr.write(f"The function {FUNCTION} did not answer: {error!r}\n")
            return None
        if answer.status_code >= 500:
            return None
        headers = {name: answer.headers[name] for name in PASSED_HEADERS if name in answer.headers}
        headers["vary"] = "accept-encoding"
        body = answer.content
        is_text = not headers.get("content-type", "").startswith("image/")
        if body and is_text and "gzip" in request.headers.get("accept-encoding", ""):
            body = await asyncio.to_thread(gzip.compress, body, 6)
            headers["content-encoding"] = "gzip"
        return Response(body, answer.status_code, headers)


def make_app(
    settings: Settings, dist: Path = DIST, transport: httpx.AsyncBaseTransport | None = None
) -> Starlette:
    """`transport` is the way to the functions, by default the network."""
    root = dist.resolve()
    pages = Pages(root, settings)
    functions = Functions(settings, transport)
    security = security_headers(settings.site_url)
    for name in ("index.html", "app.html", "404.html", PATHS, ROBOTS):
        if not (root / name).is_file():
            raise SettingsError(f"{root / name} is missing: run `npm run build` first.")

    async def answer(request: Request) -> Response:
        path = request.path_params["path"].lstrip("/")
        if path == ROBOTS:
            text = fill_robots((root / ROBOTS).read_text("utf-8"), settings)
            return PlainTextResponse(text, headers={"cache-control": FILE_CACHE})
        if path and (asset := asset_response(root, path, request.headers.get("accept-encoding", ""))):
            return asset
        if FUNCTION_PAGE.fullmatch(path):
            if drawn := await functions.page(request):
                return drawn
            # a robot comes again; a visitor gets the page that asks for itself
            stand_in = STAND_INS.get(path.split("/")[0].lower())
            page = pages.page(stand_in) if stand_in else None
            return page.response(request) if page else PlainTextResponse("Try again later", 503)
        if page := pages.for_path(path):
            return page.response(request)
        page = pages.page("404.html")
        return page.response(request, 404) if page else PlainTextResponse("Not found", 404)

    async def shop(request: Request) -> Response:
        response = await answer(request)
        response.headers.update(security)
        return response

    async def healthz(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    return Starlette(routes=[Route("/healthz", healthz), Route("/{path:path}", shop)])


def main() -> int:
    try:
        settings = Settings.from_env(os.environ)
        app = make_app(settings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    address = urlsplit(settings.site_url)
    # the local host only: in front of the world stands a static host or a proxy
    host = os.environ.get("WEB_HOST", "127.0.0.1")
    port = address.port or 3000
    config = uvicorn.Config(app, host=host, port=port, ws="none", log_level="warning", access_log=False)
    # the local stack's supervisor holds the socket, so that no visitor is refused while this process restarts
    held = os.environ.get("WEB_FD")
    uvicorn.Server(config).run([socket.socket(fileno=int(held))] if held else None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
