"""Calls of the functions of `tests/projects/services`, and what the log says of them."""

from __future__ import annotations

import httpx

from tests.integration.localbase.small_project import until
from tests.support.stacks import Stack


def trouble(stack: Stack, query: str, timeout: float = 60) -> httpx.Response:
    return httpx.get(f"{stack.api_url}/functions/v1/trouble?{query}", timeout=timeout)


def echo(stack: Stack) -> httpx.Response:
    return httpx.post(f"{stack.api_url}/functions/v1/echo", timeout=20)


def log(stack: Stack) -> str:
    return (stack.state / "logs" / "functions.log").read_text(errors="replace")


def logged(stack: Stack, text: str, times: int = 1) -> bool:
    return until(lambda: log(stack).count(text) >= times, 10)
