"""GET /us/{zip}."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from emulators.core.environment import ROOT
from emulators.vendor_app import Host, VendorApp, read_nothing, vendor_route
from emulators.zippopotam.places import Places

_HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=3600"}


def build(_: Host) -> VendorApp:
    # Beside what `make` leaves, not in the stack's data: a reset need not write it anew.
    places = Places(ROOT / ".localbase")

    def look_up(request: Request) -> Response:
        country, code = request.path_params["country"], request.path_params["code"]
        place = places.find(code) if country.lower() == "us" else None
        return JSONResponse(place or {}, 200 if place else 404, _HEADERS)

    return VendorApp([vendor_route("GET", "/{country}/{code}", read_nothing, look_up)])
