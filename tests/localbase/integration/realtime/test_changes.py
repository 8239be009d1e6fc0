"""Postgres Changes at the feed: the messages' content, event by event, as upstream's `apply_rls` makes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.localbase.integration.realtime.change_feed import FeedClient, make_table, request_for, with_feed
from tests.support.stacks import Stack

TODO_COLUMNS = [
    {"name": "id", "type": "int8"},
    {"name": "title", "type": "text"},
    {"name": "done", "type": "bool"},
]


def without_time(data: dict[str, Any]) -> dict[str, Any]:
    """The change without the time of its commit, which is just now, in milliseconds of UTC."""
    text = data.pop("commit_timestamp")
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert text == moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert abs(datetime.now(UTC) - moment) < timedelta(seconds=30)
    return data


def test_insert_update_delete_arrive_with_upstream_fields(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "todos", "id bigint primary key, title text, done boolean")
        recorder, _ = await client.subscribe(request_for("todos", id=4711))
        await client.run("insert into todos values (1, 'Größe', false)")
        await recorder.first(1)
        await client.run("update todos set done = true")
        await recorder.first(2)
        await client.run("delete from todos")
        inserted, updated, deleted = [without_time(data) for data in await recorder.first(3)]
        common = {"schema": "public", "table": "todos", "columns": TODO_COLUMNS, "errors": None}
        assert inserted == {**common, "type": "INSERT", "record": {"id": 1, "title": "Größe", "done": False}}
        assert updated == {
            **common,
            "type": "UPDATE",
            "record": {"id": 1, "title": "Größe", "done": True},
            "old_record": {"id": 1},
        }
        assert deleted == {**common, "type": "DELETE", "old_record": {"id": 1}}
        assert [ids for ids, _ in recorder.changes] == [(4711,)] * 3

    with_feed(services, steps)


def test_full_replica_identity_shows_the_old_row(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "full_rows",
            "id int primary key, title text, done boolean",
            "alter table full_rows replica identity full",
            "insert into full_rows values (1, 'a', null)",
        )
        recorder, _ = await client.subscribe(request_for("full_rows"))
        await client.run("update full_rows set title = 'b'")
        await recorder.first(1)
        await client.run("delete from full_rows")
        updated, deleted = await recorder.first(2)
        assert updated["old_record"] == {"id": 1, "title": "a", "done": None}
        assert updated["record"] == {"id": 1, "title": "b", "done": None}
        assert deleted["old_record"] == {"id": 1, "title": "b", "done": None}

    with_feed(services, steps)


def test_changed_key_shows_the_old_key(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client, "moved", "id int primary key, title text", "insert into moved values (1, 'a')"
        )
        recorder, _ = await client.subscribe(request_for("moved"))
        await client.run("update moved set id = 2")
        (updated,) = await recorder.first(1)
        assert (updated["record"], updated["old_record"]) == ({"id": 2, "title": "a"}, {"id": 1})

    with_feed(services, steps)


def test_values_are_json_as_the_data_api_has_them(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await client.run(
            "drop table if exists kinds",
            "drop schema if exists workshop cascade",
            "create schema workshop",
            "create type workshop.mood as enum ('glad', 'so so')",
            "create type workshop.pair as (a int, b text)",
            "create domain workshop.small as int check (value < 100)",
        )
        await make_table(
            client,
            "kinds",
            """id uuid primary key, number numeric, big bigint, ratio double precision, flag boolean, at timestamptz,
            day date, plain timestamp, list int[], texts text[], doc jsonb, raw bytea, moods workshop.mood[],
            mood workshop.mood, pair workshop.pair, small workshop.small, code char(4), span int4range,
            "odd ""name"" too" text, twice int generated always as (small * 2) stored""",
        )
        recorder, _ = await client.subscribe(request_for("kinds"))
        await client.run(
            """insert into kinds values ('0b1b1f3e-5a3c-4a6b-9d55-5e2f0d1c2b3a', 1.10, 9007199254740993, 0.1, true,
            '2026-11-22 14:00:00.5+02', '2026-11-22', '2026-11-22 14:00', '{1,null,3}', '{"a,b","c\\"d"}',
            '{"b": [1, 2.50], "a": null}', '\\x00ff', '{glad,"so so"}', 'so so', '(1,"x y")', 7, 'ab', '[1,5)', 'q')"""
        )
        (inserted,) = await recorder.first(1)
        shown = await client.project.execute("select to_jsonb(kinds) - 'raw' from kinds")
        row = await shown.fetchone()
        assert row is not None
        # Upstream's plugin writes bytes as hexadecimal digits without the prefix of Postgres's own text.
        assert inserted["record"] == {**row[0], "raw": "00ff"}
        assert inserted["record"]["at"] == "2026-11-22T12:00:00.5+00:00"
        assert inserted["record"]["twice"] == 14
        types = {column["name"]: column["type"] for column in inserted["columns"]}
        assert (types["list"], types["small"], types["mood"]) == ("_int4", "small", "mood")

    with_feed(services, steps)


def test_exact_numbers_keep_their_digits(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "exact", "id bigint primary key, price numeric")
        received: list[bytes] = []
        await client.feed.subscribe(
            [request_for("exact")],
            "anon",
            b'{"role":"anon"}',
            lambda change: received.append(change.data),
            print,
        )
        recorder, _ = await client.subscribe(request_for("exact"))
        await client.run("insert into exact values (9007199254740993, 1.100)")
        await recorder.first(1)
        assert b'"record":{"id":9007199254740993,"price":1.100}' in received[0]

    with_feed(services, steps)


def test_unchanged_large_value_comes_from_the_old_row_or_not_at_all(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        for name, identity in (("large_default", "default"), ("large_full", "full")):
            await client.run(f"drop table if exists {name}")
            await client.run(
                f"create table {name} (id int primary key, title text, body text)",
                f"alter table {name} alter body set storage external, replica identity {identity}",
                f"alter publication supabase_realtime add table {name}",
                f"insert into {name} values (1, 'a', repeat('x', 9000))",
            )
        recorder, _ = await client.subscribe(request_for("large_default"), request_for("large_full"))
        await client.run("update large_default set title = 'b'", "update large_full set title = 'b'")
        by_table = {data["table"]: data for data in await recorder.first(2)}
        assert by_table["large_default"]["record"] == {"id": 1, "title": "b"}
        assert by_table["large_full"]["record"] == {"id": 1, "title": "b", "body": "x" * 9000}

    with_feed(services, steps)


def test_row_above_one_megabyte_shows_short_values_with_an_error(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client, "large_rows", "id int primary key, short text, medium text, body text, empty text"
        )
        recorder, _ = await client.subscribe(request_for("large_rows"))
        await client.run(
            "insert into large_rows values (1, repeat('s', 62), repeat('m', 63), repeat('x', 1048576), null)",
            "insert into large_rows values (2, 's', 'm', repeat('x', 1000000), null)",
        )
        large, fitting = await recorder.first(2)
        assert large["errors"] == ["Error 413: Payload Too Large"]
        # 64 bytes with the quotes.
        assert large["record"] == {"id": 1, "short": "s" * 62}
        assert fitting["errors"] is None
        assert fitting["record"] == {
            "id": 2,
            "short": "s",
            "medium": "m",
            "body": "x" * 1_000_000,
            "empty": None,
        }

    with_feed(services, steps)


def test_wildcards_and_events_select_what_arrives(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "wild", "id int primary key")
        await make_table(client, "wilder", "id int primary key")
        recorder, _ = await client.subscribe(
            request_for("*", id=1, schema="*", select=()),
            request_for("wild", "INSERT", id=2),
            request_for("wild", "UPDATE", id=3),
            request_for("wild", "DELETE", id=4),
            request_for("*", "INSERT", id=5),
            request_for("wilder", id=6),
        )
        await client.run(
            "insert into wild values (1)",
            "update wild set id = 2",
            "delete from wild",
            "insert into wilder values (1)",
        )
        await recorder.first(4)
        # The first two are gone when they are read: no policy hides them, and so they arrive.
        assert [(data["table"], data["type"], ids) for ids, data in recorder.changes] == [
            ("wild", "INSERT", (1, 2, 5)),
            ("wild", "UPDATE", (1, 3)),
            ("wild", "DELETE", (1, 4)),
            ("wilder", "INSERT", (1, 5, 6)),
        ]

    with_feed(services, steps)


def test_table_published_later_reaches_a_wildcard(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "early", "id int primary key")
        recorder, _ = await client.subscribe(request_for("*"))
        await make_table(client, "late", "id int primary key", "insert into late values (1)")
        (inserted,) = await recorder.first(1)
        assert inserted["table"] == "late"

    with_feed(services, steps)


def test_table_that_changes_its_columns_goes_on(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "altered", "id int primary key, old_name text, gone int")
        recorder, _ = await client.subscribe(request_for("altered"))
        await client.run(
            "insert into altered values (1, 'a', 1)",
            "alter table altered rename old_name to new_name",
            "alter table altered drop gone, add extra int default 5",
            "insert into altered values (2, 'b')",
        )
        await recorder.first(2)
        assert recorder.records[1] == {"id": 2, "new_name": "b", "extra": 5}

    with_feed(services, steps)


def test_select_restricts_columns_and_adds_the_key(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "chosen",
            "id int primary key, a int, b int, c int",
            "alter table chosen replica identity full",
        )
        recorder, _ = await client.subscribe(
            request_for("chosen", id=1, select=("b",)),
            request_for("chosen", id=2),
            request_for("chosen", id=3),
        )
        await client.run("insert into chosen values (1, 2, 3, 4)")
        await recorder.first(2)
        await client.run("update chosen set b = 5")
        await recorder.first(4)
        some = [data for ids, data in recorder.changes if ids == (1,)]
        rest = [data for ids, data in recorder.changes if ids == (2, 3)]
        assert some[0]["columns"] == [{"name": "id", "type": "int4"}, {"name": "b", "type": "int4"}]
        assert some[0]["record"] == {"id": 1, "b": 3}
        assert (some[1]["record"], some[1]["old_record"]) == ({"id": 1, "b": 5}, {"id": 1, "b": 3})
        assert rest[0]["record"] == {"id": 1, "a": 2, "b": 3, "c": 4}

    with_feed(services, steps)


def test_quoted_names_are_found_and_compared(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await client.run(
            'drop schema if exists "Odd Schema" cascade',
            'create schema "Odd Schema"',
            'create table "Odd Schema"."a.b ""c"" d" ("the key" text, "second" int, primary key ("the key", "second"))',
            'alter publication supabase_realtime add table "Odd Schema"."a.b ""c"" d"',
            'alter table "Odd Schema"."a.b ""c"" d" enable row level security',
            'create policy all_rows on "Odd Schema"."a.b ""c"" d" for select using (true)',
            'grant usage on schema "Odd Schema" to anon',
            'grant select on "Odd Schema"."a.b ""c"" d" to anon',
        )
        recorder, _ = await client.subscribe(
            request_for('a.b "c" d', schema="Odd Schema", filter='the key=in.("x,y","{\\"}")')
        )
        await client.run(
            """insert into "Odd Schema"."a.b ""c"" d" values ('no', 1), ('x,y', 2), ('{"}', 3)"""
        )
        assert [data["record"]["second"] for data in await recorder.first(2)] == [2, 3]
        assert (await recorder.first(1))[0]["schema"] == "Odd Schema"

    with_feed(services, steps)


def test_publication_that_is_made_anew_goes_on(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "republished", "id int primary key")
        recorder, _ = await client.subscribe(request_for("republished"))
        cursor = await client.project.execute(
            "select string_agg(format('%I.%I', schemaname, tablename), ', ') from pg_publication_tables"
            " where pubname = 'supabase_realtime'"
        )
        (tables,) = await cursor.fetchone() or ("",)
        # As the hosted platform's guides do it.
        async with client.project.transaction():
            await client.run(
                "drop publication supabase_realtime",
                "create publication supabase_realtime with (publish_generated_columns = stored)",
            )
        await client.run(
            f"alter publication supabase_realtime add table {tables}", "insert into republished values (1)"
        )
        assert (await recorder.first(1))[0]["record"] == {"id": 1}

    with_feed(services, steps)


def test_partition_is_announced_by_its_own_name(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await client.run(
            "drop table if exists years cascade",
            "create table years (day date primary key) partition by range (day)",
            "create table years_2026 partition of years for values from ('2026-01-01') to ('2027-01-01')",
            "alter publication supabase_realtime add table years",
        )
        recorder, _ = await client.subscribe(request_for("years_2026"))
        await client.run("insert into years values ('2026-11-22')")
        (inserted,) = await recorder.first(1)
        assert (inserted["table"], inserted["record"]) == ("years_2026", {"day": "2026-11-22"})

    with_feed(services, steps)


def test_table_made_and_filled_in_one_transaction_is_announced(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "before", "id int primary key")
        recorder, _ = await client.subscribe(request_for("*"))
        async with client.project.transaction():
            await make_table(client, "at_once", "id int primary key", "insert into at_once values (1)")
        assert (await recorder.first(1))[0]["table"] == "at_once"

    with_feed(services, steps)
