"""zippopotam.us: the places of a US ZIP code. A free service without promises, so it gets two seconds."""

from __future__ import annotations

from dataclasses import dataclass

import httpx

from _shared.core.errors import unavailable


@dataclass(frozen=True)
class Place:
    """`state` is the two-letter abbreviation."""

    city: str
    state: str


class Zippopotam:
    """`GET /us/{zip}`: 404 with `{}` means that there is no such ZIP code."""

    def __init__(self, base: str, transport: httpx.BaseTransport | None = None) -> None:
        self._http = httpx.Client(base_url=base, timeout=2.0, transport=transport)

    def place(self, zip_code: str) -> Place | None:
        try:
            response = self._http.get(f"/us/{zip_code}")
            if response.status_code == 404:
                return None
            response.raise_for_status()
            # keys contain spaces; several places may share a ZIP, the first is the post office's own
            first = response.json()["places"][0]
            return Place(city=str(first["place name"]), state=str(first["state abbreviation"]))
        except (httpx.HTTPError, ValueError, KeyError, IndexError, TypeError) as error:
            raise unavailable(
                "zip_lookup_unavailable", "Failed to lookup ZIP code information.", error
            ) from error
