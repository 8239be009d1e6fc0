"""Replicate's routes."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from emulators.inputs import read_json, read_number
from emulators.replicate.errors import ProblemError
from emulators.replicate.files import Files
from emulators.replicate.models import MODELS, Model
from emulators.replicate.predictions import WEBHOOK_SECRET, Predictions

Handler = Callable[[Request], Awaitable[Response]]


def routes(predictions: Predictions, files: Files, token: str) -> list[BaseRoute]:
    def guarded(handler: Handler) -> Handler:
        async def endpoint(request: Request) -> Response:
            try:
                scheme, _, given = request.headers.get("authorization", "").partition(" ")
                if scheme.lower() not in ("bearer", "token") or given.strip() != token:
                    raise ProblemError(
                        401, "Unauthenticated", "You did not pass a valid authentication token"
                    )
                return await handler(request)
            except ProblemError as problem:
                return Response(
                    json.dumps(problem.body), problem.status, media_type="application/problem+json"
                )

        return endpoint

    def route(method: str, path: str, handler: Handler) -> Route:
        return Route(path, guarded(handler), methods=[method])

    async def answer(request: Request, id: str) -> Response:
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
        return await answer(request, predictions.create(_model(request.path_params), body))

    async def predict_by_version(request: Request) -> Response:
        body = await _json(request)
        name = str(body.get("version", "")).partition(":")[0]
        if name not in MODELS:
            raise ProblemError(
                422,
                "Invalid version or not permitted",
                "The specified version does not exist (or perhaps you don't have permission to use it?)",
            )
        return await answer(request, predictions.create(MODELS[name], body))

    async def get_prediction(request: Request) -> Response:
        return JSONResponse(predictions.get(request.path_params["id"]))

    async def list_predictions(_request: Request) -> Response:
        return JSONResponse({"previous": None, "next": None, "results": predictions.list()})

    async def cancel_prediction(request: Request) -> Response:
        return JSONResponse(predictions.cancel(request.path_params["id"]))

    async def get_model(request: Request) -> Response:
        model = _model(request.path_params)
        return JSONResponse(
            {
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
        )

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

    async def get_file(request: Request) -> Response:
        return JSONResponse(files.get(request.path_params["id"]))

    async def delete_file(request: Request) -> Response:
        files.delete(request.path_params["id"])
        return Response(status_code=204)

    async def get_account(_request: Request) -> Response:
        return JSONResponse(
            {"type": "organization", "username": "teesmith", "name": "Teesmith", "github_url": None}
        )

    async def get_secret(_request: Request) -> Response:
        return JSONResponse({"key": WEBHOOK_SECRET})

    return [
        route("POST", "/v1/models/{owner}/{name}/predictions", predict_by_model),
        route("GET", "/v1/models/{owner}/{name}", get_model),
        route("POST", "/v1/predictions", predict_by_version),
        route("GET", "/v1/predictions", list_predictions),
        route("GET", "/v1/predictions/{id}", get_prediction),
        route("POST", "/v1/predictions/{id}/cancel", cancel_prediction),
        route("POST", "/v1/files", create_file),
        route("GET", "/v1/files/{id}", get_file),
        route("DELETE", "/v1/files/{id}", delete_file),
        route("GET", "/v1/account", get_account),
        route("GET", "/v1/webhooks/default/secret", get_secret),
    ]


def _model(path: dict[str, Any]) -> Model:
    model = MODELS.get(f"{path['owner']}/{path['name']}")
    if model is None:
        raise ProblemError.missing()
    return model


async def _json(request: Request) -> dict[str, Any]:
    try:
        body = read_json(await request.body())
    except ValueError as error:
        raise ProblemError(400, "Bad request", "The request body is not valid JSON.") from error
    if not isinstance(body, dict):
        raise ProblemError(400, "Bad request", "The request body must be a JSON object.")
    return body
