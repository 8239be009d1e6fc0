"""The emulators' part of a backup, for a shop that runs on this machine: found by the vendors' addresses."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from deploy.errors import CommandError
from deploy.http import Api

_ADDRESSES = ("STRIPE_API_BASE", "PRINTIFY_API_BASE", "REPLICATE_BASE_URL")


def find_emulators(environ: Mapping[str, str]) -> Api | None:
    """The process that stands for the vendors; None where the vendors are the real ones."""
    origins = {_origin(environ[name]) for name in _ADDRESSES if environ.get(name)}
    for origin in sorted(origin for origin in origins if _is_local(origin)):
        try:
            response = httpx.get(f"{origin}/health", timeout=15)
        except httpx.HTTPError as error:
            raise CommandError(f"The emulators do not answer at {origin}: run `make start`.") from error
        if response.status_code == 200 and "emulated" in response.text:
            return Api("The emulators", origin, {}, timeout=600)
    return None


def save_state(emulators: Api, path: Path) -> None:
    with emulators.stream("GET", "/state") as response, path.open("wb") as out:
        if response.status_code != 200:
            raise CommandError(f"The emulators refused GET /state: {response.status_code}")
        for piece in response.iter_raw():
            out.write(piece)


def put_state(emulators: Api, path: Path) -> None:
    with path.open("rb") as content:
        emulators.call("PUT", "/state", content=content)


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _is_local(origin: str) -> bool:
    host = urlsplit(origin).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
