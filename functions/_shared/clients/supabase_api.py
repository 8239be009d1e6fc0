"""The project's stack by supabase-py, as service_role: one client for the Data API, Auth and Storage.

Row security does not apply to this key: every caller restricts the rows to its user's itself.
"""

from __future__ import annotations

from collections.abc import Callable

import httpx

from _shared.core.outgoing import Vendor
from supabase import Client, ClientOptions, create_client

# supabase-py has one HTTP client for all services: the path says which of them a call is for
_SERVICES: dict[str, tuple[Vendor, httpx.Timeout]] = {
    "rest": ("database", httpx.Timeout(15.0, connect=5.0)),
    "auth": ("auth", httpx.Timeout(10.0)),
    "storage": ("storage", httpx.Timeout(30.0, connect=5.0)),
}


def connect(supabase_url: str, key: str, transport_of: Callable[[Vendor], httpx.BaseTransport]) -> Client:
    """A client without a session: nobody signs in with it, so it starts no timer and stores nothing."""
    http = httpx.Client(transport=_ServiceTransport(supabase_url, transport_of))
    options = ClientOptions(httpx_client=http, auto_refresh_token=False, persist_session=False)
    return create_client(supabase_url, key, options)


class _ServiceTransport(httpx.BaseTransport):
    """Sends each call as one of its service's, within that service's time, and the key to no other address."""

    def __init__(self, supabase_url: str, transport_of: Callable[[Vendor], httpx.BaseTransport]) -> None:
        self._services = [
            (str(httpx.URL(f"{supabase_url}/{path}/v1/")), transport_of(vendor), timeout.as_dict())
            for path, (vendor, timeout) in _SERVICES.items()
        ]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        address = str(request.url)
        for prefix, transport, timeout in self._services:
            if address.startswith(prefix):
                request.extensions["timeout"] = timeout
                return transport.handle_request(request)
        raise httpx.UnsupportedProtocol(f"{request.url.host} is no service of this project", request=request)
