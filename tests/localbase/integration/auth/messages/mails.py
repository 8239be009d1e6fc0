"""Reads the mails of auth's tests, and follows their links at the service that a test runs."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from localbase.auth.messages.mailer import SMS_DOMAIN

from tests.support.mailbox import find_mails, link_in, wait_for_mail
from tests.support.stacks import Stack


def code_in(mail: dict[str, Any]) -> str:
    """The code to type in."""
    match = re.search(r"code(?: is)?:? (\d{6,10})\b", mail["Text"])
    assert match, mail["Text"]
    return match[1]


def mailed_code(stack: Stack, email: str, subject: str = "") -> str:
    """The code of the newest mail to an address, waiting for one."""
    return code_in(wait_for_mail(stack, email, subject))


def texted_code(stack: Stack, phone: str) -> str:
    """The code of the newest SMS to a number."""
    return code_in(wait_for_mail(stack, f"{phone}@{SMS_DOMAIN}"))


def no_mail(stack: Stack, email: str, subject: str = "") -> bool:
    """Tell whether an address has got none so far."""
    return find_mails(stack, email, subject) == []


def query_of(mail: dict[str, Any]) -> dict[str, str]:
    """Return what a mail's link carries."""
    return dict(parse_qsl(urlsplit(link_in(mail)).query, keep_blank_values=True))


def follow(stack: Stack, mail: dict[str, Any]) -> str:
    """Return where a mail's link leads to.

    The link names the stack's gateway; here `stack` may be a service of a test.
    """
    return follow_link(stack, urlsplit(link_in(mail)).query)


def follow_link(stack: Stack, query: str) -> str:
    """Return where GET /verify with this query leads to."""
    response = httpx.get(f"{stack.api_url}/auth/v1/verify?{query}", timeout=30)
    assert response.status_code == 303, response.text
    return response.headers["location"]


def fragment_of(address: str) -> dict[str, str]:
    """The values in an address's fragment; `sb` says that this service has written them."""
    values = dict(parse_qsl(urlsplit(address).fragment, keep_blank_values=True))
    assert values.pop("sb") == ""
    return values
