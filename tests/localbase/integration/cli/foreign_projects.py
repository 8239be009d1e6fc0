"""The projects that `localbase start` takes as they are, and what each of their services answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from supabase import acreate_client
from tests.support.ports import ports_of
from tests.support.stacks import ROOT, project_environ

_API = f"http://host.docker.internal:{ports_of('replacement')['SUPABASE_API_PORT']}"


@dataclass(frozen=True)
class Foreign:
    """A project: rows of its migrations and seed, calls of its functions, and facts of its database."""

    folder: Path
    # schema, table, the first rows' columns
    rows: tuple[tuple[str, str, list[dict[str, Any]]], ...] = ()
    # slug, body, the response
    functions: tuple[tuple[str, dict[str, Any], Any], ...] = ()
    queries: tuple[tuple[str, list[tuple[Any, ...]]], ...] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    has_realtime: bool = True
    # Finds what the hook for mails has written of a password's reset.
    sent: str = ""
    # Settings that are done in another way here, which the start names.
    notes: int = 0


def _of(name: str, **facts: Any) -> Foreign:
    environ = {
        variable: value
        for variable, value in project_environ(name, "replacement").items()
        # What the tests of the project want is localbase's own.
        if not variable.startswith("SUPABASE_")
    }
    return Foreign(
        ROOT / "tests" / "projects" / name, environ={**environ, **facts.pop("environ", {})}, **facts
    )


def _example(name: str, **facts: Any) -> Foreign:
    return Foreign(ROOT / "examples" / name, **facts)


# First those that nothing else starts.
FOREIGN = (
    _example("todo"),
    _of(
        "typescript",
        environ={
            "SECRET_OF_MINE": "a secret",
            "TWILIO_AUTH_TOKEN": "a token",
            "GITHUB_CLIENT_ID": "id",
            "GITHUB_SECRET": "secret",
            # The stack of the tests has a port of its own; both command lines read it.
            "SUPABASE_AUTH_HOOK_SEND_EMAIL_URI": f"{_API}/functions/v1/send-email",
        },
        rows=(("public", "sent", [{"address": "first@example.com", "kind": "signup"}]),),
        functions=(
            ("hello", {"name": "Ada"}, {"message": "Hello Ada!", "key": "from-the-file"}),
            ("mapped", {}, {"greeting": "by the map"}),
            ("renamed", {}, {"file": "main.ts"}),
        ),
        sent="select from sent where (address, kind, signed) = ('ada@example.com', 'recovery', true)",
        notes=3,
    ),
    _of(
        "declared",
        environ={"SERVICE_TOKEN": "of-the-vault", "SITE_URL": "http://127.0.0.1:3000"},
        rows=(("public", "teams", [{"id": 1, "name": "Red"}]),),
        queries=(
            (
                "select name, decrypted_secret from vault.decrypted_secrets",
                [("service_token", "of-the-vault")],
            ),
            ("select public from storage.buckets where name = 'documents'", [(False,)]),
        ),
    ),
    _of(
        "seeded",
        rows=(("stock", "items", [{"id": 1, "sku": "A-1", "amount": 10}]),),
        queries=(
            ("select full_name from public.profiles", [(None,)]),
            ("select rolcanlogin from pg_roles where rolname = 'stock_clerk'", [(False,)]),
            ("select name from storage.buckets where name = 'avatars'", [("avatars",)]),
        ),
    ),
    _example("files", queries=(("select name from storage.buckets where name = 'files'", [("files",)]),)),
    _example("tenants"),
    _of("auth"),
    _of("bytes_service", has_realtime=False),
    _of("library", rows=(("public", "authors", [{"id": 1, "name": "Ada Quill"}]),)),
    _of(
        "quoted_names", rows=(("Weird Shop", "tags", [{"id": 1, "word": "red"}, {"id": 2, "word": "blue"}]),)
    ),
    _of("realtime"),
    _of(
        "services",
        functions=(("neighbour", {}, {"who": "neighbour"}),),
        queries=(("select name from storage.objects where bucket_id = 'pictures'", [("note.txt",)]),),
    ),
    _of("storage", has_realtime=False),
    _of(
        "studio",
        rows=(("public", "authors", [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Ben"}]),),
        functions=(("hello", {"name": "Ada"}, {"message": "Hello Ada!"}),),
    ),
)


def heard_broadcast(address: str, key: str) -> object:
    """Return what one client sends on a channel and another one hears."""

    async def talk() -> object:
        heard: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        listener, speaker = await acreate_client(address, key), await acreate_client(address, key)
        channel = listener.channel("room")
        channel.on_broadcast("said", lambda message: heard.set_result(message["payload"]))
        await channel.subscribe()
        other = speaker.channel("room")
        await other.subscribe()
        await other.send_broadcast("said", {"text": "hello"})
        payload = await asyncio.wait_for(heard, 20)
        await listener.remove_all_channels()
        await speaker.remove_all_channels()
        return payload

    return asyncio.run(talk())
