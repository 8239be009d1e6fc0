"""The storage service: its table of contents, and how an error becomes a response.

Each route names its operation, which policies can read as `storage.operation()` (supabase/storage,
`src/http/routes/operations.ts`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable
from importlib import metadata

import psycopg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from localbase.core.authenticator import Authenticator
from localbase.core.clock import Clock, system_clock
from localbase.core.project import Project
from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import ServicePool
from localbase.storage import removal
from localbase.storage.backend.disk import DiskFiles, Files
from localbase.storage.config_buckets import make_buckets
from localbase.storage.context import Context
from localbase.storage.endpoints import buckets, copying, download, listing, render, signing, upload
from localbase.storage.errors import StorageError, access_denied, to_storage_error
from localbase.storage.images.renderer import Renderer
from localbase.storage.public_objects import PublicObjects
from localbase.storage.s3.service import s3_routes
from localbase.storage.sweep import sweep_for_ever
from localbase.storage.tus import endpoints as tus
from localbase.storage.tus.endpoints import as_tus
from localbase.storage.upload_slots import UploadSlots

__all__ = ["StorageService", "make_buckets", "sweep_for_ever"]

_log = logging.getLogger("localbase.storage")
Endpoint = Callable[[Context, Request], Awaitable[Response]]


async def status(context: Context, request: Request) -> Response:  # noqa: ARG001
    """GET /status."""
    return PlainTextResponse("")


async def version(context: Context, request: Request) -> Response:  # noqa: ARG001
    """GET /version: localbase's own."""
    return PlainTextResponse(metadata.version("localbase"))


async def health(context: Context, request: Request) -> Response:
    """GET /health, for callers with a key: whether the database answers."""
    call = context.call(request)
    try:
        async with call.begin_as_service() as cursor:
            await cursor.execute(b"select from storage.buckets limit 1")
    except (psycopg.Error, PoolExhausted):
        _log.warning("the health check failed", exc_info=True)
        return JSONResponse({"healthy": False})
    return JSONResponse({"healthy": True})


async def purge_cache(context: Context, request: Request) -> Response:
    """DELETE /cdn, /cdn/{bucket}, /cdn/{bucket}/{key}, for the service role: there is no cache here."""
    if context.call(request).caller.role != "service_role":
        raise access_denied("Access denied: Invalid role")
    return JSONResponse({"message": "success"})


async def unavailable(context: Context, request: Request) -> Response:
    """Analytics and vector buckets, life cycles: kinds of storage that are not served here."""
    context.call(request)
    raise StorageError(409, "FeatureNotEnabled", "The feature is not enabled for this resource")


