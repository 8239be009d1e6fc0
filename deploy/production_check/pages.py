"""A browser's view: the pages' headers, their settings, and functions and project open to the shop's origin."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import httpx

from deploy.environment import ROOT
from deploy.production_check.finding import Finding, Shop, finding

_ENV_BLOCK = re.compile(r'<script[^>]*id="teesmith-env"[^>]*>([^<]*)</script>')
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
}
_SENT = ("authorization", "apikey", "content-type", "idempotency-key", "x-client-info")
# the one function that is read by GET
_PAGES = "design-page"
_NO_DESIGN = "/design/00000000-0000-4000-8000-000000000000"
_STATIC_HOSTING = "host web/dist with the headers file of docs/deploy.md, section Web"


def check_headers(shop: Shop) -> list[Finding]:
    page = shop.web().send("GET", "/")
    problems = [] if page.status_code == 200 else [f"the page is answered {page.status_code}"]
    problems += header_problems(shop.url, page.headers, (shop.supabase_url, shop.functions_url))
    return [finding("headers", problems, "CSP and the rest", _STATIC_HOSTING)]


def check_fallback(shop: Shop) -> list[Finding]:
    page = shop.web().send("GET", "/dashboard")
    is_page = page.status_code == 200 and page.headers.get("content-type", "").startswith("text/html")
    problems = [] if is_page else [f"/dashboard is answered {page.status_code}"]
    return [finding("fallback page", problems, "unknown paths show the shop", _STATIC_HOSTING)]


def check_robots(shop: Shop) -> list[Finding]:
    """What search engines and link previews read: the list of addresses, and the pages that have data."""
    web, url = shop.web(), shop.url.rstrip("/")
    problems = []
    if f"<loc>{url}/sitemap/0.xml</loc>" not in web.send("GET", "/sitemap.xml").text:
        problems.append("/sitemap.xml does not list the shop's addresses")
    if f"Sitemap: {url}/sitemap.xml" not in web.send("GET", "/robots.txt").text:
        problems.append("robots.txt does not name the sitemap")
    if (missing := web.send("GET", _NO_DESIGN).status_code) != 404:
        problems.append(f"a design that is not there is answered {missing}")
    for row in shop.project.call("GET", "/rest/v1/public_designs?select=design_id,user_id&limit=1"):
        path = f"/design/{row['design_id']}"
        kinds = {path: "Product", f"/creator/{row['user_id']}": "ProfilePage", "/discover": "ItemList"}
        for own, kind in kinds.items():
            page = web.send("GET", own).text
            if f'<link rel="canonical" href="{url}{own}" />' not in page or f'"{kind}"' not in page:
                problems.append(f"{own} has no page of its own")
        picture = web.send("GET", f"{path}/share.jpg")
        if picture.headers.get("content-type") != "image/jpeg":
            problems.append(f"{path}/share.jpg is answered {picture.status_code}")
    mend = "deploy design-page with SITE_URL, and host what make static writes (docs/deploy.md, section Web)"
    return [finding("robots", problems, "sitemap, designs and their pictures", mend)]


def check_page_settings(shop: Shop) -> list[Finding]:
    """The page calls this project, with keys of the same mode as the functions' key."""
    match = _ENV_BLOCK.search(shop.web().send("GET", "/").text)
    settings = json.loads(match[1] or "{}") if match else {}
    problems = []
    url = settings.get("SUPABASE_URL", "").rstrip("/")
    if url != shop.supabase_url:
        problems.append(f"the page calls {url or 'no project'}, not {shop.supabase_url}")
    page_key, secret = settings.get("STRIPE_PUBLISHABLE_KEY", ""), shop.environ.get("STRIPE_SECRET_KEY", "")
    if ("_test_" in page_key) != ("_test_" in secret):
        problems.append("the page's Stripe key and STRIPE_SECRET_KEY are not of the same mode")
    findings = [
        finding(
            "page settings", problems, f"calls {url}", "build the web client again with the VITE_ variables"
        )
    ]
    if "_test_" in secret:
        findings.append(Finding("payments", "note", "Stripe is in test mode: no card is charged"))
    return findings


def check_cors(shop: Shop) -> list[Finding]:
    origin = _origin(shop.url)
    preflight_headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": ", ".join(_SENT),
    }
    places = {
        "functions": shop.functions().send("OPTIONS", "/create-payment-intent", headers=preflight_headers),
        "Data API": shop.project.send("OPTIONS", "/rest/v1/product_variants", headers=preflight_headers),
    }
    problems = [
        f"{name} {fault}" for name, response in places.items() if (fault := _cors_fault(response, origin))
    ]
    mend = f"set FUNCTIONS_CORS_ORIGIN={origin} where the functions have an address of their own, then deploy them"
    return [finding("CORS", problems, f"open to {origin}", mend)]


def check_functions(shop: Shop) -> list[Finding]:
    """Each function answers the wrong method with its own 405, or the gateway before it wants a token first (401)."""
    functions = shop.functions()
    slugs = sorted(path.parent.name for path in (ROOT / "functions").glob("*/main.py"))
    missing = []
    for slug in slugs:
        response = functions.send("POST" if slug == _PAGES else "GET", f"/{slug}")
        if response.status_code not in (401, 405):
            missing.append(f"{slug} ({response.status_code})")
    problems = [f"not there: {', '.join(missing)}"] if missing else []
    return [finding("functions", problems, f"{len(slugs)} answer", "make deploy FN=all")]


def header_problems(url: str, headers: Mapping[str, str], called: tuple[str, ...]) -> list[str]:
    """Return what the page at `url` lacks, which calls the addresses in `called`.

    Names of headers are in lower case.
    """
    problems = [
        f"{name} is {headers.get(name)!r}, not {value!r}"
        for name, value in _HEADERS.items()
        if headers.get(name) != value
    ]
    problems += _policy_problems(headers.get("content-security-policy", ""), url, called)
    if urlsplit(url).scheme == "https":
        if "max-age=" not in headers.get("strict-transport-security", ""):
            problems.append("strict-transport-security is missing")
    elif not _is_loopback(url):
        problems.append("the address is not https")
    return problems


def _policy_problems(policy: str, page_url: str, called: tuple[str, ...]) -> list[str]:
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";") if rule.strip()}
    if not rules:
        return ["content-security-policy is missing"]
    problems = []
    calls = rules.get("connect-src", [])
    for url in called:
        if (origin := _origin(url)) not in calls and origin != _origin(page_url):
            problems.append(f"connect-src lacks {origin}")
    scripts = rules.get("script-src", rules.get("default-src", []))
    problems += [f"script-src has {source}" for source in ("'unsafe-inline'", "*") if source in scripts]
    return list(dict.fromkeys(problems))


def _cors_fault(response: httpx.Response, origin: str) -> str:
    if response.status_code >= 400:
        return f"refuse a preflight with {response.status_code}"
    if response.headers.get("access-control-allow-origin") not in ("*", origin):
        return f"allow {response.headers.get('access-control-allow-origin')}, not {origin}"
    allowed = response.headers.get("access-control-allow-headers", "").lower()
    missing = [name for name in _SENT if name not in allowed and allowed != "*"]
    return f"do not allow {', '.join(missing)}" if missing else ""


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
