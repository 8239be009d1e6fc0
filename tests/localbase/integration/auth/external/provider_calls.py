"""The browser's way to a provider and back, for tests."""

from __future__ import annotations

from typing import Any

from tests.localbase.integration.auth.calls import call
from tests.localbase.integration.auth.external.outside_providers import callback_path
from tests.support.stacks import Stack


def leave(stack: Stack, provider: str, **query: str) -> str:
    """The provider's page that the browser is sent to."""
    response = call(stack, "GET", "/authorize", params={"provider": provider, **query})
    assert response.status_code == 302, response.text
    return response.headers["location"]


def come_back(stack: Stack, values: dict[str, str], status: int = 302) -> str:
    """Return where the browser is sent on to from the callback."""
    response = call(stack, "GET", callback_path(values))
    assert response.status_code == status, response.text
    return response.headers["location"]


def person(email: str, **claims: Any) -> dict[str, Any]:
    return {"sub": f"sub-{email}", "email": email, "email_verified": True, "name": "Ada Lovelace"} | claims


def user_of(stack: Stack, values: dict[str, str]) -> dict[str, Any]:
    assert "access_token" in values, values
    return dict(call(stack, "GET", "/user", values["access_token"]).json())
