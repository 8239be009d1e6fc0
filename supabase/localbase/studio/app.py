"""Studio's calls (`/api/…`, JSON in and out) and its pages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from localbase.core.json_text import read_json
from localbase.core.project import Project
from localbase.core.web.identity import identity_header
from localbase.core.web.own_site import own_hosts
from localbase.studio import changes, logs, mails, policies, statements, tables
from localbase.studio.commands import Commands, project_commands
from localbase.studio.guard import Guard
from localbase.studio.session import Role, Sessions, StudioError

PAGES = Path(__file__).with_name("pages")
MOST_BODY_BYTES = 32 << 20
Body = dict[str, Any]
Handler = Callable[[Body], Awaitable[Any]]


class Studio:
    """The calls, over one project."""

    def __init__(self, project: Project, sessions: Sessions, commands: Commands) -> None:
        self._project = project
        self._sessions = sessions
        self._commands = commands

    @property
    def calls(self) -> dict[str, Handler]:
        """By their names, which are their addresses below `/api/`."""
        return {
            "project": self._about,
            "tables": lambda _: tables.all_tables(self._sessions),
            "rows": self._rows,
            "insert": self._insert,
            "update": self._update,
            "delete": self._delete,
            "import": self._import,
            "run": self._run,
            "explain": self._explain,
            "policies": self._policies,
            "logs": self._logs,
            "mails": self._mails,
            "mail": self._mail,
            "functions": lambda _: self._commands.functions(),
            "snapshots": lambda _: self._commands.snapshots(),
            "snapshot": self._snapshot,
            "outcome": self._outcome,
        }

    async def _about(self, _: Body) -> Any:
        settings, keys = self._project.settings, self._project.settings.keys
        return {
            "name": settings.project_id,
            "api_url": settings.api_url,
            "mailbox_url": settings.mailbox_url,
            "db_url": settings.shown_db_url,
            "publishable_key": keys.publishable,
            "secret_key": keys.secret,
            "anon_key": keys.anon,
            "service_role_key": keys.service_role,
            "jwt_secret": keys.jwt_secret,
            "schemas": list(settings.api.schemas),
            "site_url": settings.auth.site_url,
        }

    async def _rows(self, body: Body) -> Any:
        return await tables.rows(self._sessions, tables.Page.of(body), Role.of(body.get("role")))

    async def _insert(self, body: Body) -> Any:
        schema, table = _names(body)
        values = _mapping(body, "values")
        return {
            "count": await changes.insert(self._sessions, schema, table, values, Role.of(body.get("role")))
        }

    async def _update(self, body: Body) -> Any:
        schema, table = _names(body)
        before, values = _mapping(body, "before"), _mapping(body, "values")
        if not values:
            raise StudioError("There is nothing to change.")
        role = Role.of(body.get("role"))
        place = str(body.get("id", ""))
        return {"count": await changes.update(self._sessions, schema, table, place, before, values, role)}

    async def _delete(self, body: Body) -> Any:
        schema, table = _names(body)
        places = body.get("ids")
        if not isinstance(places, list) or len(places) > tables.MOST_ROWS:
            raise StudioError(f"Name the rows to delete, {tables.MOST_ROWS} at most.")
        role = Role.of(body.get("role"))
        return {
            "count": await changes.delete(self._sessions, schema, table, [str(each) for each in places], role)
        }

    async def _import(self, body: Body) -> Any:
        schema, table = _names(body)
        role, text = Role.of(body.get("role")), str(body.get("csv", ""))
        return {"count": await changes.import_csv(self._sessions, schema, table, text, role)}

    async def _run(self, body: Body) -> Any:
        role = Role.of(body.get("role"))
        return await statements.run(
            self._sessions, str(body.get("sql", "")), role, read_only=body.get("read_only") is True
        )

    async def _explain(self, body: Body) -> Any:
        role = Role.of(body.get("role"))
        return await statements.explain(
            self._sessions, str(body.get("sql", "")), role, analyze=body.get("analyze") is True
        )

    async def _policies(self, body: Body) -> Any:
        schema, table = _names(body)
        command = body.get("command", "select")
        if command not in policies.COMMANDS:
            raise StudioError("A policy is for select, insert, update or delete.")
        role = Role.of(body.get("role"))
        return await policies.check(self._sessions, schema, table, str(body.get("id", "")), role, command)

    async def _logs(self, body: Body) -> Any:
        folder = self._project.state / "logs"
        service, search = str(body.get("service", "")), str(body.get("search", ""))
        lines = await asyncio.to_thread(logs.lines, folder, service=service, search=search)
        return {"lines": lines, "services": await asyncio.to_thread(logs.services, folder)}

    async def _mails(self, body: Body) -> Any:
        return await mails.newest(self._project.settings.mailbox_url, str(body.get("search", "")))

    async def _mail(self, body: Body) -> Any:
        return await mails.mail(self._project.settings.mailbox_url, str(body.get("id", "")))

    async def _snapshot(self, body: Body) -> Any:
        verb, name = str(body.get("verb", "")), str(body.get("name", ""))
        return {"id": self._commands.begin_snapshot(verb, name)}

    async def _outcome(self, body: Body) -> Any:
        return {"done": self._commands.outcome(str(body.get("id", "")))}


def studio_app(project: Project, sessions: Sessions) -> Guard:
    """The application."""
    studio = Studio(project, sessions, project_commands(project))
    routes = [Route("/live", _live)]
    routes += [
        Route(f"/api/{name}", _endpoint(call), methods=["POST"]) for name, call in studio.calls.items()
    ]
    routes += [Route("/{path:path}", _page)]
    api = project.settings.api_url
    return Guard(Starlette(routes=routes), own_hosts(project.environ), (api, api.replace("http", "ws", 1)))


def _endpoint(call: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse(await call(await _body(request)))
        except StudioError as error:
            return JSONResponse({"message": error.message, **error.more}, 400)

    return endpoint


async def _body(request: Request) -> Body:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise StudioError("The body of a call is JSON.")
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > MOST_BODY_BYTES:
            raise StudioError(f"The body of a call has {MOST_BODY_BYTES >> 20} MB at most.")
    try:
        body = read_json(bytes(read) or b"{}")
    except ValueError as error:
        raise StudioError("The body of a call is JSON.") from error
    if not isinstance(body, dict):
        raise StudioError("The body of a call is an object.")
    return body


def _names(body: Body) -> tuple[str, str]:
    return str(body.get("schema", "")), str(body.get("table", ""))


def _mapping(body: Body, name: str) -> dict[str, str | None]:
    values = body.get(name)
    if not isinstance(values, dict) or not all(
        value is None or isinstance(value, str) for value in values.values()
    ):
        raise StudioError(f"{name} are the columns' values as texts.")
    return values


async def _live(_: Request) -> Response:
    return PlainTextResponse("ok", headers=dict([identity_header()]))


async def _page(request: Request) -> Response:
    # The pages' own addresses (`/tables/public/todos`) are one document.
    try:
        path = (PAGES / request.path_params["path"]).resolve()
        if not path.is_relative_to(PAGES) or not path.is_file():
            path = PAGES / "index.html"
    except (OSError, ValueError):
        # A NUL, or a name that no file system takes.
        return PlainTextResponse("There is no such page.", 404)
    if not path.is_file():
        return PlainTextResponse(
            "Studio's pages are not built. In a clone of the repository `npm run build` builds them.", 503
        )
    return FileResponse(path)
