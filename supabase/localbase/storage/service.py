"""The storage service: its table of contents, and how an error becomes an answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import psycopg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from localbase.core.authenticator import Authenticator
from localbase.core.project import Project
from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import ServicePool
from localbase.storage import buckets, download, objects, signing, upload
from localbase.storage.buckets import make_buckets
from localbase.storage.context import Context
from localbase.storage.errors import StorageError
from localbase.storage.files import Files

__all__ = ["StorageService", "make_buckets"]

Endpoint = Callable[[Context, Request], Awaitable[Response]]
_log = logging.getLogger("localbase.storage")


async def status(context: Context, request: Request) -> Response:  # noqa: ARG001
    """GET /status."""
    return PlainTextResponse("")


ROUTES: tuple[tuple[str, str, Endpoint], ...] = (
    ("GET", "/status", status),
    ("GET", "/bucket", buckets.list_buckets),
    ("POST", "/bucket", buckets.create_bucket),
    ("GET", "/bucket/{bucket}", buckets.read_bucket),
    ("GET", "/object/public/{bucket}/{key:path}", download.read_public),
    ("GET", "/object/authenticated/{bucket}/{key:path}", download.read_authenticated),
    ("GET", "/object/sign/{bucket}/{key:path}", signing.read_signed),
    ("POST", "/object/sign/{bucket}/{key:path}", signing.sign_object),
    ("POST", "/object/sign/{bucket}", signing.sign_objects),
    ("POST", "/object/list/{bucket}", objects.list_objects),
    ("GET", "/object/{bucket}/{key:path}", download.read_authenticated),
    ("POST", "/object/{bucket}/{key:path}", upload.upload),
    ("PUT", "/object/{bucket}/{key:path}", upload.upload),
    ("DELETE", "/object/{bucket}/{key:path}", objects.remove_object),
    ("DELETE", "/object/{bucket}", objects.remove_objects),
)


class StorageService:
    """The Storage API over `db`, as an ASGI application `app`; `files` holds the bytes."""

    def __init__(self, project: Project, db: ServicePool, authenticator: Authenticator) -> None:
        self.files = Files(project.state / "storage")
        context = Context(project.settings, db, self.files, authenticator)
        routes = [Route(path, _bound(context, endpoint), methods=[verb]) for verb, path, endpoint in ROUTES]
        self.app = Starlette(routes=routes)


def _bound(context: Context, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            return await endpoint(context, request)
        except StorageError as error:
            return error.response()
        except PoolExhausted:
            return StorageError(503, "DatabaseTimeout", "The database is busy", http_status=503).response()
        except psycopg.errors.InsufficientPrivilege as error:
            return StorageError(403, "Unauthorized", str(error).split("\n")[0]).response()
        except psycopg.DataError as error:
            # A value that Postgres cannot hold, such as a text with a NUL.
            return StorageError(400, "InvalidRequest", str(error).split("\n")[0]).response()
        except psycopg.Error as error:
            _log.error("database error: %s", str(error).split("\n")[0])
            return StorageError(500, "DatabaseError", "The database refused", http_status=500).response()

    return answer
