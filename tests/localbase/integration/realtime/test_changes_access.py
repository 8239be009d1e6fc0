"""The readers of a change.

Policies, privileges and keys, as Postgres has them for the role and claims of each subscriber.
"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from localbase.realtime.changes.feed import ChangeRequest, SubscriptionRefused

from tests.localbase.integration.realtime.change_feed import (
    FeedClient,
    as_role,
    identity,
    make_table,
    request_for,
    with_feed,
)
from tests.support.stacks import Stack

OWN = "create policy own on {0} for select to authenticated using (owner = auth.jwt() ->> 'sub')"


async def make_notes(client: FeedClient, name: str, *more: str) -> None:
    """Rows that their owners can read, and a table of marks that everyone can."""
    await make_table(
        client,
        name,
        "id int primary key, owner text, body text",
        f"alter table {name} enable row level security",
        OWN.format(name),
        *more,
    )
    await make_table(client, f"{name}_marks", "id int primary key")


def test_policies_decide_who_gets_a_row(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_notes(client, "notes")
        everything = request_for("*")
        subscribers = {
            name: await client.subscribe(
                everything, role="authenticated", claims=identity("authenticated", name)
            )
            for name in ("ann", "bob")
        }
        anon, _ = await client.subscribe(everything)
        service, _ = await client.subscribe(everything, role="service_role")
        await client.run(
            "insert into notes values (1, 'ann', 'a'), (2, 'bob', 'b'), (3, 'eve', 'c')",
            "update notes set body = body || '!' where id < 3",
            "insert into notes_marks values (1)",
        )
        seen = {}
        for name, recorder in (
            ("anon", anon),
            ("service", service),
            *((n, r) for n, (r, _) in subscribers.items()),
        ):
            await recorder.until(lambda received: received.records[-1:] == [{"id": 1}])
            seen[name] = [record["body"] for record in recorder.records[:-1]]
        assert seen == {
            "anon": [],
            "service": ["a", "b", "c", "a!", "b!"],
            "ann": ["a", "a!"],
            "bob": ["b", "b!"],
        }

    with_feed(services, steps)


def test_row_that_is_gone_is_not_delivered_under_policies(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_notes(client, "fleeting")
        recorder, _ = await client.subscribe(
            request_for("*"), role="authenticated", claims=identity("authenticated", "ann")
        )
        # One transaction: when it has committed, the first row is gone already.
        async with client.project.transaction():
            await client.run(
                "insert into fleeting values (1, 'ann', 'gone'), (2, 'ann', 'there')",
                "delete from fleeting where id = 1",
            )
        await client.run("insert into fleeting_marks values (1)")
        await recorder.until(lambda received: received.records[-1:] == [{"id": 1}])
        assert [(data["type"], data.get("record", {}).get("body")) for _, data in recorder.changes[:-1]] == [
            ("INSERT", "there"),
            ("DELETE", None),
        ]

    with_feed(services, steps)


def test_row_that_changes_its_owner_reaches_the_new_owner_only(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_notes(client, "passed_on", "insert into passed_on values (1, 'ann', 'a')")
        ann, _ = await client.subscribe(
            request_for("*"), role="authenticated", claims=identity("authenticated", "ann")
        )
        bob, _ = await client.subscribe(
            request_for("*"), role="authenticated", claims=identity("authenticated", "bob")
        )
        await client.run("update passed_on set owner = 'bob'", "insert into passed_on_marks values (1)")
        for recorder in (ann, bob):
            await recorder.until(lambda received: received.records[-1:] == [{"id": 1}])
        assert ann.records == [{"id": 1}]
        assert bob.records == [{"id": 1, "owner": "bob", "body": "a"}, {"id": 1}]

    with_feed(services, steps)


def test_deleted_row_shows_its_key_only_under_policies(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        for name in ("guarded", "open_rows"):
            await make_table(
                client,
                name,
                "id int primary key, owner text, body text",
                f"alter table {name} replica identity full",
                f"insert into {name} values (1, 'ann', 'secret')",
            )
        await client.run("alter table guarded enable row level security", OWN.format("guarded"))
        recorder, _ = await client.subscribe(request_for("guarded"), request_for("open_rows"))
        await client.run("delete from guarded", "delete from open_rows")
        guarded, open_rows = await recorder.first(2)
        assert guarded["old_record"] == {"id": 1}
        assert open_rows["old_record"] == {"id": 1, "owner": "ann", "body": "secret"}

    with_feed(services, steps)


def test_table_without_primary_key_is_an_error(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "keyless", "title text", "alter table keyless replica identity full")
        recorder, _ = await client.subscribe(request_for("keyless", filter="title=eq.other"))
        await client.run(
            "insert into keyless values ('a')", "update keyless set title = 'other'", "delete from keyless"
        )
        inserted, updated, deleted = await recorder.first(3)
        error: dict[str, Any] = {
            "schema": "public",
            "table": "keyless",
            "commit_timestamp": None,
            "columns": [],
            "record": {},
            "errors": ["Error 400: Bad Request, no primary key"],
        }
        assert inserted == {**error, "type": "INSERT"}
        assert updated == {**error, "type": "UPDATE", "old_record": {}}
        assert (deleted["type"], deleted["errors"]) == ("DELETE", None)

    with_feed(services, steps)


def test_role_without_select_on_the_key_gets_an_error(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "private_keys",
            "id int primary key, title text",
            "revoke all on private_keys from anon",
            "grant select (title) on private_keys to anon",
        )
        anon, _ = await client.subscribe(request_for("private_keys"))
        service, _ = await client.subscribe(request_for("private_keys"), role="service_role")
        await client.run("insert into private_keys values (1, 'a')", "delete from private_keys")
        refused, deleted = await anon.first(2)
        assert refused == {
            "schema": "public",
            "table": "private_keys",
            "type": "INSERT",
            "commit_timestamp": None,
            "columns": [],
            "record": {},
            "errors": ["Error 401: Unauthorized"],
        }
        assert (deleted["old_record"], deleted["errors"]) == ({}, None)
        assert [data["errors"] for data in await service.first(2)] == [None, None]

    with_feed(services, steps)


def test_columns_without_privilege_fall_away(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "columns_apart",
            "id int primary key, title text, cost int",
            "alter table columns_apart replica identity full",
            "revoke all on columns_apart from anon",
            "grant select (id, title) on columns_apart to anon",
        )
        recorder, _ = await client.subscribe(request_for("columns_apart"))
        await client.run("insert into columns_apart values (1, 'a', 5)")
        await recorder.first(1)
        # A privilege that is taken away holds from the next change on.
        await client.run(
            "revoke select (title) on columns_apart from anon", "update columns_apart set cost = 6"
        )
        inserted, updated = await recorder.first(2)
        assert inserted["record"] == {"id": 1, "title": "a"}
        assert inserted["columns"] == [{"name": "id", "type": "int4"}, {"name": "title", "type": "text"}]
        assert (updated["record"], updated["old_record"]) == ({"id": 1}, {"id": 1})

    with_feed(services, steps)


def test_filter_on_a_column_without_privilege_fits_nothing_any_more(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "priced", "id int primary key, cost int")
        recorder, _ = await client.subscribe(
            request_for("priced", id=1, filter="cost=gt.5"), request_for("priced", id=2, filter="id=gt.0")
        )
        await client.run("insert into priced values (1, 9)")
        await recorder.first(1)
        await client.run(
            "revoke select on priced from anon",
            "grant select (id) on priced to anon",
            "insert into priced values (2, 9)",
        )
        await recorder.first(2)
        # To hear of the row by its cost would tell the cost.
        assert [(ids, data["record"]) for ids, data in recorder.changes] == [
            ((1, 2), {"id": 1, "cost": 9}),
            ((2,), {"id": 2}),
        ]

    with_feed(services, steps)


def test_policies_of_a_moment_ago_hold(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_notes(client, "lately", "insert into lately values (1, 'ann', 'a')")
        bob, _ = await client.subscribe(
            request_for("*"), role="authenticated", claims=identity("authenticated", "bob")
        )
        await client.run(
            "create policy open_now on lately for select using (true)",
            "update lately set body = 'open'",
            "insert into lately_marks values (1)",
        )
        await bob.until(lambda received: received.records[-1:] == [{"id": 1}])
        await client.run(
            "drop policy open_now on lately",
            "update lately set body = 'shut'",
            "insert into lately_marks values (2)",
        )
        await bob.until(lambda received: received.records[-1:] == [{"id": 2}])
        assert bob.records == [{"id": 1, "owner": "ann", "body": "open"}, {"id": 1}, {"id": 2}]

    with_feed(services, steps)


def test_policy_that_fails_hides_rows_from_its_role_only(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "failing",
            "id int primary key",
            "alter table failing enable row level security",
            "create policy fails on failing for select to anon using (1 / (id - id) = 1)",
        )
        await make_table(client, "failing_marks", "id int primary key")
        anon, _ = await client.subscribe(request_for("*"))
        service, _ = await client.subscribe(request_for("*"), role="service_role")
        await client.run("insert into failing values (7)", "insert into failing_marks values (1)")
        for recorder in (anon, service):
            await recorder.until(lambda received: received.records[-1:] == [{"id": 1}])
        assert (anon.records, service.records) == ([{"id": 1}], [{"id": 7}, {"id": 1}])

    with_feed(services, steps)


def test_new_token_moves_the_subscription_to_its_claims(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_notes(client, "moving")
        recorder, subscription = await client.subscribe(
            request_for("*"), role="authenticated", claims=identity("authenticated", "ann")
        )
        await subscription.move("authenticated", identity("authenticated", "bob"))
        await client.run(
            "insert into moving values (1, 'ann', 'a'), (2, 'bob', 'b')",
            "insert into moving_marks values (1)",
        )
        await recorder.until(lambda received: received.records[-1:] == [{"id": 1}])
        assert [record.get("body") for record in recorder.records] == ["b", None]
        cursor = await client.project.execute("select distinct claims ->> 'sub' from realtime.subscription")
        assert await cursor.fetchall() == [("bob",)]

    with_feed(services, steps)


def test_claims_that_lack_a_column_end_the_subscription(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "narrowed",
            "id int primary key, cost int",
            "revoke select on narrowed from anon",
            "grant select (id) on narrowed to anon",
        )
        narrowed = request_for("narrowed", filter="cost=gt.1")
        moved, subscription = await client.subscribe(narrowed, role="service_role")
        other, _ = await client.subscribe(narrowed, role="service_role")
        with pytest.raises(SubscriptionRefused, match="invalid column for filter cost"):
            await subscription.move("anon", b'{"role":"anon"}')
        await client.run("insert into narrowed values (1, 2)")
        await other.first(1)
        assert moved.changes == []

    with_feed(services, steps)


def test_closed_subscription_gets_nothing_and_leaves_no_record(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "closing", "id int primary key")
        closed, subscription = await client.subscribe(request_for("closing", "INSERT", filter="id=gt.0"))
        open_one, _ = await client.subscribe(request_for("closing"))
        cursor = await client.project.execute(
            "select entity::text, filters::text, claims, claims_role::text, action_filter from realtime.subscription"
            " order by id"
        )
        assert await cursor.fetchall() == [
            ("closing", '{"(id,gt,0,f)"}', {"role": "anon"}, "anon", "INSERT"),
            ("closing", "{}", {"role": "anon"}, "anon", "*"),
        ]
        subscription.close()
        subscription.close()
        await client.run("insert into closing values (1)")
        await open_one.first(1)
        assert closed.changes == []
        await client.feed.close()
        cursor = await client.project.execute("select count(*) from realtime.subscription")
        assert await cursor.fetchall() == [(0,)]

    with_feed(services, steps)


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role", "authenticator"])
def test_subscriptions_are_written_by_the_service_only(services: Stack, role: str) -> None:
    statements = (
        "insert into realtime.subscription (subscription_id, entity, claims)"
        " values (gen_random_uuid(), 'pg_class', '{\"role\":\"anon\"}')",
        "update realtime.subscription set claims = '{}'",
        "delete from realtime.subscription",
    )
    with psycopg.connect(as_role(services.db_url, "supabase_admin"), autocommit=True) as connection:
        connection.execute(f"set role {role}".encode())
        for statement in statements:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_each_subscriber_gets_every_row_once_and_in_order(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "many_rows",
            "id int primary key, owner int",
            "alter table many_rows enable row level security",
            "create policy own on many_rows for select using (owner = (auth.jwt() ->> 'sub')::int)",
        )
        subscribers = [
            await client.subscribe(
                ChangeRequest(1, "INSERT", "public", "many_rows"),
                role="authenticated",
                claims=identity("authenticated", str(number)),
            )
            for number in range(20)
        ]
        # One commit, larger than a batch of the stream.
        await client.run("insert into many_rows select n, n % 20 from generate_series(1, 5000) n")
        for number, (recorder, _) in enumerate(subscribers):
            expected_ids = [n for n in range(1, 5001) if n % 20 == number]
            await recorder.until(lambda received: len(received.changes) >= 250)
            assert [record["id"] for record in recorder.records] == expected_ids

    with_feed(services, steps)
