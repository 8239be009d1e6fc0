"""The storage service: its table of contents, and how an error becomes an answer.

Each route names its operation, which policies can read as `storage.operation()` (supabase/storage,
`src/http/routes/operations.ts`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import psycopg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from localbase.core.authenticator import Authenticator
from localbase.core.clock import Clock, system_clock
from localbase.core.project import Project
from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import ServicePool
from localbase.storage import buckets, copying, download, listing, removal, signing, upload
from localbase.storage.configured import make_buckets
from localbase.storage.context import Context
from localbase.storage.errors import StorageError
from localbase.storage.files import DiskFiles
from localbase.storage.refusals import refusal
from localbase.storage.s3.service import s3_routes
from localbase.storage.sweep import sweep_for_ever
from localbase.storage.upload_slots import UploadSlots

__all__ = ["StorageService", "make_buckets", "sweep_for_ever"]

Endpoint = Callable[[Context, Request], Awaitable[Response]]


async def status(context: Context, request: Request) -> Response:  # noqa: ARG001
    """GET /status."""
    return PlainTextResponse("")


_OBJECT = "/{bucket}/{key:path}"
ROUTES: tuple[tuple[tuple[str, ...], str, str, Endpoint], ...] = (
    (("GET",), "/status", "storage.status", status),
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
)


class StorageService:
    """The Storage API over `db`, as an ASGI application `app`; `files` holds the bytes."""

    def __init__(
        self, project: Project, db: ServicePool, authenticator: Authenticator, clock: Clock = system_clock
    ) -> None:
        self.files = DiskFiles(project.state / "storage")
        context = Context(project.settings, db, self.files, authenticator, UploadSlots(), clock)
        routes = [
            Route(path, _bound(context, operation, endpoint), methods=list(verbs))
            for verbs, path, operation, endpoint in ROUTES
        ]
        routes += s3_routes(context)
        self.app = Starlette(routes=routes)


def _bound(context: Context, operation: str, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        request.state.operation = operation
        try:
            return await endpoint(context, request)
        except StorageError as error:
            return error.response()
        except PoolExhausted:
            return StorageError(
                544, "DatabaseTimeout", "The connection to the database timed out", http_status=544
            ).response()
        except psycopg.Error as error:
            return refusal(error).response()

    return answer
