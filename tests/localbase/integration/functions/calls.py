"""Calls of the functions of `tests/projects/services`, and what the log says of them."""

from __future__ import annotations

import functools

import httpx

from tests.localbase.integration.small_project import until
from tests.support.logs import read_log
from tests.support.stacks import Stack


@functools.cache
def client() -> httpx.Client:
    """One for all: each new client reads the system's certificates, which takes longer than a call."""
    return httpx.Client(limits=httpx.Limits(max_connections=None), timeout=60)


def trouble(stack: Stack, query: str, timeout: float = 60) -> httpx.Response:
    return client().get(f"{stack.api_url}/functions/v1/trouble?{query}", timeout=timeout)


def echo(stack: Stack) -> httpx.Response:
    return client().post(f"{stack.api_url}/functions/v1/echo", timeout=20)


def log(stack: Stack) -> str:
    return read_log(stack.state, "functions")


def logged(stack: Stack, text: str, times: int = 1) -> bool:
    """Tell whether it comes to say so: a second of processor time is much on a machine that is busy otherwise."""
    return until(lambda: log(stack).count(text) >= times, 60)
