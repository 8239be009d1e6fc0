"""The headers that a deployed page must carry."""

from __future__ import annotations

import pytest

from deploy.production_check.pages import header_problems

PROJECT, FUNCTIONS = "https://project.supabase.co", "https://functions.example/"
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "content-security-policy": "default-src 'self'; script-src 'self' 'sha256-x'; "
    "connect-src 'self' https://project.supabase.co https://functions.example",
    "strict-transport-security": "max-age=31536000",
}


def problems(url: str = "https://shop.example", **changes: str) -> list[str]:
    headers = {**HEADERS, **{name.replace("_", "-"): value for name, value in changes.items()}}
    return header_problems(url, headers, (PROJECT, FUNCTIONS))


def test_page_with_every_header_has_no_problem() -> None:
    assert problems() == []
    assert problems("http://127.0.0.1:3000", strict_transport_security="") == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"strict_transport_security": ""}, "strict-transport-security is missing"),
        ({"x_content_type_options": ""}, "x-content-type-options is '', not 'nosniff'"),
        ({"content_security_policy": ""}, "content-security-policy is missing"),
        (
            {"content_security_policy": f"script-src 'self'; connect-src {PROJECT}"},
            "connect-src lacks https://functions.example",
        ),
        (
            {
                "content_security_policy": f"script-src 'unsafe-inline'; connect-src {PROJECT} {FUNCTIONS[:-1]}"
            },
            "script-src has 'unsafe-inline'",
        ),
    ],
)
def test_page_without_a_header_has_a_problem(changes: dict[str, str], problem: str) -> None:
    assert problems(**changes) == [problem]


def test_page_in_the_open_without_https_has_a_problem() -> None:
    assert problems("http://shop.example") == ["the address is not https"]


def test_page_that_has_the_functions_on_its_own_origin_needs_no_rule_for_them() -> None:
    policy = f"script-src 'self'; connect-src 'self' {PROJECT}"
    assert problems("https://functions.example", content_security_policy=policy) == []
