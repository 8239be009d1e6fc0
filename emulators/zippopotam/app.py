"""GET /us/{zip}."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from emulators.zippopotam.places import Places

_HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=3600"}


def routes(places: Places) -> list[BaseRoute]:
    async def look_up(request: Request) -> Response:
        country, code = request.path_params["country"], request.path_params["code"]
        answer = places.find(code) if country.lower() == "us" else None
        return JSONResponse(answer or {}, 200 if answer else 404, _HEADERS)

    return [Route("/{country}/{code}", look_up, methods=["GET"])]
