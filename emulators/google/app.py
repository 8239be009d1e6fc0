"""Google's routes: discovery, the sign-in page, the token endpoint, user info, keys."""

from __future__ import annotations

import base64
import html
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from emulators.google.identity import ACCOUNTS, Ask, Identities, OAuthError
from emulators.google.page import sign_in_page
from emulators.inputs import is_web_address


def routes(identities: Identities) -> list[BaseRoute]:
    handlers = _Handlers(identities)
    return [
        Route("/.well-known/openid-configuration", handlers.discovery),
        Route("/o/oauth2/v2/auth", handlers.ask, methods=["GET"]),
        Route("/o/oauth2/v2/auth", handlers.choose, methods=["POST"]),
        Route("/token", handlers.token, methods=["POST"]),
        Route("/v1/userinfo", handlers.user_info),
        Route("/oauth2/v3/certs", handlers.keys),
    ]


class _Handlers:
    def __init__(self, identities: Identities) -> None:
        self._identities = identities

    async def discovery(self, _request: Request) -> Response:
        base = self._identities.issuer
        return JSONResponse(
            {
                "issuer": base,
                "authorization_endpoint": f"{base}/o/oauth2/v2/auth",
                "token_endpoint": f"{base}/token",
                "userinfo_endpoint": f"{base}/v1/userinfo",
                "jwks_uri": f"{base}/oauth2/v3/certs",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "scopes_supported": ["openid", "email", "profile"],
                "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
                "claims_supported": [
                    "aud",
                    "email",
                    "email_verified",
                    "exp",
                    "family_name",
                    "given_name",
                    "iat",
                    "iss",
                ],
            }
        )

    async def ask(self, request: Request) -> Response:
        query = dict(request.query_params)
        problem = self._problem(query)
        if problem:
            return HTMLResponse(_refusal(problem), 400)
        return HTMLResponse(sign_in_page(ACCOUNTS, query), headers={"cache-control": "no-store"})

    async def choose(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        problem = self._problem(form)
        if problem:
            return HTMLResponse(_refusal(problem), 400)
        state = form.get("state", "")
        if form.get("action") == "deny":
            return _back(form["redirect_uri"], {"error": "access_denied", "state": state})
        name, _, email = form.get("account", "").partition("|")
        if form.get("action") == "other":
            name, email = form.get("name", "").strip() or "Somebody", form.get("email", "").strip()
        if "@" not in email:
            return HTMLResponse(sign_in_page(ACCOUNTS, form, "Enter an e-mail address."), 400)
        ask = Ask(form["redirect_uri"], state, form.get("scope", ""), form.get("nonce", ""))
        code = self._identities.issue_code(ask, name, email)
        return _back(form["redirect_uri"], {"state": state, "code": code, "scope": ask.scope})

    async def token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        form |= _basic(request.headers.get("authorization", ""))
        try:
            answer = self._identities.redeem(form)
        except OAuthError as error:
            body = {"error": error.code, "error_description": error.description}
            return JSONResponse(body, 401 if error.code == "invalid_client" else 400)
        return JSONResponse(answer, headers={"cache-control": "no-store"})

    async def user_info(self, request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        found = self._identities.user_info(token)
        if found is None:
            return JSONResponse({"error": "invalid_request", "error_description": "Invalid Credentials"}, 401)
        return JSONResponse(found)

    async def keys(self, _request: Request) -> Response:
        return JSONResponse(self._identities.jwks(), headers={"cache-control": "public, max-age=3600"})

    def _problem(self, given: dict[str, str]) -> str:
        if given.get("client_id") != self._identities.client_id:
            return "invalid_client: The OAuth client was not found."
        if given.get("response_type", "code") != "code":
            return "unsupported_response_type: only response_type=code is served."
        if not is_web_address(given.get("redirect_uri", "")):
            return "redirect_uri_mismatch: the redirect address is missing or malformed."
        return ""


def _back(redirect_uri: str, values: dict[str, str]) -> Response:
    joint = "&" if urlsplit(redirect_uri).query else "?"
    return RedirectResponse(f"{redirect_uri}{joint}{urlencode(values)}", 302)


def _basic(header: str) -> dict[str, str]:
    scheme, _, coded = header.partition(" ")
    if scheme.lower() != "basic":
        return {}
    try:
        name, _, secret = base64.b64decode(coded).decode().partition(":")
    except ValueError:  # no base64, or no text in it
        return {"client_id": "", "client_secret": ""}
    return {"client_id": name, "client_secret": secret}


def _refusal(problem: str) -> str:
    title = "Access blocked: Authorization Error"
    return f"<!doctype html><title>Error 400</title><h1>{title}</h1><p>{html.escape(problem)}</p>"
