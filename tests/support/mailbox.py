"""Reads a stack's mailbox through its JSON API."""

from __future__ import annotations

import re
import time
from typing import Any

import httpx

from tests.support.stacks import Stack


def find_mails(stack: Stack, to: str, subject: str = "") -> list[dict[str, Any]]:
    """The mails to `to` with `subject` in their subject, newest first, with `Text` and `HTML`."""
    page = httpx.get(
        f"{stack.mailbox_url}/api/v1/search", params={"query": f'to:"{to}"', "limit": 100}
    ).json()
    return [
        httpx.get(f"{stack.mailbox_url}/api/v1/message/{one['ID']}").json()
        for one in page["messages"]
        if subject.lower() in one["Subject"].lower()
    ]


def wait_for_mail(stack: Stack, to: str, subject: str = "", seconds: float = 60) -> dict[str, Any]:
    """The newest mail to `to`, waiting until one is there."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        mails = find_mails(stack, to, subject)
        if mails:
            return mails[0]
        time.sleep(0.05)
    raise AssertionError(f"no mail to {to} about {subject!r} in {seconds} s")


def link_in(mail: dict[str, Any]) -> str:
    """The first address in a mail's text."""
    match = re.search(r"https?://\S+", mail["Text"])
    assert match, mail["Text"]
    return match[0]
