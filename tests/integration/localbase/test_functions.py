"""/functions/v1: which functions there are, who may call them, and what they get."""

from __future__ import annotations

import time

import httpx
import pytest
from localbase.core import jwt

from tests.people import People
from tests.stacks import Stack


def url(stack: Stack, path: str) -> str:
    return f"{stack.api_url}/functions/v1/{path}"


def test_a_function_gets_the_request_as_it_was(services: Stack) -> None:
    answer = httpx.put(url(services, "echo/a/b?x=1"), json={"n": 1}, headers={"authorization": "Bearer t"})
    assert answer.status_code == 201
    assert answer.headers["x-made-by"] == "echo"
    assert answer.json() == {
        "who": "echo",
        "greeting": "Good day there",
        "method": "PUT",
        "path": "/a/b",
        "query": {"x": "1"},
        "body": {"n": 1},
        "authorization": "Bearer t",
    }


def test_the_official_client_invokes_a_function(services: Stack) -> None:
    client = People(services).new().client
    answer = client.functions.invoke("neighbour", {"responseType": "json"})
    assert answer == {"who": "neighbour"}


@pytest.mark.parametrize("slug", ["missing", "off", "_shared", "..", "%2e%2e", "echo.py", ""])
def test_what_is_no_function_is_not_found(services: Stack, slug: str) -> None:
    answer = httpx.post(url(services, slug))
    assert answer.status_code == 404
    assert "message" in answer.json()


def test_without_a_token_a_protected_function_is_not_called(services: Stack) -> None:
    answer = httpx.post(url(services, "neighbour"), headers={"apikey": services.publishable_key})
    assert answer.status_code == 401
    assert answer.json() == {"code": "UNAUTHORIZED_NO_AUTH_HEADER", "message": "Missing authorization header"}


def test_forged_and_expired_tokens_are_refused(services: Stack) -> None:
    now = time.time()
    for token in (
        "forged",
        "a.b.c",
        jwt.sign({"role": "authenticated", "exp": now + 60}, "another secret of thirty-two characters"),
        jwt.sign({"role": "authenticated", "exp": now - 60}, services.jwt_secret),
    ):
        answer = httpx.post(url(services, "neighbour"), headers={"authorization": f"Bearer {token}"})
        assert answer.status_code == 401
        assert answer.json() == {"code": "UNAUTHORIZED_INVALID_JWT_FORMAT", "message": "Invalid JWT"}


def test_a_function_that_cannot_be_loaded_says_so_and_spares_the_others(services: Stack) -> None:
    answer = httpx.post(url(services, "broken"))
    assert answer.status_code == 503
    assert answer.json() == {"code": "BOOT_ERROR", "message": "Function failed to start (please check logs)"}
    assert httpx.post(url(services, "echo")).status_code == 201


def test_a_browsers_preflight_is_answered(services: Stack) -> None:
    answer = httpx.options(
        url(services, "neighbour"),
        headers={
            "origin": "http://shop.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization, x-client-info, apikey",
        },
    )
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "POST" in answer.headers["access-control-allow-methods"]
    assert answer.headers["access-control-allow-headers"] == "authorization, x-client-info, apikey"


def test_a_changed_function_is_loaded_anew(services: Stack) -> None:
    path = services.root / "supabase" / "functions" / "_shared" / "greeting.py"
    original = path.read_text()
    try:
        path.write_text(original.replace("} {name}", "}, dear {name}"))
        assert httpx.post(url(services, "echo")).json()["greeting"] == "Good day, dear there"
    finally:
        path.write_text(original)
    assert httpx.post(url(services, "echo")).json()["greeting"] == "Good day there"
