"""Every door of the stack's servers, taken from their own tables: the routes, and what each reads."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, cast

from localbase.auth.service import FOR_ADMINS, UNAVAILABLE
from localbase.auth.service import ROUTES as AUTH
from localbase.core.json_text import MOST_MARKS
from localbase.mail.page import mailbox_app
from localbase.rest.api_request.request import RELATION_ACTIONS, ROOT_ACTIONS, ROUTINE_ACTIONS
from localbase.storage.s3.router import POST_FORM
from localbase.storage.s3.router import ROUTES as S3
from localbase.storage.service import ROUTES as STORAGE
from localbase.studio.app import Studio

from tests.localbase.integration.auth.upstream_routes import UPSTREAM_ROUTES
from tests.localbase.integration.growth import shapes
from tests.localbase.integration.growth.readers import reads_of
from tests.localbase.integration.growth.rest_queries import REST_QUERIES
from tests.localbase.integration.growth.shapes import Shape
from tests.localbase.integration.storage.s3.s3_wire import signed_head
from tests.support.random_cases import TIMES
from tests.support.stacks import Stack

MIB = 1 << 20
# Chunks come one by one: what is quadratic in their number shows in a quarter too.
_CHUNKED = MIB if TIMES > 1 else MIB // 4
_BODIED = ("POST", "PUT", "PATCH", "DELETE")
_ID = "00000000-0000-4000-8000-000000000000"
Lines = tuple[tuple[str, str], ...]
# What the gateway reads of every request; `authorization` is S3's own besides.
OF_THE_GATEWAY = (
    *("authorization", "apikey", "cookie", "x-request-id", "accept-encoding", "x-forwarded-for"),
    *("user-agent", "x-client-info"),
)
# What each service reads of its own.
_COMMON = (*OF_THE_GATEWAY, "content-type", "accept")
_DOWNLOAD = ("range", "if-none-match", "if-modified-since", "if-match", *_COMMON)
_UPLOAD = (
    *("x-metadata", "cache-control", "x-upsert", "upload-metadata", "upload-length", "x-signature"),
    *("upload-offset", "content-type"),
)
_S3 = (
    *("x-amz-date", "authorization", "x-amz-content-sha256", "x-amz-meta-a", "content-md5"),
    *("x-amz-copy-source", "x-amz-security-token", "x-amz-checksum-crc32", "x-amz-trailer", "range"),
)
_STORAGE_FIELDS = ("prefix", "name", "bucketId", "sourceKey", "destinationKey", "search", "cursor", "id")
_STORAGE_OTHERS = {
    "prefix": "",
    "name": "made",
    "bucketId": "private",
    "sourceKey": "a.txt",
    "destinationKey": "b.txt",
    "expiresIn": 60,
    "paths": ["a.txt"],
    "prefixes": ["a.txt"],
}
_STUDIO_FIELDS = (
    *("schema", "table", "role", "id", "csv", "sql", "command", "service", "search", "verb", "name"),
    *("filter", "sort"),
)
_STUDIO_OTHERS = {"schema": "public", "table": "sign_ups", "values": {"email": "a"}, "before": {}, "ids": []}


@dataclass(frozen=True, slots=True)
class Door:
    """A route: its path is filled. `bodies` are the kinds of body that it reads, each with the most bytes of one;
    `headers` those that it parses, `fields` the texts in its JSON, `others` what its JSON needs beside one of them;
    `parsers` take its messages apart beside those of all doors of its service; without any it is like no other door.
    """

    name: str
    method: str
    path: str
    lines: Lines
    bodies: Mapping[str, int] = field(default_factory=dict)
    headers: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    others: Mapping[str, object] = field(default_factory=dict)
    # Commas and colons of JSON that the loop reads.
    marks: int = MOST_MARKS
    queries: Mapping[str, Shape] = field(default_factory=lambda: shapes.QUERIES)
    parsers: Set[str] | None = None

    def head(self, *, query: bytes = b"", path: str = "", lines: Lines = ()) -> bytes:
        """The request's head; `lines` take the place of the door's own."""
        every = {"host": "localhost", "connection": "close", **dict(self.lines), **dict(lines)}
        text = "".join(f"{name}: {value}\r\n" for name, value in every.items())
        target = (path or self.path).encode() + (b"?" + query if query else b"")
        return self.method.encode() + b" " + target + b" HTTP/1.1\r\n" + text.encode("latin-1") + b"\r\n"


def gateway_doors(stack: Stack, user: str) -> Iterator[Door]:
    """Those of the API's port. `user` is a user's token."""
    yield from _auth(stack, user)
    yield from _storage(stack)
    yield from _s3(stack)
    yield from _rest(stack, user)
    yield from _others(stack, user)


def _auth(stack: Stack, user: str) -> Iterator[Door]:
    fields = {(route.method, _bare(route.path)): route.fields for route in UPSTREAM_ROUTES}
    routes = [(method, path, reads_of(endpoint).parsers) for method, path, endpoint in AUTH]
    routes += [(method, path, set()) for methods, path, _ in UNAVAILABLE for method in methods]
    for number, (method, path, parsers) in enumerate(routes):
        of_admin = path.startswith(FOR_ADMINS)
        key, token = (stack.secret_key, stack.service_role_key) if of_admin else (stack.publishable_key, user)
        yield Door(
            f"auth {method} {path}",
            method,
            "/auth/v1" + _filled(path),
            (("apikey", key), ("authorization", f"Bearer {token}")),
            {"json": MIB, "form": MIB} if method in _BODIED else {},
            () if number else (*_COMMON, "x-supabase-api-version", "redirect_to", "referer"),
            fields.get((method, _bare(path)), ()),
            parsers=parsers,
        )


def _storage(stack: Stack) -> Iterator[Door]:
    key = (("apikey", stack.secret_key), ("authorization", f"Bearer {stack.service_role_key}"))
    for methods, path, operation, endpoint in STORAGE:
        reads = reads_of(endpoint)
        for method in methods:
            uploads = "upload" in operation and method in ("POST", "PUT", "PATCH")
            json = {"json": MIB} if method in _BODIED else {}
            yield Door(
                f"storage {method} {path} {operation}",
                method,
                "/storage/v1" + _filled(path),
                (*key, ("tus-resumable", "1.0.0")),
                {"multipart": 2 * MIB, **json} if uploads else json,
                _UPLOAD if uploads else _DOWNLOAD if operation.endswith("get_public") else (),
                _read(_STORAGE_FIELDS, reads.texts) if method in _BODIED else (),
                _STORAGE_OTHERS,
                parsers=reads.parsers,
            )


def _s3(stack: Stack) -> Iterator[Door]:
    values = {"partNumber": "1", "uploadId": _ID}
    for route in (*S3, POST_FORM):
        path = {"service": "", "bucket": "/private", "object": "/private/a.txt"}[route.level]
        query = [f"{name}={values.get(name, '')}" for name in sorted(route.parameters)]
        query += ["list-type=2"] if route.list_type else []
        signed = {route.header: "/private/b.txt"} if route.header else {}
        data = signed_head(
            stack, route.method, "?".join([path, *(["&".join(query)] if query else [])]), signed
        ).data
        line, *lines = data.decode().strip().split("\r\n")
        bodies = {"multipart": 2 * MIB} if route is POST_FORM else {"xml": MIB, "chunked": _CHUNKED}
        yield Door(
            f"s3 {route.command} {route.header or ''}",
            route.method,
            line.split(" ")[1],
            tuple((name, value) for name, _, value in (each.partition(": ") for each in lines)),
            bodies if route.method in _BODIED else {},
            _S3 if route.command in ("put_object", "get_object") else (),
            queries={} if query else shapes.QUERIES,
            parsers=reads_of(route.run).parsers,
        )


def _rest(stack: Stack, user: str) -> Iterator[Door]:
    lines = (("apikey", stack.publishable_key), ("authorization", f"Bearer {user}"))
    tables = (("sign_ups", RELATION_ACTIONS), ("rpc/note_sign_up", ROUTINE_ACTIONS), ("", ROOT_ACTIONS))
    reads = ("prefer", "accept-profile", "content-profile", "range", *_COMMON)
    for target, actions in tables:
        for method, action in actions.items():
            bodied = method in ("POST", "PATCH", "PUT")
            # Above 4 MB a process of its own reads it, as it does where there are many values, for seconds: tables
            # and forms have no other shape.
            most, most_values = (MIB, MIB // 4) if TIMES == 1 else (4 * MIB, 4 * MIB)
            bodies = {"json": most, "form": most_values, "csv": most_values, "chunked": _CHUNKED}
            yield Door(
                f"rest {action} {target}",
                method,
                f"/rest/v1/{target}",
                lines,
                bodies if action in ("insert", "call") and bodied else {"json": most} if bodied else {},
                reads if (target, method) in (("sign_ups", "GET"), ("sign_ups", "POST")) else (),
                marks=20_000,
                queries=REST_QUERIES if (target, method) == ("sign_ups", "GET") else shapes.QUERIES,
                parsers={target},
            )


def _others(stack: Stack, user: str) -> Iterator[Door]:
    key = (("apikey", stack.publishable_key), ("authorization", f"Bearer {user}"))
    yield Door(
        "functions call", "POST", "/functions/v1/mirror", key, {"json": 4 * MIB, "chunked": _CHUNKED}, _COMMON
    )
    yield Door("functions read", "GET", "/functions/v1/mirror", key)
    for path in REALTIME_PATHS:
        most = 3_000_000 if "events" in path else 8_000_000
        # The others answer without reading the body.
        parsers = {path} if "broadcast" in path else set()
        yield Door(
            f"realtime {path}",
            *("POST", "/realtime/v1" + path, key, {"json": most}),
            marks=150_000,
            parsers=parsers,
        )
    for path in ("/health", "/metrics", "/nowhere", "/.well-known/oauth-authorization-server"):
        yield Door(f"gateway {path}", "GET", path, key)
    asking = (("access-control-request-method", "POST"), *key)
    yield Door(
        "gateway preflight", "OPTIONS", "/rest/v1/a", asking, headers=("access-control-request-headers",)
    )


REALTIME_PATHS = ("/api/broadcast", "/api/ping", "/api/broadcast/topic/events/event", "/websocket")


def mailbox_doors() -> Iterator[Door]:
    """Those of the mailbox."""
    for route in cast(Any, mailbox_app(cast(Any, None))).routes:
        for method in sorted(route.methods - {"HEAD"}):
            bodies = {"json": MIB} if method in _BODIED else {}
            yield Door(
                f"mailbox {method} {route.path}",
                *(method, _filled(route.path), (), bodies),
                parsers=reads_of(route.endpoint).parsers,
            )


def studio_doors(port: int) -> Iterator[Door]:
    """Those of Studio: its calls, and its pages."""
    lines = (("host", f"127.0.0.1:{port}"), ("x-studio", "1"))
    calls = Studio(cast(Any, None), cast(Any, None), cast(Any, None)).calls
    for name, call in calls.items():
        reads = reads_of(call)
        yield Door(
            f"studio {name}",
            *("POST", f"/api/{name}", lines, {"json": MIB}),
            fields=_read(_STUDIO_FIELDS, reads.texts) if "body" in inspect.signature(call).parameters else (),
            others=_STUDIO_OTHERS,
            parsers=reads.parsers,
        )
    yield Door("studio page", "GET", "/tables/public", lines)


def _read(fields: tuple[str, ...], texts: Set[str]) -> tuple[str, ...]:
    """Those of the service's fields that the code of a door names; the long form fills all at every door."""
    return fields if TIMES > 1 else tuple(each for each in fields if each in texts)


def _bare(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def _filled(path: str) -> str:
    values = {"bucket": "private", "key": "folder/a.txt", "rest": "a/b"}
    return re.sub(r"\{(\w+)(:path)?\}", lambda match: values.get(match[1], _ID), path)
