"""Providers outside, at the network: an OpenID Connect issuer, a realm of Keycloak, and GitHub.

They hold what real ones hold clients to: the redirect address, the client's secret, PKCE, codes that are good once.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import hashlib
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from localbase.core.auth_settings import ProviderSettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT, OTHER_CLIENT, SECRET = "shop-client", "shop-app", "shop-secret"
CALLBACK = "http://127.0.0.1:1/auth/v1/callback"


@functools.cache
def _key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "outside", "use": "sig", "alg": "RS256"})


@dataclass
class SignIn:
    """A person's consent, under a code."""

    account: dict[str, Any]
    query: dict[str, str]


@dataclass
class OutsideProviders:
    """All of them at `url`. `codes` and `tokens` are what they have given out."""

    url: str
    codes: dict[str, SignIn] = field(default_factory=dict)
    tokens: dict[str, SignIn] = field(default_factory=dict)
    # How the next ID token differs from a right one.
    forged: dict[str, Any] = field(default_factory=dict)

    def settings(self, **changes: Any) -> dict[str, ProviderSettings]:
        """`[auth.external]` with all of them on; `changes` are made to each."""
        common: dict[str, Any] = {
            "enabled": True,
            "client_id": f"{CLIENT}, {OTHER_CLIENT}",
            "secret": SECRET,
            "redirect_uri": CALLBACK,
            **changes,
        }
        paths = {"google": "", "gitlab": "", "github": "", "keycloak": "/realms/shop"}
        return {name: ProviderSettings(url=self.url + path, **common) for name, path in paths.items()}

    def agree(self, address: str, account: dict[str, Any]) -> dict[str, str]:
        """The person signs in on the provider's page at `address`; what the browser is sent back with."""
        query = dict(parse_qsl(urlsplit(address).query))
        assert query["client_id"] == CLIENT
        assert query["response_type"] == "code"
        assert query["redirect_uri"] == CALLBACK
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_hex(8)
        self.codes[code] = SignIn(account, query)
        return {"code": code, "state": query["state"]}

    def id_token(self, **claims: Any) -> str:
        """A token of the OpenID Connect issuer."""
        now = int(time.time())
        common = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60}
        return jwt.encode({"alg": "RS256", "kid": "outside"}, common | claims, _key())

    def app(self) -> Starlette:
        """Their endpoints."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/realms/shop/.well-known/openid-configuration", self._discovery),
                Route("/keys", self._keys),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/realms/shop/protocol/openid-connect/token", self._token, methods=["POST"]),
                Route("/realms/shop/protocol/openid-connect/userinfo", self._account),
                Route("/login/oauth/access_token", self._token, methods=["POST"]),
                Route("/api/v3/user", self._account),
                Route("/api/v3/user/emails", self._emails),
            ]
        )

    def _discovery(self, request: Request) -> Response:
        issuer = self.url + request.url.path.partition("/.well-known")[0]
        return JSONResponse(
            {
                "issuer": issuer,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/keys",
            }
        )

    def _keys(self, request: Request) -> Response:  # noqa: ARG002
        return JSONResponse({"keys": [_key().as_dict(private=False)]})

    def _authorize(self, request: Request) -> Response:
        """The page of a person who agrees at once: the one of `login_hint`."""
        email = request.query_params["login_hint"]
        account = {"sub": f"sub-{email}", "email": email, "email_verified": True, "name": "Ada Lovelace"}
        return RedirectResponse(f"{CALLBACK}?{urlencode(self.agree(str(request.url), account))}", 302)

    async def _token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        sign_in = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        expected = (CLIENT, SECRET, CALLBACK)
        if (
            sign_in is None
            or (form["client_id"], form["client_secret"], form["redirect_uri"]) != expected
            or sign_in.query["code_challenge"] != challenge
        ):
            # As GitHub: an error with 200.
            return JSONResponse({"error": "bad_verification_code"})
        token = secrets.token_hex(8)
        self.tokens[token] = sign_in
        claims = sign_in.account | {"nonce": sign_in.query.get("nonce", "")} | self.forged
        body = {"access_token": token, "token_type": "bearer", "refresh_token": f"refresh-{token}"}
        if "/login/" not in request.url.path:
            body["id_token"] = self.id_token(**claims)
        return JSONResponse(body)

    def _of(self, request: Request) -> SignIn | None:
        return self.tokens.get(request.headers.get("authorization", "").removeprefix("Bearer "))

    def _account(self, request: Request) -> Response:
        sign_in = self._of(request)
        if sign_in is None:
            return JSONResponse({"message": "Bad credentials"}, 401)
        return JSONResponse({name: value for name, value in sign_in.account.items() if name != "emails"})

    def _emails(self, request: Request) -> Response:
        sign_in = self._of(request)
        if sign_in is None:
            return JSONResponse({"message": "Bad credentials"}, 401)
        return JSONResponse(sign_in.account["emails"])


@contextmanager
def outside_providers() -> Iterator[OutsideProviders]:
    """Runs them on a port of their own."""
    listening = socket.create_server(("127.0.0.1", 0))
    providers = OutsideProviders(f"http://127.0.0.1:{listening.getsockname()[1]}")
    server = uvicorn.Server(uvicorn.Config(providers.app(), lifespan="off", log_level="error", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield providers
    finally:
        server.should_exit = True
        thread.join()


def callback_path(values: dict[str, str]) -> str:
    """Return where the browser comes back to, below `/auth/v1`."""
    return f"/callback?{urlencode(values)}"


def fragment_of(address: str) -> dict[str, str]:
    """The values in an address's fragment."""
    fragment = parse_qs(urlsplit(address).fragment, keep_blank_values=True)
    return {name: value[0] for name, value in fragment.items()}


def query_of(address: str) -> dict[str, str]:
    """The values in an address's query."""
    return dict(parse_qsl(urlsplit(address).query))
