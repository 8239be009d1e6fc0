"""The printer's photographs of a product on a shirt, by their public addresses."""

from __future__ import annotations

from urllib.parse import quote

import httpx

from _shared.core.errors import unavailable

# the front, as pages show it first
_FRONT = 102048
_LARGEST_BYTES = 10 * 1024 * 1024


def mockup_url(base: str, product: str, variant: int, size: int = 800) -> str:
    """The address, as the web client writes it (web/src/shop/designs/mockup-url.ts)."""
    return f"{base}/mockup/{quote(product, safe='')}/{variant}/{_FRONT}/mockup.jpg?s={size}"


class Mockups:
    """`base` is the printer's host of pictures."""

    def __init__(self, base: str, transport: httpx.BaseTransport | None = None) -> None:
        self.base = base
        self._http = httpx.Client(timeout=10.0, transport=transport)

    def front(self, product: str, variant: int) -> bytes:
        """The photograph's bytes. 502 where there is none, or one that is too large."""
        try:
            with self._http.stream("GET", mockup_url(self.base, product, variant)) as response:
                response.raise_for_status()
                content = b""
                for part in response.iter_bytes():
                    content += part
                    if len(content) > _LARGEST_BYTES:
                        raise ValueError("The printer's picture is too large")
                return content
        except (httpx.HTTPError, ValueError) as error:
            raise unavailable("mockup_unavailable", "The picture is not there yet.", error) from error
