"""Replicate's routes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emulators.assets import Assets
from emulators.core.inputs import read_json, read_number
from emulators.replicate.errors import ProblemError
from emulators.replicate.files import Files
from emulators.replicate.models import MODELS, Model
from emulators.replicate.predictions import WEBHOOK_SECRET, Predictions
from emulators.vendor_app import Host, VendorApp, credentials, vendor_route

_ACCOUNT = {"type": "organization", "username": "teesmith", "name": "Teesmith", "github_url": None}


def build(host: Host) -> VendorApp:
    files = Files(host.store, host.folder / "files", host.base_url)
    predictions = Predictions(
        host.store,
        host.folder / "outputs",
        files,
        host.render_pool,
        host.base_url,
        Assets(host.settings.modules, host.folder),
    )
    return VendorApp(_routes(predictions, files, host.settings.replicate_token), (predictions.webhooks.run,))


def _routes(predictions: Predictions, files: Files, token: str) -> list[Route]:
    async def authenticated(request: Request) -> Request:
        scheme, key = credentials(request)
        if scheme not in ("bearer", "token") or key != token:
            raise ProblemError(401, "Unauthenticated", "You did not pass a valid authentication token")
        return request

    def route(method: str, path: str, handler: Callable[[Request], object]) -> Route:
        return vendor_route(method, path, authenticated, handler)

    async def prediction_response(request: Request, id: str) -> Response:
        """201 at once, or after `Prefer: wait[=seconds]` (60 at most)."""
        prefer = re.search(r"\bwait(?:=([0-9]+))?", request.headers.get("prefer", ""))
        if prefer is None:
            return JSONResponse(predictions.get(id), 201)
        document = await predictions.wait(id, read_number(prefer.group(1) or "60", 60) or 0)
        return JSONResponse(document, 201, {"Preference-Applied": prefer.group(0)})

    async def predict_by_model(request: Request) -> Response:
        body = await _json(request)
        if "model" in body or "version" in body:
            raise ProblemError(422, "Unexpected field", "Name the model in the address, not in the body.")
        return await prediction_response(request, predictions.create(_model(request.path_params), body))

    async def predict_by_version(request: Request) -> Response:
        body = await _json(request)
        name = str(body.get("version", "")).partition(":")[0]
        if name not in MODELS:
            raise ProblemError(
                422,
                "Invalid version or not permitted",
                "The specified version does not exist (or perhaps you don't have permission to use it?)",
            )
        return await prediction_response(request, predictions.create(MODELS[name], body))

    async def create_file(request: Request) -> Response:
        async with request.form() as form:
            content = form.get("content")
            if not isinstance(content, UploadFile):
                raise ProblemError(400, "Missing content", "Missing content")
            document = files.create(
                content.filename or "file",
                content.content_type or "application/octet-stream",
                await content.read(),
            )
        return JSONResponse(document, 201)

    def delete_file(request: Request) -> Response:
        files.delete(request.path_params["id"])
        return Response(status_code=204)

    return [
        route("POST", "/v1/models/{owner}/{name}/predictions", predict_by_model),
        route("GET", "/v1/models/{owner}/{name}", lambda request: _described(_model(request.path_params))),
        route("POST", "/v1/predictions", predict_by_version),
        route(
            "GET",
            "/v1/predictions",
            lambda request: predictions.page(request.query_params),
        ),
        route("GET", "/v1/predictions/{id}", lambda request: predictions.get(request.path_params["id"])),
        route(
            "POST",
            "/v1/predictions/{id}/cancel",
            lambda request: predictions.cancel(request.path_params["id"]),
        ),
        route("POST", "/v1/files", create_file),
        route("GET", "/v1/files/{id}", lambda request: files.get(request.path_params["id"])),
        route("DELETE", "/v1/files/{id}", delete_file),
        route("GET", "/v1/account", lambda _: _ACCOUNT),
        route("GET", "/v1/webhooks/default/secret", lambda _: {"key": WEBHOOK_SECRET}),
    ]


def _model(path: dict[str, Any]) -> Model:
    model = MODELS.get(f"{path['owner']}/{path['name']}")
    if model is None:
        raise ProblemError.missing()
    return model


def _described(model: Model) -> dict[str, Any]:
    return {
        "url": f"https://replicate.com/{model.owner}/{model.name}",
        "owner": model.owner,
        "name": model.name,
        "description": model.description,
        "visibility": "public",
        "github_url": None,
        "paper_url": None,
        "license_url": None,
        "run_count": 0,
        "cover_image_url": None,
        "default_example": None,
        "latest_version": None,
    }


async def _json(request: Request) -> dict[str, Any]:
    try:
        body = read_json(await request.body())
    except ValueError as error:
        raise ProblemError(400, "Bad request", "The request body is not valid JSON.") from error
    if not isinstance(body, dict):
        raise ProblemError(400, "Bad request", "The request body must be a JSON object.")
    return body
