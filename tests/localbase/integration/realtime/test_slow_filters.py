"""Filters that cost far more than a comparison: their own subscription ends, and no one else waits for them."""

from __future__ import annotations

from localbase.realtime.changes.matching import MatchLimits

from tests.localbase.integration.realtime.change_feed import (
    FeedClient,
    keys_of,
    make_table,
    request_for,
    with_feed,
)
from tests.localbase.integration.realtime.phoenix import phoenix
from tests.support.stacks import Stack

# Three groups and references back to them: the time grows with the sixth power of a row of the same letters.
SLOW = r"name=match.^(a*)(a*)(a*)\1\2\3.{%d}$"
LONG = "a" * 1999
COLUMNS = "id int primary key, name text, secret boolean default false"


async def designs(client: FeedClient) -> None:
    await make_table(client, "designs", COLUMNS, "grant select on designs to anon, authenticated")


def test_slow_filter_holds_up_no_other_subscriber(realtime: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await designs(client)
        slow, _ = await client.subscribe(request_for("designs", filter=SLOW % 1))
        everything, _ = await client.subscribe(request_for("designs"))
        equal, _ = await client.subscribe(request_for("designs", filter="id=eq.2"))
        await client.run(f"insert into designs values (1, '{LONG}')", "insert into designs values (2, 'b')")
        await everything.first(2)
        await equal.first(1)
        # The first row is still being compared.
        assert slow.notices == []

    with_feed(realtime, steps, MatchLimits(many=5, one=5, all=20))


def test_slow_filters_end_their_subscriptions_and_leave_others_theirs(realtime: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await designs(client)
        many = [request_for("designs", id=number, filter=SLOW % number) for number in range(1, 41)]
        slow, _ = await client.subscribe(*many)
        modest, _ = await client.subscribe(
            request_for("designs", filter="name=ilike.A%"), role="authenticated"
        )
        everything, _ = await client.subscribe(request_for("designs"))
        await client.run(f"insert into designs values (1, '{LONG}')", "insert into designs values (2, 'Ab')")
        assert keys_of([((), data) for data in await modest.first(2)]) == [1, 2]
        await slow.until(lambda recorder: bool(recorder.notices))
        assert (slow.notices, slow.changes, modest.notices) == (["out of time"], [], [])
        await client.run("insert into designs values (3, 'ac')")
        await modest.first(3)
        await everything.first(3)
        cursor = await client.project.execute(
            "select count(*) from realtime.subscription where filters <> '{}'"
        )
        assert await cursor.fetchone() == (1,)

    with_feed(realtime, steps)


def test_row_that_a_role_may_not_see_is_not_compared_with_its_patterns(realtime: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await designs(client)
        await client.run(
            "alter table designs enable row level security",
            "create policy open on designs for select to anon using (not secret)",
        )
        slow, _ = await client.subscribe(request_for("designs", filter=SLOW % 1))
        await client.run(f"insert into designs values (1, '{LONG}', true), (2, 'aaaaaaa', false)")
        assert keys_of([((), data) for data in await slow.first(1)]) == [2]
        assert slow.notices == []

    with_feed(realtime, steps)


def test_client_hears_that_its_filter_takes_too_long(realtime: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await designs(client)
        with phoenix(realtime) as socket:
            entry = {"event": "*", "schema": "public", "table": "designs"}
            socket.join("slow", postgres_changes=[{**entry, "filter": SLOW % 1}])
            assert socket.until("system")[4]["status"] == "ok"
            await client.run(f"insert into designs values (1, '{LONG}')")
            assert socket.receive()[4] == {
                "extension": "postgres_changes",
                "status": "error",
                "message": "The subscription to changes has ended: a `filter` takes too long to compare",
                "channel": "slow",
            }
            await client.run("insert into designs values (2, 'aaaaaaa')")
            socket.nothing_before_heartbeat()

    with_feed(realtime, steps)


def test_filters_of_a_channel_are_limited(realtime: Stack) -> None:
    with phoenix(realtime) as client:
        entry = {"event": "*", "schema": "public", "table": "notes", "filter": ",".join(["body=eq.1"] * 3)}
        assert client.join("many", postgres_changes=[{**entry, "n": n} for n in range(67)])[0] == "ok"
        message = "Error parsing `filter` params: 201 filters, and a channel may have 200"
        assert client.receive()[4]["message"] == message
        reason = "InvalidJoinPayload: postgres_changes has 101 entries, and a channel may have 100"
        assert client.join("many", postgres_changes=[entry] * 101) == ("error", {"reason": reason})
