"""A client of the OAuth server, as another application is one."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from localbase.core.tokens import jwt

from tests.localbase.integration.auth.calls import as_admin, call
from tests.support.stacks import Stack

REDIRECT = "https://app.example.com/callback"


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A registered client, and the verifier of its flow."""

    stack: Stack
    client_id: str
    secret: str
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    def authorize(self, **changes: str) -> httpx.Response:
        """GET /oauth/authorize, without a key as browsers come. An empty value leaves a parameter out."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        parameters = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": REDIRECT,
            "scope": "email",
            "state": "a state",
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **changes,
        }
        return httpx.get(
            f"{self.stack.api_url}/auth/v1/oauth/authorize",
            params={name: value for name, value in parameters.items() if value},
        )

    def authorization_id(self, **changes: str) -> str:
        """Of a request that goes on to the consent page."""
        response = self.authorize(**changes)
        assert response.status_code == 302, response.text
        return query_of(response.headers["location"])["authorization_id"]

    def code(self, session: dict[str, Any], **changes: str) -> str:
        """The code of a request that the user has approved."""
        identity = self.authorization_id(**changes)
        opened = call(self.stack, "GET", f"/oauth/authorizations/{identity}", session["access_token"])
        assert opened.status_code == 200, opened.text
        if "redirect_url" in opened.json():
            return query_of(opened.json()["redirect_url"])["code"]
        return query_of(decide(self.stack, session, identity).json()["redirect_url"])["code"]

    def exchange(self, code: str, **changes: str) -> httpx.Response:
        """POST /oauth/token for a code."""
        return self.token(
            **{"grant_type": "authorization_code", "code": code, "code_verifier": self.verifier, **changes}
        )

    def refresh(self, refresh_token: str, **changes: str) -> httpx.Response:
        """POST /oauth/token for a refresh token."""
        return self.token(**{"grant_type": "refresh_token", "refresh_token": refresh_token, **changes})

    def claims(self, response: httpx.Response) -> dict[str, Any]:
        """Of the access token that the endpoint has answered with."""
        assert response.status_code == 200, response.text
        return jwt.verify(response.json()["access_token"], self.stack.jwt_secret, time.time())

    def token(self, **fields: str) -> httpx.Response:
        """POST /oauth/token as this client: by Basic authentication, or, if public, by its id."""
        auth = httpx.BasicAuth(self.client_id, self.secret) if self.secret else None
        own = {} if auth else {"client_id": self.client_id}
        return httpx.post(f"{self.stack.api_url}/auth/v1/oauth/token", data=own | fields, auth=auth)


def register(stack: Stack, **changes: Any) -> OAuthClient:
    """A new client of an administrator's making."""
    metadata = {"client_name": "An application", "redirect_uris": [REDIRECT], **changes}
    response = as_admin(stack, "POST", "/admin/oauth/clients", json=metadata)
    assert response.status_code == 201, response.text
    return OAuthClient(stack, response.json()["client_id"], response.json().get("client_secret", ""))


def decide(
    stack: Stack, session: dict[str, Any], identity: str, action: str = "approve", **options: Any
) -> httpx.Response:
    """The user's answer on the consent page."""
    path = f"/oauth/authorizations/{identity}/consent"
    return call(stack, "POST", path, session["access_token"], json={"action": action}, **options)


def query_of(url: str) -> dict[str, str]:
    """The parameters of an address."""
    return dict(parse_qsl(urlsplit(url).query))


def oauth_failure(response: httpx.Response) -> tuple[int, str, str]:
    """Status, error and description of OAuth's own form, whose body holds nothing else."""
    body = response.json()
    assert set(body) == {"error", "error_description"}, body
    return response.status_code, body["error"], body["error_description"]
