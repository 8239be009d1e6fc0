"""The official clients, in JavaScript and Python: every method against the running service."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from collections.abc import Coroutine
from typing import Any, cast

import pytest
from realtime import (
    AsyncRealtimeChannel,
    AsyncRealtimeClient,
    RealtimeChannelOptions,
    RealtimePostgresChangesListenEvent,
)

from supabase import AsyncClientOptions, acreate_client
from tests.support.stacks import ROOT, Stack
from tests.support.users import PASSWORD, Users

VERSIONS = ("1.0.0", "2.0.0")


@pytest.fixture(scope="module", params=VERSIONS)
def seen(request: pytest.FixtureRequest, realtime: Stack, members: Users) -> dict[str, Any]:
    person = members.new("javascript")
    script = ["node", "--experimental-websocket", "tests/compat/realtime.mjs"]
    arguments = [realtime.api_url, realtime.publishable_key, realtime.secret_key, person.email, PASSWORD]
    done = subprocess.run(
        [*script, *arguments, request.param],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return {"version": request.param, **json.loads(done.stdout)}


def test_javascript_client_broadcasts(seen: dict[str, Any]) -> None:
    message = {"type": "broadcast", "event": "hello", "payload": {"text": "grüß dich 👋", "n": 1}}
    assert (seen["joined"], seen["sent"]) == (["SUBSCRIBED", "SUBSCRIBED"], "ok")
    assert (seen["own"], seen["others"]) == (message, message)
    if seen["version"] == "2.0.0":
        assert (seen["sentBytes"], seen["bytes"]) == ("ok", [0, 1, 254, 255])


def test_javascript_client_broadcasts_over_http(seen: dict[str, Any]) -> None:
    assert seen["httpSent"] == {"success": True}
    assert seen["http"] == {"type": "broadcast", "event": "http", "payload": {"from": "http"}}
    assert seen["batchSent"] == "ok"
    assert seen["batch"] == {"type": "broadcast", "event": "batch", "payload": {"from": "batch"}}


def test_javascript_client_shows_who_is_present(seen: dict[str, Any]) -> None:
    assert (seen["tracked"], seen["untracked"], seen["present"]) == ("ok", "ok", {"alice": ["fine"]})
    assert seen["steps"] == [["join", "alice", "fine"], ["join", "bob", "tired"], ["leave", "bob"]]


def test_javascript_client_follows_changes_under_policies(seen: dict[str, Any]) -> None:
    assert seen["notes"] == "SUBSCRIBED"
    assert (seen["system"]["status"], seen["system"]["message"]) == ("ok", "Subscribed to PostgreSQL")
    assert seen["changes"] == [
        ["all", "INSERT", "mine", None],
        ["mine", "INSERT", "mine", None],
        ["all", "UPDATE", "changed", None],
        ["all", "DELETE", None, None],
    ]


def test_javascript_client_uses_private_channels(seen: dict[str, Any]) -> None:
    assert (seen["private"], seen["privateSent"]) == ("SUBSCRIBED", "ok")
    assert seen["whispered"]["payload"] == {"text": "psst"}
    topic = f"room:js-{seen['version']}"
    assert seen["strangers"] == (
        f"CHANNEL_ERROR: Unauthorized: You do not have permissions to read from this Channel topic: {topic}"
    )


def test_javascript_client_gets_messages_of_the_database_and_earlier_ones(seen: dict[str, Any]) -> None:
    assert (seen["live"], seen["history"], seen["replayed"]) == (1, "SUBSCRIBED", [1, True, "string"])


def test_javascript_client_connects_again_and_leaves(seen: dict[str, Any]) -> None:
    assert seen["beats"] == ["sent", "ok"]
    assert seen["states"] == [True, "open", False, False]
    assert (seen["reconnected"], seen["tornDown"]) == ("rejoined", "closed")
    names = ["lobby", "here", "notes", f"room:js-{seen['version']}"]
    assert seen["topics"] == [f"realtime:{name}" for name in names]
    assert (seen["removed"], seen["unsubscribed"]) == ("ok", "ok")
    assert set(seen["allRemoved"]) == {"ok"}


# Python.


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 30))


async def connected(stack: Stack, token: str | None = None) -> AsyncRealtimeClient:
    client = AsyncRealtimeClient(f"{stack.api_url}/realtime/v1", stack.publishable_key)
    await client.connect()
    if token is not None:
        await client.set_auth(token)
    return client


async def joined(channel: AsyncRealtimeChannel) -> str:
    states: list[str] = []
    await channel.subscribe(lambda state, error: states.append(f"{state.value}{error or ''}"))
    return states[0]


def options(config: dict[str, Any]) -> RealtimeChannelOptions:
    return cast(RealtimeChannelOptions, {"config": config})


def queue_of(channel: AsyncRealtimeChannel, event: str = "*") -> asyncio.Queue[Any]:
    queue: asyncio.Queue[Any] = asyncio.Queue()
    channel.on_broadcast(event, queue.put_nowait)
    return queue


def test_python_client_broadcasts(realtime: Stack) -> None:
    async def test() -> None:
        alice, bob = await connected(realtime), await connected(realtime)
        room = alice.channel("python", options({"broadcast": {"ack": True, "self": True}}))
        other = bob.channel("python")
        own, others = queue_of(room, "hello"), queue_of(other, "hello")
        assert [await joined(room), await joined(other)] == ["SUBSCRIBED", "SUBSCRIBED"]
        await room.send_broadcast("hello", {"n": 1})
        message = {"event": "hello", "payload": {"n": 1}}
        assert await own.get() == message
        assert await others.get() == message
        await bob.channel("python").http_send("hello", {"n": 2})
        assert (await own.get())["payload"] == {"n": 2}
        assert alice.get_channels() == [room]
        await other.unsubscribe()
        await alice.remove_channel(room)
        await bob.remove_all_channels()
        await alice.close()
        assert not alice.is_connected

    run(test())


def test_python_client_shows_who_is_present(realtime: Stack) -> None:
    async def test() -> None:
        alice, bob = await connected(realtime), await connected(realtime)
        here, there = (
            client.channel("python-here", options({"presence": {"key": key, "enabled": True}}))
            for client, key in ((alice, "alice"), (bob, "bob"))
        )
        steps: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        synced = asyncio.Event()
        here.on_presence_join(lambda key, *_: steps.put_nowait(("join", key)))
        here.on_presence_leave(lambda key, *_: steps.put_nowait(("leave", key)))
        there.on_presence_sync(synced.set)
        await joined(here)
        await here.track({"mood": "fine"})
        assert await steps.get() == ("join", "alice")
        await joined(there)
        await synced.wait()
        assert [dict(meta)["mood"] for meta in there.presence_state()["alice"]] == ["fine"]
        await there.track({"mood": "tired"})
        assert await steps.get() == ("join", "bob")
        await there.untrack()
        assert await steps.get() == ("leave", "bob")
        await alice.close()
        await bob.close()

    run(test())


def test_python_client_follows_changes_under_policies(realtime: Stack, members: Users) -> None:
    person = members.new("python")

    async def test() -> None:
        client = await connected(realtime, person.token)
        notes = client.channel("python-notes")
        changes: asyncio.Queue[Any] = asyncio.Queue()
        systems: asyncio.Queue[Any] = asyncio.Queue()
        notes.on_postgres_changes(
            RealtimePostgresChangesListenEvent.All, changes.put_nowait, "notes", "public", "body=neq.hidden"
        )
        notes.on_system(systems.put_nowait)
        assert await joined(notes) == "SUBSCRIBED"
        assert (await systems.get()).message == "Subscribed to PostgreSQL"
        for body in ("hidden", "shown"):
            members.service.table("notes").insert({"author": person.id, "body": body}).execute()
        data = (await changes.get())["data"]
        assert (data["type"], data["record"]["body"]) == ("INSERT", "shown")
        await client.close()

    run(test())


def test_python_client_uses_private_channels_and_replay(realtime: Stack, members: Users) -> None:
    person = members.new("python")
    row = {"room": "python", "user_id": person.id, "is_owner": True}
    members.service.table("room_members").insert(row).execute()
    arguments = {"room": "python", "event": "saved", "number": 7}
    members.service.rpc("send_to_room", arguments).execute()

    async def test() -> None:
        anonymous, owner = await connected(realtime), await connected(realtime, person.token)
        refused = await joined(anonymous.channel("room:python", options({"private": True})))
        assert refused.startswith("CHANNEL_ERROR")
        since = int((time.time() - 60) * 1000)
        config = {"private": True, "broadcast": {"replay": {"since": since, "limit": 5}}}
        room = owner.channel("room:python", options(config))
        earlier = queue_of(room)
        assert await joined(room) == "SUBSCRIBED"
        message = await earlier.get()
        assert (message["payload"]["number"], message["meta"]["replayed"]) == (7, True)
        await anonymous.close()
        await owner.close()

    run(test())


def test_python_client_of_supabase_opens_its_own_socket(realtime: Stack) -> None:
    async def test() -> None:
        options = AsyncClientOptions(auto_refresh_token=False, persist_session=False)
        client = await acreate_client(realtime.api_url, realtime.publishable_key, options)
        channel = client.channel("through-supabase")
        assert await joined(channel) == "SUBSCRIBED"
        assert client.get_channels() == [channel]
        await client.remove_channel(channel)
        await client.remove_all_channels()
        await client.realtime.close()

    run(test())
