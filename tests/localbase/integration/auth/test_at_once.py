"""Requests of the auth service that arrive together: two tabs, a double click."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.localbase.integration.auth.client_calls import PASSWORD, verified_session
from tests.support.random_cases import cases
from tests.support.stacks import Stack


@pytest.fixture
def email() -> str:
    return f"user-{uuid.uuid4().hex}@example.com"


def at_once(stack: Stack, path: str, body: dict[str, Any]) -> list[httpx.Response]:
    """The responses to eight requests that are under way together, over connections that are open already."""
    headers = {"apikey": stack.publishable_key}
    together = threading.Barrier(8)
    with (
        httpx.Client(base_url=f"{stack.api_url}/auth/v1", headers=headers) as client,
        ThreadPoolExecutor(8) as pool,
    ):

        def send(_: int) -> httpx.Response:
            together.wait()
            client.get("/settings")
            together.wait()
            return client.post(path, json=body)

        return list(pool.map(send, range(8)))


def test_tabs_that_refresh_at_once_share_one_new_token(services: Stack, email: str) -> None:
    token = verified_session(services, email)["refresh_token"]
    for _ in range(cases(2)):
        responses = at_once(services, "/token?grant_type=refresh_token", {"refresh_token": token})
        assert {response.status_code for response in responses} == {200}
        (token,) = {response.json()["refresh_token"] for response in responses}


def test_double_click_on_sign_up_makes_one_user(services: Stack, email: str) -> None:
    for number in range(cases(2)):
        responses = at_once(services, "/signup", {"email": f"{number}-{email}", "password": PASSWORD})
        # The later ones find the user; a mail that has just gone out is not sent again at once.
        assert {response.status_code for response in responses} <= {200, 429}
        assert len({response.json()["id"] for response in responses if response.status_code == 200}) == 1
