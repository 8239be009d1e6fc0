"""Addresses of the official local stack's containers, as the gateway's.

Migrations, webhooks and hooks of Auth name them (`http://kong:8000/functions/v1/…`,
`http://host.docker.internal:54321`), for there the database and Auth are in containers. Here they are beside the
gateway.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

_GATEWAY = re.compile(r"kong|supabase_kong_[\w.-]+|api\.supabase\.internal")
_THIS_MACHINE = ("host.docker.internal", "gateway.docker.internal", "host.containers.internal")


def local_address(url: str, api_port: int) -> str:
    """`url` with the host of a container replaced. Raises `ValueError` for what is no address."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if _GATEWAY.fullmatch(host):
        return urlunsplit(("http", f"127.0.0.1:{api_port}", *parts[2:]))
    if host in _THIS_MACHINE:
        port = f":{parts.port}" if parts.port else ""
        return urlunsplit((parts.scheme, f"127.0.0.1{port}", *parts[2:]))
    return url
