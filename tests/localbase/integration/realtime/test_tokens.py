"""Access tokens of sockets and channels: which are taken, and what happens when they expire or change."""

from __future__ import annotations

import json
import time
from typing import Any

import psycopg
import pytest
from localbase.core.tokens import jwt
from websockets.exceptions import InvalidStatus

from tests.localbase.integration.realtime.phoenix import phoenix
from tests.support.stacks import Stack
from tests.support.users import Users


def token(stack: Stack, seconds: float = 60, **claims: Any) -> str:
    all_claims = {"role": "authenticated", "exp": int(time.time() + seconds), **claims}
    return jwt.sign(
        {name: value for name, value in all_claims.items() if value is not None}, stack.jwt_secret
    )


@pytest.mark.parametrize(
    ("claims", "error"),
    [
        ({"exp": None}, "Fields `role` and `exp` are required in JWT"),
        ({"role": None}, "Fields `role` and `exp` are required in JWT"),
        ({"role": 7}, "Fields `role` and `exp` are required in JWT"),
        ({"exp": 1}, "Token has expired"),
    ],
)
def test_socket_wants_a_token_with_role_and_expiry(
    realtime: Stack, claims: dict[str, Any], error: str
) -> None:
    with pytest.raises(InvalidStatus) as refused, phoenix(realtime, token(realtime, **claims)):
        pass
    assert refused.value.response.status_code == 401
    assert json.loads(refused.value.response.body) == {"error": error}


def test_socket_of_a_token_of_another_project_is_refused(realtime: Stack) -> None:
    forged = jwt.sign({"role": "anon", "exp": time.time() + 60}, "another secret of at least 32 letters")
    with pytest.raises(InvalidStatus) as refused, phoenix(realtime, forged):
        pass
    assert json.loads(refused.value.response.body) == {"error": "Failed to validate JWT signature"}


@pytest.mark.parametrize("name", ["anon_key", "service_role_key", "publishable_key", "secret_key"])
def test_all_keys_of_the_project_open_a_socket(realtime: Stack, name: str) -> None:
    with phoenix(realtime, getattr(realtime, name)) as client:
        assert client.join("room", token=getattr(realtime, name))[0] == "ok"


def test_join_with_a_bad_token_names_the_reason(realtime: Stack) -> None:
    forged = jwt.sign({"role": "anon", "exp": time.time() + 60}, "another secret of at least 32 letters")
    with phoenix(realtime) as client:
        reasons = [
            client.join("room", token=bad)[1]["reason"]
            for bad in ("nonsense", forged, token(realtime, exp=None), token(realtime, role=None))
        ]
        expired = client.join("room", token=token(realtime, seconds=-100))[1]["reason"]
    assert reasons == [
        "MalformedJWT: The token provided is not a valid JWT",
        "JwtSignatureError: Failed to validate JWT signature",
        "InvalidJWTToken: Fields `role` and `exp` are required in JWT",
        "InvalidJWTToken: Fields `role` and `exp` are required in JWT",
    ]
    assert expired in {f"InvalidJWTToken: Token has expired {ago} seconds ago" for ago in (100, 101)}


def test_token_longer_than_any_header_is_not_read(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        long = token(realtime, more="x" * 50_000)
        assert client.join("room", token=long) == (
            "error",
            {"reason": "MalformedJWT: The token provided is not a valid JWT"},
        )
        assert client.join("room", token=token(realtime, more="x" * 45_000))[0] == "ok"


def test_channel_closes_when_its_token_expires(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        assert client.join("brief", token=token(realtime, seconds=2))[0] == "ok"
        client.join("lasting")
        payload = client.until("system")[4]
        assert payload == {
            "extension": "system",
            "status": "error",
            "message": "Token has expired 0 seconds ago",
            "channel": "brief",
        }
        assert client.receive() == ("1", "1", "realtime:brief", "phx_close", {})
        assert client.call("realtime:lasting", "presence", {"event": "untrack"}) == ("ok", {})
        assert client.call("realtime:brief", "presence", {})[1] == {"reason": "unmatched topic"}


def test_new_token_in_time_lets_the_channel_live(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.join("renewed", token=token(realtime, seconds=2))
        client.send("realtime:renewed", "access_token", {"access_token": token(realtime, seconds=60)})
        client.join("brief", token=token(realtime, seconds=2))
        assert client.until("phx_close")[2] == "realtime:brief"
        assert client.call("realtime:renewed", "presence", {"event": "untrack"}) == ("ok", {})


def test_key_or_nothing_as_a_new_token_changes_nothing(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        client.join("room")
        for access_token in (realtime.publishable_key, None, 7):
            client.send("realtime:room", "access_token", {"access_token": access_token})
        client.nothing_before_heartbeat()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("nonsense", "The token provided is not a valid JWT"),
        ("", "The token provided is not a valid JWT"),
    ],
)
def test_bad_new_token_closes_the_channel(realtime: Stack, bad: str, message: str) -> None:
    with phoenix(realtime) as client:
        client.join("room")
        client.send("realtime:room", "access_token", {"access_token": bad})
        payload = client.receive()[4]
        assert (payload["status"], payload["message"]) == ("error", message)
        assert client.receive()[3] == "phx_close"


def test_subscription_moves_to_the_new_token(realtime: Stack, members: Users) -> None:
    owner = members.new("mover")
    entries = [{"event": "INSERT", "schema": "public", "table": table} for table in ("notes", "news")]
    with phoenix(realtime) as client:
        client.join("notes", postgres_changes=entries)
        client.until("system")
        row = {"author": owner.id, "body": "unseen"}
        members.service.table("notes").insert(row).execute()
        # When this one has come, the policies have hidden the one before.
        with psycopg.connect(realtime.db_url) as database:
            database.execute("insert into public.news (title) values ('for all')")
        assert client.until("postgres_changes")[4]["data"]["table"] == "news"
        client.send("realtime:notes", "access_token", {"access_token": owner.token})
        assert client.until("system")[4]["message"] == "Subscribed to PostgreSQL"
        members.service.table("notes").insert({**row, "body": "seen"}).execute()
        change = client.until("postgres_changes")[4]["data"]
        assert change["record"]["body"] == "seen"
