"""A page of the site in a real browser, with the official client and an authenticator of the browser's own making."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page

from tests.support.stacks import ROOT, Stack

_CLIENT = ROOT / "node_modules" / "@supabase" / "supabase-js" / "dist" / "umd" / "supabase.js"
_PAGE = b"<!doctype html><title>site</title><script src='/supabase.js'></script>"


class SitePage:
    """`run` evaluates JavaScript in which `client` is the official client."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self.page = page
        self._cdp = cdp
        self._authenticator = ""

    def plug_in(self, transport: str) -> None:
        """Puts in a new authenticator: one that stores passkeys, and whose owner always agrees."""
        options = {
            "protocol": "ctap2",
            "ctap2Version": "ctap2_1",
            "transport": transport,
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        added = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._authenticator = added["authenticatorId"]

    def credentials(self) -> list[dict[str, Any]]:
        """The keys that the authenticator holds."""
        response = self._cdp.send("WebAuthn.getCredentials", {"authenticatorId": self._authenticator})
        return list(response["credentials"])

    def restore(self, credential: dict[str, Any]) -> None:
        """Gives the authenticator a key as it was before: a cloned one."""
        chosen = {"authenticatorId": self._authenticator, "credentialId": credential["credentialId"]}
        self._cdp.send("WebAuthn.removeCredential", chosen)
        self._cdp.send(
            "WebAuthn.addCredential", {"authenticatorId": self._authenticator, "credential": credential}
        )

    def run(self, body: str, **values: Any) -> Any:
        """Return what the asynchronous `body` returns; `values` are its variables."""
        return self.page.evaluate(f"async ({{ {', '.join(values)} }}) => {{ {body} }}", values)


class _Site(BaseHTTPRequestHandler):
    """The site. It is served, not made up in the browser: Chromium lets only local pages call local addresses."""

    def do_GET(self) -> None:
        script = self.path == "/supabase.js"
        body = _CLIENT.read_bytes() if script else _PAGE
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if script else "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def site_server(stack: Stack) -> Iterator[str]:
    """The site at the port of `site_url`; its address under `localhost`: browsers take no keys for an IP address."""
    port = urlsplit(stack.site_url).port
    assert port
    server = ThreadingHTTPServer(("127.0.0.1", port), _Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def site_page(browser: Browser, stack: Stack, address: str, transport: str) -> Iterator[SitePage]:
    """A page with a client and an authenticator of its own: `internal`, or a key on `usb`."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.evaluate(
        "([url, key]) => { window.client = supabase.createClient(url, key) }",
        [stack.api_url, stack.publishable_key],
    )
    cdp = context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    made = SitePage(page, cdp)
    made.plug_in(transport)
    try:
        yield made
    finally:
        context.close()
