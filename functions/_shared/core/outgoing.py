"""Calls of vendors and of Supabase: each with the request's id, a line in the log, and reported to who counts them.

A call's name is one of a few, never a part of an address that a person or a vendor has chosen: it is a label of the
metrics, and addresses hold secrets.
"""

from __future__ import annotations

import functools
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal
from urllib.request import getproxies, proxy_bypass

import httpx

from _shared.core.logs import current_request_id, log_call

Vendor = Literal[
    "database",
    "auth",
    "storage",
    "stripe",
    "printify",
    "replicate",
    "zippopotam",
    "mail",
    "automation",
    "site",
    "mockups",
    "webhook_test",
]
Outcome = Literal["ok", "refused", "failed", "no_answer"]

# Its gateway writes a line for each of these, with the same id.
_SUPABASE = ("database", "auth", "storage")
_ID = r"[^/]+"
_NAMES: dict[str, tuple[tuple[str, str], ...]] = {
    "database": ((r"\w+ .*/rest/v1/rpc/([a-z_]+)", r"\1"), (r"(\w+) .*/rest/v1/([a-z_]+)", r"\1 \2")),
    "auth": ((r"GET .*/auth/v1/user", "get_user"),),
    "storage": (
        (r"POST .*/object/copy", "copy"),
        (r"POST .*/object/sign/.*", "sign"),
        (r"(?:POST|PUT) .*/object/.*", "upload"),
        (r"GET .*/object/.*", "download"),
        (r"DELETE .*/object/.*", "remove"),
    ),
    "stripe": (
        (rf"POST .*/payment_intents/{_ID}/cancel", "cancel_payment_intent"),
        (r"POST .*/payment_intents", "create_payment_intent"),
        (rf"GET .*/payment_intents/{_ID}", "get_payment_intent"),
        (r"POST .*/refunds", "create_refund"),
        (r"GET .*/refunds", "list_refunds"),
        (r"GET .*/disputes", "list_disputes"),
        (r"GET .*/events", "list_events"),
    ),
    "printify": (
        (r"GET .*/variants\.json", "list_variants"),
        (r"POST .*/uploads/images\.json", "upload"),
        (r"POST .*/products\.json", "create_product"),
        (rf"DELETE .*/products/{_ID}", "delete_product"),
        (r"POST .*/orders\.json", "create_order"),
        (rf"POST .*/orders/{_ID}/send_to_production\.json", "send_to_production"),
        (rf"POST .*/orders/{_ID}/cancel\.json", "cancel_order"),
        (rf"GET .*/orders/{_ID}", "get_order"),
    ),
    "replicate": (
        (r"POST .*/v1/files", "upload"),
        (r"POST .*/v1/models/.*/predictions", "create_prediction"),
        (rf"POST .*/v1/predictions/{_ID}/cancel", "cancel_prediction"),
        (rf"GET .*/v1/predictions/{_ID}", "get_prediction"),
        (r"GET .*/v1/predictions", "list_predictions"),
        (r"GET .*", "download"),
    ),
    "zippopotam": ((r"GET .*", "look_up"),),
    "automation": ((r"POST .*", "post"),),
    "site": ((r"GET .*", "read_page"),),
    "mockups": ((r"GET .*", "download"),),
}
_COMPILED = {
    vendor: tuple((re.compile(pattern), name) for pattern, name in names) for vendor, names in _NAMES.items()
}


@dataclass(frozen=True)
class Call:
    """A call that has ended. `status` is HTTP's, None where there was no answer, or no HTTP."""

    vendor: Vendor
    name: str
    outcome: Outcome
    status: int | None
    seconds: float


class CallStatus:
    """Takes the status of the call that its block makes."""

    status: int | None = None


# Of the process, and added as it starts: the container's metrics.
_listeners: list[Callable[[Call], None]] = []


def on_call(listener: Callable[[Call], None]) -> None:
    """`listener` hears of every call that ends from now on."""
    _listeners.append(listener)


def call_name(vendor: Vendor, method: str, path: str) -> str:
    """The call's name; `other` for an address that no client of ours calls."""
    for pattern, name in _COMPILED.get(vendor, ()):
        if match := pattern.fullmatch(f"{method} {path}"):
            return match.expand(name)
    return "other"


@contextmanager
def observed(vendor: Vendor, name: str) -> Iterator[CallStatus]:
    """Times, logs and reports the call that the block makes. A block that raises has had no answer."""
    call_status = CallStatus()
    started = time.perf_counter()
    outcome: Outcome = "no_answer"
    try:
        yield call_status
        outcome = _outcome(call_status.status)
    finally:
        call = Call(vendor, name, outcome, call_status.status, time.perf_counter() - started)
        if vendor not in _SUPABASE or outcome in ("failed", "no_answer"):
            log_call(call.vendor, call.name, call.outcome, call.status, call.seconds * 1000)
        for listener in _listeners:
            listener(call)


def _outcome(status: int | None) -> Outcome:
    if status is None or status < 400:
        return "ok"
    return "refused" if status < 500 else "failed"


class OutgoingTransport(httpx.BaseTransport):
    """Every request of an httpx client as an outgoing call. `inner` sends it; by default the network does."""

    def __init__(self, vendor: Vendor, inner: httpx.BaseTransport | None = None) -> None:
        self._vendor: Vendor = vendor
        self._inner = inner or _Network()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends it, with the id of the request that is being answered."""
        if request_id := current_request_id():
            request.headers["x-request-id"] = request_id
        with observed(self._vendor, call_name(self._vendor, request.method, request.url.path)) as call:
            response = self._inner.handle_request(request)
            call.status = response.status_code
        return response

    def close(self) -> None:
        """Closes its connections."""
        self._inner.close()


class _Network(httpx.BaseTransport):
    """The network, by the environment's proxies: httpx looks at them only where it makes the transport itself."""

    def __init__(self) -> None:
        self._proxies = {
            scheme: address for scheme, address in getproxies().items() if scheme in ("http", "https")
        }
        self._transports: dict[tuple[str, str | None], httpx.HTTPTransport] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        scheme = request.url.scheme
        proxy = self._proxies.get(scheme)
        way = scheme, None if proxy is None or proxy_bypass(request.url.host) else proxy
        transport = self._transports.get(way)
        if transport is None:
            transport = self._transports.setdefault(way, _transport(*way))
        return transport.handle_request(request)

    def close(self) -> None:
        for transport in self._transports.values():
            transport.close()


def _transport(scheme: str, proxy: str | None) -> httpx.HTTPTransport:
    """Without TLS there is nothing to verify: a context that trusts nobody stands in for the certificates."""
    plain = scheme == "http" and proxy is None
    verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else _certificates()
    return httpx.HTTPTransport(verify=verify, proxy=proxy)


@functools.cache
def _certificates() -> ssl.SSLContext:
    """One for all transports of the process: reading the certificates takes it 40 ms and a megabyte."""
    return httpx.create_ssl_context()
