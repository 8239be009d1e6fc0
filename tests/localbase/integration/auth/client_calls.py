"""Calls of the auth service that its tests share."""

from __future__ import annotations

from typing import Any

import httpx

from tests.support.mailbox import link_in, wait_for_mail
from tests.support.stacks import Stack

PASSWORD = "correct horse"


def call(stack: Stack, method: str, path: str, token: str = "", **options: Any) -> httpx.Response:
    headers = {"apikey": stack.publishable_key} | ({"authorization": f"Bearer {token}"} if token else {})
    headers |= options.pop("headers", {})
    return httpx.request(method, f"{stack.api_url}/auth/v1{path}", headers=headers, **options)


def sign_up(stack: Stack, email: str, **body: Any) -> httpx.Response:
    return call(stack, "POST", "/signup", json={"email": email, "password": PASSWORD} | body)


def verified_session(stack: Stack, email: str) -> dict[str, Any]:
    assert sign_up(stack, email).status_code == 200
    httpx.get(link_in(wait_for_mail(stack, email)))
    response = call(stack, "POST", "/token?grant_type=password", json={"email": email, "password": PASSWORD})
    assert response.status_code == 200, response.text
    return dict(response.json())
