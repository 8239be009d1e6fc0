"""The check that a request is of this machine's own site: by `Host`, that a name was not made to mean 127.0.0.1 (DNS
rebinding), and by `Origin`, that no other site's page has sent it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_SETTING = "LOCALBASE_HOSTS"
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]]*)(?::[0-9]*)?")


def own_hosts(environ: Mapping[str, str]) -> frozenset[str]:
    """Names by which the mailbox and Studio are reached besides those of this machine: a tunnel's, a container's."""
    names = environ.get(_SETTING, "").split(",")
    return frozenset(name.strip().lower() for name in names if name.strip())


def rejection_of(headers: Mapping[str, str], hosts: Collection[str]) -> str:
    """Return why a request is another site's, "" for one of this machine or of `hosts`.

    An address is no name that somebody could point elsewhere; `localhost` and what is below it are loopback (RFC 6761).
    """
    host = headers.get("host", "")
    parts = _HOST.fullmatch(host.lower())
    name = parts["name"].strip("[]").rstrip(".") if parts else ""
    if not (_is_address(name) or name == "localhost" or name.endswith(".localhost") or name in hosts):
        return f"Not the address of this page. A name of your own for it belongs into {_SETTING}."
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != host:
        return "This page answers no other site."
    return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class OwnSite:
    """ASGI middleware: 403 for what another site has sent."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on what is of this site."""
        rejection = rejection_of(Headers(scope=scope), self._hosts) if scope["type"] == "http" else ""
        if rejection:
            await JSONResponse({"message": rejection}, 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)
