"""/functions/v1: which functions there are, who may call them, and what they get."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from localbase.core.tokens import jwt
from supabase_functions.errors import FunctionsRelayError

from tests.support.stacks import Stack
from tests.support.users import Users


def url(stack: Stack, path: str) -> str:
    return f"{stack.api_url}/functions/v1/{path}"


def test_function_receives_the_request_unchanged(services: Stack) -> None:
    response = httpx.put(url(services, "echo/a/b?x=1"), json={"n": 1}, headers={"authorization": "Bearer t"})
    assert response.status_code == 201
    assert response.headers["x-made-by"] == "echo"
    assert response.json() == {
        "who": "echo",
        "greeting": "Good day there",
        "method": "PUT",
        "path": "/a/b",
        "query": {"x": "1"},
        "body": {"n": 1},
        "authorization": "Bearer t",
    }


def test_official_client_invokes_a_function(services: Stack) -> None:
    client = Users(services).new().client
    response = client.functions.invoke("neighbour", {"responseType": "json"})
    assert response == {"who": "neighbour"}


def test_response_reaches_a_client_whose_body_the_function_leaves_unread(services: Stack) -> None:
    with httpx.Client() as client:
        for _ in range(20):
            assert client.post(url(services, "mirror"), content=b"x" * (3 << 20)).status_code == 200


_NOT_FOUND = {"code": "NOT_FOUND", "message": "Requested function was not found"}


def raw(stack: Stack, target: str, *lines: str, method: str = "POST") -> tuple[int, dict[str, str], Any]:
    """Status, headers and body of a request with an unnormalized path."""
    address = urlsplit(stack.api_url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for line in lines or ("host: localhost",):
        name, _, value = line.partition(": ")
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    headers = {name.lower(): value for name, value in response.getheaders()}
    body = response.read()
    connection.close()
    return response.status, headers, json.loads(body)


@pytest.mark.parametrize(
    "slug", ["missing", "off", "OFF", "_shared", "..", "%2e%2e", "echo.py", "", "/echo", "echo%0a"]
)
def test_unknown_function_is_not_found(services: Stack, slug: str) -> None:
    status, headers, body = raw(services, f"/functions/v1/{slug}")
    assert (status, body) == (404, _NOT_FOUND)
    assert headers["x-relay-error"] == "true"


@pytest.mark.parametrize(
    "path",
    [
        *("echo/../neighbour", "echo/%2e%2e/neighbour", "echo/..%2fneighbour", "echo%2f..%2fneighbour"),
        *("echo/%2E./neighbour", "echo/a/../../neighbour", "echo/..%5cneighbour", "echo/./../neighbour"),
        *("echo/..", "echo/.", "echo/..?x=1", "echo%2fneighbour", "./neighbour", "../v1/neighbour"),
        *("echo/../off", "mirror/%2e%2e%2foff", "echo/..\\neighbour"),
    ],
)
def test_path_with_dot_segments_reaches_no_function(services: Stack, path: str) -> None:
    status, headers, body = raw(services, f"/functions/v1/{path}")
    assert (status, body, headers["x-relay-error"]) == (404, _NOT_FOUND, "true")


@pytest.mark.parametrize(
    "path", ["/%66unctions/v1/neighbour", "/functions%2fv1/echo", "/functions/v1%2fecho"]
)
def test_mount_path_is_matched_exactly(services: Stack, path: str) -> None:
    status, _, body = raw(services, path)
    assert (status, body) == (404, {"message": "no Route matched with those values"})


@pytest.mark.parametrize(
    ("path", "inner"),
    [
        ("mirror", "/mirror"),
        ("mirror/", "/mirror/"),
        ("%6dirror/a", "/mirror/a"),
        ("mirror/%252e%252e/neighbour?a=%2e%2e/&b", "/mirror/%252e%252e/neighbour?a=%2e%2e/&b"),
        ("mirror//a/...;/..b/%20%7e?", "/mirror//a/...;/..b/%20%7e"),
        ("mirror/a%2fb%00%ff", "/mirror/a%2fb%00%ff"),
    ],
)
def test_rest_of_the_path_is_forwarded_unchanged(services: Stack, path: str, inner: str) -> None:
    status, _, body = raw(services, f"/functions/v1/{path}")
    assert (status, body["uri"]) == (200, inner)


@pytest.mark.parametrize("rest", ["", "/", "/a", "/a/", "?b=1", "/?b=1", "/a?b=/", "/%C3%A4?b=c"])
def test_function_sees_the_address_as_it_was_called(services: Stack, rest: str) -> None:
    address = f"http://api.shop.example/mirror{rest}"
    status, _, body = raw(services, f"/functions/v1/mirror{rest}", "host: api.shop.example")
    assert (status, body["url"]) == (200, address.replace("%C3%A4", "ä"))


def test_function_sees_the_public_host_and_the_clients_address(services: Stack) -> None:
    status, _, body = raw(
        services,
        "/functions/v1/mirror/a",
        "host: api.shop.example:8443",
        "accept: x/y",
        "Proxy: http://evil.example",
    )
    assert (status, body["url"]) == (200, "http://api.shop.example:8443/mirror/a")
    headers = dict(body["headers"])
    assert headers.pop("x-request-id")
    assert headers.pop("content-length") == "0"
    assert headers == {
        "host": "api.shop.example:8443",
        "accept": "x/y",
        "x-forwarded-host": "api.shop.example:8443",
        "x-forwarded-proto": "http",
        "x-forwarded-port": str(urlsplit(services.api_url).port),
        "x-forwarded-for": "127.0.0.1",
        "x-real-ip": "127.0.0.1",
    }


def test_forwarded_headers_of_a_client_are_replaced(services: Stack) -> None:
    lines = [
        *(
            "host: localhost",
            "x-forwarded-for: 10.0.0.1",
            "X-Forwarded-For: 10.0.0.2",
            "forwarded: for=10.0.0.3",
        ),
        *("x-forwarded-host: evil.example", "x-forwarded-proto: https", "x-forwarded-port: 443"),
        *(
            "x_forwarded_for: 10.0.0.4",
            "X-Forwarded_For: 10.0.0.5",
            "x-real-ip: 10.0.0.6",
            "x-forwarded-prefix: /x",
        ),
        *("cf-connecting-ip: 10.0.0.7", "true-client-ip: 10.0.0.8", "sb-api-key: forged"),
        *("connection: x-secret, keep-alive", "x-secret: for this hop", "te: trailers", "x-other: é"),
    ]
    status, _, body = raw(services, "/functions/v1/mirror", *lines)
    assert status == 200
    assert "10.0.0" not in json.dumps(body)
    names = [name for name, _ in body["headers"]]
    assert sorted(names) == sorted(
        [
            *("host", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port", "x-forwarded-for"),
            *("x-real-ip", "x-request-id", "content-length", "x-other"),
        ]
    )
    assert dict(body["headers"])["x-forwarded-host"] == "localhost"


def test_gateway_errors_are_relay_errors_to_the_clients(services: Stack) -> None:
    with pytest.raises(FunctionsRelayError):
        Users(services).new().client.functions.invoke("missing")
    response = httpx.post(url(services, "missing"), headers={"origin": "http://shop.example"})
    assert "X-Relay-Error" in response.headers["access-control-expose-headers"]
    assert "x-relay-error" not in httpx.post(url(services, "echo")).headers


def test_without_a_token_a_protected_function_is_not_called(services: Stack) -> None:
    response = httpx.post(url(services, "neighbour"))
    assert response.status_code == 401
    assert response.json() == {
        "code": "UNAUTHORIZED_NO_AUTH_HEADER",
        "message": "Missing authorization header",
    }


def test_forged_and_expired_tokens_are_rejected(services: Stack) -> None:
    now = time.time()
    for token in (
        "forged",
        "a.b.c",
        jwt.sign({"role": "authenticated", "exp": now + 60}, "another secret of thirty-two characters"),
        jwt.sign({"role": "authenticated", "exp": now - 60}, services.jwt_secret),
    ):
        response = httpx.post(url(services, "neighbour"), headers={"authorization": f"Bearer {token}"})
        assert response.status_code == 401
        assert response.json() == {"code": "UNAUTHORIZED_INVALID_JWT_FORMAT", "message": "Invalid JWT"}


def test_function_that_fails_to_load_does_not_affect_the_others(services: Stack) -> None:
    response = httpx.post(url(services, "broken"))
    assert response.status_code == 503
    assert response.json() == {
        "code": "BOOT_ERROR",
        "message": "Function failed to start (please check logs)",
    }
    assert httpx.post(url(services, "echo")).status_code == 201


def test_preflight_request_gets_cors_headers(services: Stack) -> None:
    response = httpx.options(
        url(services, "neighbour"),
        headers={
            "origin": "http://shop.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization, x-client-info, apikey",
        },
    )
    assert response.status_code == 200
    assert response.headers["access-control-allow-origin"] == "*"
    assert "POST" in response.headers["access-control-allow-methods"]
    assert response.headers["access-control-allow-headers"] == "authorization, x-client-info, apikey"
