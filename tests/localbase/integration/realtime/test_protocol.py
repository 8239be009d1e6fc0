"""Phoenix's protocol over a WebSocket: handshake, channels, heartbeats, both versions."""

from __future__ import annotations

import json

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.localbase.integration.realtime.phoenix import phoenix, reply
from tests.support.logs import read_log
from tests.support.stacks import Stack

VERSIONS = ("1.0.0", "2.0.0")


def address(stack: Stack, query: str, path: str = "/realtime/v1/websocket") -> str:
    return stack.api_url.replace("http", "ws", 1) + path + query


@pytest.mark.parametrize("version", VERSIONS)
def test_heartbeat_is_answered(realtime: Stack, version: str) -> None:
    with phoenix(realtime, version=version) as client:
        assert client.call("phoenix", "heartbeat", {}) == ("ok", {})


def test_heartbeat_without_reference_is_answered(realtime: Stack) -> None:
    with phoenix(realtime, version="1.0.0") as client:
        client.send_raw('{"topic":"phoenix","event":"heartbeat","payload":{},"ref":null}')
        assert client.receive() == (None, None, "phoenix", "phx_reply", {"status": "ok", "response": {}})


@pytest.mark.parametrize(
    ("query", "status", "error"),
    [
        ("", 401, "API key is missing"),
        ("?apikey=", 401, "API key is missing"),
        ("?apikey=nonsense", 401, "The token provided is not a valid JWT"),
        ("?apikey=sb_publishable_of-another-project", 401, "The token provided is not a valid JWT"),
        ("?apikey={key}&vsn=3.0.0", 403, "The client's requested transport version is not served"),
    ],
)
def test_handshake_is_refused_with_its_reason(realtime: Stack, query: str, status: int, error: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(address(realtime, query.format(key=realtime.publishable_key)))
    response = refused.value.response
    assert response.status_code == status
    assert json.loads(response.body) == {"error": error}
    assert response.headers["content-type"] == "application/json; charset=utf-8"


def test_key_may_come_in_a_header_and_other_parameters_are_ignored(realtime: Stack) -> None:
    headers = {"x-api-key": realtime.publishable_key}
    with connect(
        address(realtime, "?log_level=info&eventsPerSecond=10"), additional_headers=headers
    ) as socket:
        socket.send('{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}')
        assert json.loads(socket.recv(timeout=20))["event"] == "phx_reply"


@pytest.mark.parametrize(
    ("path", "status"), [("/realtime/v1/other", 404), ("/rest/v1/notes", 200), ("/realtimes", 404)]
)
def test_upgrade_elsewhere_opens_no_socket(realtime: Stack, path: str, status: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(address(realtime, f"?apikey={realtime.secret_key}", path))
    assert refused.value.response.status_code == status


def test_plain_request_for_the_socket_is_answered(realtime: Stack) -> None:
    response = httpx.get(f"{realtime.api_url}/realtime/v1/websocket")
    assert (response.status_code, response.json()) == (400, {"message": "A WebSocket is opened here"})


def test_socket_appears_in_metrics_and_access_log(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.nothing_before_heartbeat()
        metrics = httpx.get(f"{realtime.api_url}/metrics", headers={"apikey": realtime.secret_key}).text
        assert 'localbase_requests_total{service="realtime",status="101"}' in metrics
        open_now = metrics.split('localbase_sockets{service="realtime"} ')[1].split("\n")[0]
        assert int(open_now) >= 1
    log = read_log(realtime.state, "gateway")
    assert "GET /realtime/v1/websocket 101" in log
    assert realtime.publishable_key not in log


@pytest.mark.parametrize("version", VERSIONS)
def test_channel_is_joined_and_left(realtime: Stack, version: str) -> None:
    with phoenix(realtime, version=version) as client:
        assert client.join("room") == ("ok", {"postgres_changes": []})
        ref = client.send("realtime:room", "phx_leave", {})
        replied, closed = client.receive(), client.receive()
        assert replied[1:] == (ref, "realtime:room", "phx_reply", {"status": "ok", "response": {}})
        assert closed[1:] == ("1", "realtime:room", "phx_close", {})
        assert client.call("realtime:room", "broadcast", {}) == ("error", {"reason": "unmatched topic"})


def test_messages_of_version_2_are_arrays_with_the_channels_reference(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        ref = client.send("realtime:room", "phx_join", {"config": {}}, join_ref="7")
        assert client.receive() == reply(
            ref, "realtime:room", response={"postgres_changes": []}, join_ref="7"
        )


def test_leaving_a_channel_that_was_not_joined_is_fine(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        assert client.call("realtime:never", "phx_leave", {}) == ("ok", {})
        client.nothing_before_heartbeat()


def test_second_join_replaces_the_first(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.join("room")
        ref = client.send(
            "realtime:room", "phx_join", {"config": {"broadcast": {"self": True}}}, join_ref="2"
        )
        assert client.receive() == ("1", "1", "realtime:room", "phx_close", {})
        assert client.receive()[:4] == ("2", ref, "realtime:room", "phx_reply")
        client.send("realtime:room", "broadcast", {"type": "broadcast", "event": "x", "payload": {}})
        assert client.receive()[3] == "broadcast"
        client.nothing_before_heartbeat()


@pytest.mark.parametrize(
    ("topic", "reason"),
    [
        ("other:room", "unmatched topic"),
        ("realtime:", "TopicNameRequired: You must provide a topic name"),
        ("realtime:" + "x" * 1025, "InvalidJoinPayload: The topic's name is too long, or holds a NUL"),
        ("realtime:a\0b", "InvalidJoinPayload: The topic's name is too long, or holds a NUL"),
    ],
)
def test_topic_that_cannot_be_joined_is_refused(realtime: Stack, topic: str, reason: str) -> None:
    with phoenix(realtime) as client:
        assert client.call(topic, "phx_join", {"config": {}}) == ("error", {"reason": reason})


def test_changes_are_answered_field_by_field_in_their_order(realtime: Stack) -> None:
    entries = [
        {"event": "INSERT", "schema": "public", "table": "news", "filter": "id=gt.0"},
        {"event": "*", "schema": "public"},
        {"event": "UPDATE", "schema": "public", "table": "news", "select": ["title"], "own": 1},
        {"event": "*", "schema": "public"},
    ]
    with phoenix(realtime) as client:
        status, response = client.join("all", postgres_changes=entries)
        assert status == "ok"
        changes = response["postgres_changes"]
        assert [
            {name: value for name, value in entry.items() if name != "id"} for entry in changes
        ] == entries
        ids = [entry["id"] for entry in changes]
        assert all(isinstance(number, int) for number in ids)
        assert ids[1] == ids[3]
        assert len(set(ids)) == 3
        assert client.receive() == (
            "1",
            None,
            "realtime:all",
            "system",
            {
                "extension": "postgres_changes",
                "status": "ok",
                "message": "Subscribed to PostgreSQL",
                "channel": "all",
            },
        )


@pytest.mark.parametrize(
    ("entry", "start"),
    [
        ({"event": "*"}, "No subscription params provided. Please provide at least a `schema` or `table`"),
        ({"event": "*", "schema": "public", "table": 7}, "No subscription params provided."),
        ({"schema": "public", "table": "news", "filter": "id=foo.1"}, "Error parsing `filter` params: "),
        ({"schema": "public", "table": "nowhere"}, "Unable to subscribe to changes with given parameters."),
    ],
)
def test_changes_that_cannot_be_had_are_a_system_error(
    realtime: Stack, entry: dict[str, object], start: str
) -> None:
    with phoenix(realtime) as client:
        assert client.join("all", postgres_changes=[entry])[0] == "ok"
        payload = client.until("system")[4]
        assert (payload["status"], payload["extension"]) == ("error", "postgres_changes")
        assert payload["message"].startswith(start)
