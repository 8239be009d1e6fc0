"""Broadcasts over HTTP: several at once, one by its address, and what is refused."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.localbase.integration.realtime.phoenix import phoenix
from tests.support.stacks import Stack
from tests.support.users import Users


def post(stack: Stack, path: str, *, key: str | None = None, **content: Any) -> httpx.Response:
    headers = {"apikey": key or stack.publishable_key, **content.pop("headers", {})}
    return httpx.post(f"{stack.api_url}/realtime/v1/api/broadcast{path}", headers=headers, **content)


def message(**fields: Any) -> dict[str, Any]:
    return {"topic": "room", "event": "e", "payload": {"n": 1}, **fields}


def test_batch_goes_to_its_topics_in_order(realtime: Stack) -> None:
    with phoenix(realtime, version="1.0.0") as client:
        client.join("one")
        client.join("two")
        batch = [
            message(topic=topic, payload={"n": n}) for n, topic in enumerate(("one", "two", "none", "one"))
        ]
        response = post(realtime, "", json={"messages": batch})
        assert (response.status_code, response.content) == (202, b"")
        got = [client.receive() for _ in range(3)]
        assert [(entry[2], entry[4]["payload"]["n"]) for entry in got] == [
            ("realtime:one", 0),
            ("realtime:two", 1),
            ("realtime:one", 3),
        ]
        assert got[0][4] == {"event": "e", "payload": {"n": 0}, "type": "broadcast"}
        client.nothing_before_heartbeat()


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, {"messages": ["can't be blank"]}),
        ([], {"messages": ["can't be blank"]}),
        ({"messages": "text"}, {"messages": ["is invalid"]}),
        (
            {"messages": [{}, message()]},
            {"messages": [{name: ["can't be blank"] for name in ("topic", "payload", "event")}, {}]},
        ),
        (
            {"messages": [message(topic=7, payload=[1], event={}, private="perhaps")]},
            {"messages": [{name: ["is invalid"] for name in ("topic", "payload", "event", "private")}]},
        ),
    ],
)
def test_batch_with_faults_is_refused_whole(realtime: Stack, body: Any, errors: Any) -> None:
    response = post(realtime, "", json=body)
    assert (response.status_code, response.json()) == (422, {"errors": errors})


@pytest.mark.parametrize(
    ("headers", "content", "status", "message"),
    [
        ({"content-type": "application/json"}, b"{", 400, "Bad Request"),
        ({"content-type": "application/json"}, b'{"messages":[{"payload":{"n":NaN}}]}', 400, "Bad Request"),
        ({"content-type": "application/json"}, b"[" * 100_000, 400, "Bad Request"),
        ({"content-type": "text/plain"}, b"{}", 415, "Unsupported Media Type"),
        ({"authorization": "Bearer nonsense"}, b"{}", 401, "Unauthorized"),
    ],
)
def test_batch_that_is_none_is_refused(
    realtime: Stack, headers: dict[str, str], content: bytes, status: int, message: str
) -> None:
    response = post(realtime, "", headers=headers, content=content)
    assert (response.status_code, response.json()) == (status, {"message": message})


def test_caller_without_key_is_refused(realtime: Stack) -> None:
    response = httpx.post(f"{realtime.api_url}/realtime/v1/api/broadcast", json={"messages": [message()]})
    assert (response.status_code, response.json()) == (401, {"message": "Unauthorized"})


def test_single_message_goes_to_the_topic_in_its_address(realtime: Stack) -> None:
    with phoenix(realtime) as new, phoenix(realtime, version="1.0.0") as old:
        for client in (new, old):
            client.join("a/b ü")
        path = "/a%2Fb%20%C3%BC/events/saved%20it"
        assert post(realtime, path, json={"n": 1}).status_code == 202
        head = bytes([4, len("realtime:a/b ü".encode()), len("saved it"), 0, 1])
        assert new.receive()[4] == head + "realtime:a/b üsaved it".encode() + b'{"n":1}'
        assert old.receive()[4] == {"event": "saved it", "payload": {"n": 1}, "type": "broadcast"}
        assert post(realtime, path, json=[1]).status_code == 202
        assert old.receive()[4]["payload"] == {"_json": [1]}


def test_bytes_go_to_clients_that_have_a_form_for_them(realtime: Stack) -> None:
    with phoenix(realtime) as new, phoenix(realtime, version="1.0.0") as old:
        for client in (new, old):
            client.join("bytes")
        headers = {"content-type": "application/octet-stream"}
        assert post(realtime, "/bytes/events/e", headers=headers, content=b"\0\xff").status_code == 202
        assert new.receive()[4] == bytes([4, 14, 1, 0, 0]) + b"realtime:bytese\0\xff"
        old.nothing_before_heartbeat()


def test_event_with_a_long_name_comes_as_text(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.join("long")
        assert post(realtime, f"/long/events/{'e' * 300}", json={"n": 1}).status_code == 202
        payload = {"event": "e" * 300, "payload": {"n": 1}, "type": "broadcast"}
        assert client.receive() == (None, None, "realtime:long", "broadcast", payload)


@pytest.mark.parametrize("path", ["/room/events", "/room/other/e", "/room/events/e/more", "//events/e"])
def test_address_of_nothing_is_not_found(realtime: Stack, path: str) -> None:
    assert post(realtime, path, json={}).status_code == 404


def test_payload_above_the_limit_is_refused(realtime: Stack) -> None:
    large = {"text": "x" * 3_001_000}
    error = ["Payload size exceeds tenant limit"]
    one = post(realtime, "/room/events/e", json=large)
    assert (one.status_code, one.json()) == (422, {"errors": {"payload": error}})
    batch = post(realtime, "", json={"messages": [message(payload=large)]})
    assert (batch.status_code, batch.json()) == (422, {"errors": {"messages": [{"payload": error}]}})


def test_body_above_the_limit_is_not_read(realtime: Stack) -> None:
    headers = {"content-type": "application/json"}
    response = post(realtime, "", headers=headers, content=b"[" + b"[]," * 3_000_000 + b"[]]")
    assert (response.status_code, response.json()) == (413, {"message": "Request Entity Too Large"})


def test_private_topic_takes_messages_of_its_owner_only(realtime: Stack, members: Users) -> None:
    owner, stranger = members.new("owner"), members.new("stranger")
    row = {"room": "http", "user_id": owner.id, "is_owner": True}
    members.service.table("room_members").insert(row).execute()
    with phoenix(realtime, version="1.0.0") as client:
        assert client.join("room:http", token=owner.token, private=True)[0] == "ok"
        responses = []
        for token in (stranger.token, realtime.publishable_key, owner.token, realtime.secret_key):
            # An opaque key counts as the API key.
            bearer = {"authorization": f"Bearer {token}"} | (
                {"apikey": token} if token.startswith("sb_") else {}
            )
            batch = [message(topic="room:http", private=True, payload={"by": token})]
            assert post(realtime, "", headers=bearer, json={"messages": batch}).status_code == 202
            one = post(realtime, "/room:http/events/e?private=true", headers=bearer, json={"by": token})
            responses.append((one.status_code, one.content))
        forbidden = (403, b'{"message":"Unauthorized"}')
        assert responses == [forbidden, forbidden, (202, b""), (202, b"")]
        got = [client.receive()[4]["payload"]["by"] for _ in range(4)]
        assert got == [owner.token, owner.token, realtime.secret_key, realtime.secret_key]
        # The public topic of the same name is another channel.
        assert post(realtime, "/room:http/events/e", json={}).status_code == 202
        client.nothing_before_heartbeat()
