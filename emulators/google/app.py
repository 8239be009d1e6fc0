"""Google's routes: discovery, the sign-in page, the token endpoint, user info, keys."""

from __future__ import annotations

import html
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from emulators.core.inputs import is_web_address
from emulators.google.identity import ACCOUNTS, Identities, SignIn
from emulators.google.page import sign_in_page
from emulators.vendor_app import Host, VendorApp, basic_credentials, credentials, read_nothing, vendor_route


def build(host: Host) -> VendorApp:
    client = host.settings.google_client_id, host.settings.google_client_secret
    handlers = _Handlers(Identities(host.store, host.folder, host.base_url, *client))
    routes = [
        Route("/.well-known/openid-configuration", handlers.discovery),
        Route("/o/oauth2/v2/auth", handlers.show, methods=["GET"]),
        Route("/o/oauth2/v2/auth", handlers.choose, methods=["POST"]),
        vendor_route("POST", "/token", read_nothing, handlers.token),
        Route("/v1/userinfo", handlers.user_info),
        Route("/oauth2/v3/certs", handlers.keys),
    ]
    return VendorApp(routes)


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

    async def show(self, request: Request) -> Response:
        query = dict(request.query_params)
        problem = self._problem(query)
        if problem:
            return HTMLResponse(_error_page(problem), 400)
        return HTMLResponse(sign_in_page(ACCOUNTS, query), headers={"cache-control": "no-store"})

    async def choose(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        problem = self._problem(form)
        if problem:
            return HTMLResponse(_error_page(problem), 400)
        state = form.get("state", "")
        if form.get("action") == "deny":
            return _back(form["redirect_uri"], {"error": "access_denied", "state": state})
        name, _, email = form.get("account", "").partition("|")
        if form.get("action") == "other":
            name, email = form.get("name", "").strip() or "Somebody", form.get("email", "").strip()
        if "@" not in email:
            return HTMLResponse(sign_in_page(ACCOUNTS, form, "Enter an e-mail address."), 400)
        sign_in = SignIn(form["redirect_uri"], state, form.get("scope", ""), form.get("nonce", ""))
        code = self._identities.issue_code(sign_in, name, email)
        return _back(form["redirect_uri"], {"state": state, "code": code, "scope": sign_in.scope})

    async def token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        scheme, value = credentials(request)
        if scheme == "basic":
            form["client_id"], form["client_secret"] = basic_credentials(value)
        return JSONResponse(self._identities.redeem(form), headers={"cache-control": "no-store"})

    async def user_info(self, request: Request) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        profile = self._identities.user_info(token)
        if profile is None:
            return JSONResponse({"error": "invalid_request", "error_description": "Invalid Credentials"}, 401)
        return JSONResponse(profile)

    async def keys(self, _request: Request) -> Response:
        return JSONResponse(self._identities.jwks(), headers={"cache-control": "public, max-age=3600"})

    def _problem(self, parameters: dict[str, str]) -> str:
        if parameters.get("client_id") != self._identities.client_id:
            return "invalid_client: The OAuth client was not found."
        if parameters.get("response_type", "code") != "code":
            return "unsupported_response_type: only response_type=code is served."
        if not is_web_address(parameters.get("redirect_uri", "")):
            return "redirect_uri_mismatch: the redirect address is missing or malformed."
        return ""


def _back(redirect_uri: str, values: dict[str, str]) -> Response:
    joint = "&" if urlsplit(redirect_uri).query else "?"
    return RedirectResponse(f"{redirect_uri}{joint}{urlencode(values)}", 302)


def _error_page(problem: str) -> str:
    title = "Access blocked: Authorization Error"
    return f"<!doctype html><title>Error 400</title><h1>{title}</h1><p>{html.escape(problem)}</p>"