_ANY = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_OBJECT = "/{bucket}/{key:path}"
_TUS: tuple[tuple[tuple[str, ...], str, str, Endpoint], ...] = (
    (("OPTIONS",), "", "options", tus.describe),
    (("OPTIONS",), "/{id}", "options", tus.describe),
    (("POST",), "", "upload.create", tus.create_upload),
    (("POST",), "/", "upload.create", tus.create_upload),
    (("PATCH",), "/{id}", "upload.part", tus.resume),
    (("HEAD",), "/{id}", "upload.get", tus.look),
    (("DELETE",), "/{id}", "upload.delete", tus.terminate),
)
ROUTES: tuple[tuple[tuple[str, ...], str, str, Endpoint], ...] = (
    (("GET",), "/status", "storage.status", status),
    (("GET",), "/version", "storage.version", version),
    (("GET",), "/health", "storage.health", health),
    (("GET",), "/bucket", "storage.bucket.list", buckets.list_buckets),
    (("POST",), "/bucket", "storage.bucket.create", buckets.create_bucket),
    (("GET",), "/bucket/{bucket}", "storage.bucket.get", buckets.read_bucket),
    (("PUT",), "/bucket/{bucket}", "storage.bucket.update", buckets.update_bucket),
    (("DELETE",), "/bucket/{bucket}", "storage.bucket.delete", buckets.delete_bucket),
    (("POST",), "/bucket/{bucket}/empty", "storage.bucket.empty", buckets.empty_bucket),
    (("GET", "HEAD"), f"/object/public{_OBJECT}", "storage.object.get_public", download.read_public),
    (("GET", "HEAD"), f"/object/sign{_OBJECT}", "storage.object.get_signed", signing.read_signed),
    (("GET",), f"/object/info/public{_OBJECT}", "storage.object.info_public", download.read_public_info),
    (("GET",), f"/object/info/authenticated{_OBJECT}", "object.get_authenticated_info", download.read_info),
    (("GET",), f"/object/info{_OBJECT}", "object.get_authenticated_info", download.read_info),
    (
        ("GET",),
        f"/object/authenticated{_OBJECT}",
        "storage.object.get_authenticated",
        download.read_authenticated,
    ),
    (
        ("HEAD",),
        f"/object/authenticated{_OBJECT}",
        "object.head_authenticated_info",
        download.read_authenticated,
    ),
    (("POST",), f"/object/upload/sign{_OBJECT}", "storage.object.sign_upload_url", upload.sign_upload),
    (("PUT",), f"/object/upload/sign{_OBJECT}", "storage.object.upload_signed", upload.upload_signed),
    (("POST",), f"/object/sign{_OBJECT}", "storage.object.sign", signing.sign_object),
    (("POST",), "/object/sign/{bucket}", "storage.object.sign_many", signing.sign_objects),
    (("POST",), "/object/list/{bucket}", "storage.object.list", listing.list_objects),
    (("POST",), "/object/list-v2/{bucket}", "storage.object.list_v2", listing.list_objects_v2),
    (("POST",), "/object/copy", "storage.object.copy", copying.copy_object),
    (("POST",), "/object/move", "storage.object.move", copying.move_object),
    (("GET",), f"/object{_OBJECT}", "storage.object.get_authenticated", download.read_any),
    (("HEAD",), f"/object{_OBJECT}", "object.head_authenticated_info", download.read_any),
    (("POST",), f"/object{_OBJECT}", "storage.object.upload", upload.upload),
    (("PUT",), f"/object{_OBJECT}", "storage.object.upload_update", upload.upload),
    (("DELETE",), f"/object{_OBJECT}", "storage.object.delete", removal.remove_object),
    (("DELETE",), "/object/{bucket}", "storage.object.delete_many", removal.remove_objects),
    (("GET",), f"/render/image/public{_OBJECT}", "storage.render.image_public", render.render_public),
    (
        ("GET",),
        f"/render/image/authenticated{_OBJECT}",
        "storage.render.image_authenticated",
        render.render_authenticated,
    ),
    (("GET",), f"/render/image/sign{_OBJECT}", "storage.render.image_sign", render.render_signed),
    *(
        (
            verbs,
            f"/upload/resumable{signed}{path}",
            f"storage.tus.{operation}{'_signed' if signed else ''}",
            as_tus(endpoint),
        )
        for signed in ("/sign", "")
        for verbs, path, operation, endpoint in _TUS
    ),
    (_ANY, "/bucket/{bucket}/lifecycle", "storage.bucket.lifecycle", unavailable),
    (_ANY, "/iceberg/{rest:path}", "storage.iceberg", unavailable),
    (_ANY, "/vector/{rest:path}", "storage.vector", unavailable),
    (("DELETE",), "/cdn", "storage.cdn.purge_tenant_cache", purge_cache),
    (("DELETE",), "/cdn/{bucket}", "storage.cdn.purge_bucket_cache", purge_cache),
    (("DELETE",), f"/cdn{_OBJECT}", "storage.cdn.purge_object_cache", purge_cache),
)


class StorageService:
    """The Storage API over `db`, as an ASGI application `app`; `files` holds the bytes."""

    def __init__(
        self,
        project: Project,
        db: ServicePool,
        authenticator: Authenticator,
        clock: Clock = system_clock,
        *,
        worker: int = 0,
        workers: int = 1,
    ) -> None:
        """`worker` numbers the `workers` processes that serve one project: they share the cores for drawing."""
        self.files = files_of(project)
        processes = max(1, (os.cpu_count() or 1) // workers)
        self._renderer = Renderer(self.files, project.state / "renders" / str(worker), processes=processes)
        context = Context(
            project.settings, db, self.files, authenticator, UploadSlots(), self._renderer, clock
        )
        self.public_objects = PublicObjects(db, self.files) if isinstance(self.files, DiskFiles) else None
        # S3's first: its clients ask as often as all others, and a router looks at one route after the other.
        routes = s3_routes(context)
        routes += [
            Route(path, _bound(context, operation, endpoint), methods=list(verbs))
            for verbs, path, operation, endpoint in ROUTES
        ]
        # Upstream's router knows no path by another method.
        handlers = {404: _not_found, 405: _not_found}
        self.app = Starlette(routes=routes, exception_handlers=handlers)

    async def close(self) -> None:
        """Ends the processes that draw, and connections."""
        await self._renderer.close()
        await self.files.close()


def files_of(project: Project) -> Files:
    """Return where the project's settings say that its bytes lie."""
    on_disk, settings = DiskFiles(project.state / "storage"), project.settings.storage.byte_store
    if settings.backend == "disk":
        return on_disk
    # Here, for its HTTP client: most projects need none.
    from localbase.storage.backend.s3 import S3Files
    from localbase.storage.backend.s3_bucket import S3Bucket

    return S3Files(S3Bucket(settings), on_disk)


async def _not_found(request: Request, _: Exception) -> Response:
    """As `src/http/not-found-handler.ts`."""
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    query = f"?{request.url.query}" if request.url.query else ""
    message = f"Route {request.method}:{path}{query} not found"
    return StorageError(404, "InvalidRequest", message, error="Not Found", http_status=404).response()


def _bound(context: Context, operation: str, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def bound_endpoint(request: Request) -> Response:
        request.state.operation = operation
        try:
            return await endpoint(context, request)
        except StorageError as error:
            return error.response()
        except (psycopg.Error, PoolExhausted) as error:
            return to_storage_error(error).response()

    return bound_endpoint
