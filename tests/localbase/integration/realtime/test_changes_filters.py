"""Filters: each operator as Postgres compares, and upstream's messages where one cannot be."""

from __future__ import annotations

import pytest
from localbase.realtime.changes.feed import ChangeRequest, SubscriptionRefused

from tests.localbase.integration.realtime.change_feed import FeedClient, make_table, request_for, with_feed
from tests.support.stacks import Stack

ROWS = """insert into {0} (id, name, amount, done, day, code) values
  (1, 'apple', 1.5, true, '2026-01-01', 'A'), (2, 'Apricot', 2, false, '2026-02-01', 'B'),
  (3, 'banana', 10, null, '2026-03-01', 'C'), (4, null, null, true, null, 'a'),
  (5, 'a,b"c', -3, false, '2026-01-01', 'D')"""
COLUMNS = "id int primary key, name text, amount numeric, done boolean, day date, code varchar(5)"
# Each with the condition in SQL that it stands for.
COMPARISONS = [
    ("name=eq.apple", "name = 'apple'"),
    ("name=neq.apple", "name <> 'apple'"),
    ("amount=lt.10", "amount < 10"),
    ("amount=lte.10", "amount <= 10"),
    ("amount=gt.1.5", "amount > 1.5"),
    ("amount=gte.1.5", "amount >= 1.5"),
    ("id=in.(1,3,99)", "id in (1, 3, 99)"),
    ('name=in.("a,b\\"c",banana)', "name in ('a,b\"c', 'banana')"),
    ("name=like.a%", "name like 'a%'"),
    ("name=ilike.a%", "name ilike 'a%'"),
    ("name=match.^[ab]", "name ~ '^[ab]'"),
    ("name=imatch.^A", "name ~* '^A'"),
    ("done=is.true", "done is true"),
    ("done=is.unknown", "done is unknown"),
    ("amount=is.null", "amount is null"),
    ("amount=isdistinct.2", "amount is distinct from 2"),
    ("name=not.eq.apple", "not (name = 'apple')"),
    ("id=not.in.(1,2)", "not (id in (1, 2))"),
    ("amount=not.is.null", "amount is not null"),
    ("amount=not.isdistinct.2.0", "amount is not distinct from 2.0"),
    ("name=not.like.a%", "not (name like 'a%')"),
    ('name=eq."a,b\\"c"', "name = 'a,b\"c'"),
    ("id=gt.1,id=lt.4", "id > 1 and id < 4"),
    ("id=in.(1,2,3),name=not.is.null,amount=gt.1", "id in (1,2,3) and name is not null and amount > 1"),
    ("day=gte.2026-02-01", "day >= '2026-02-01'"),
    ("code=eq.a", "code = 'a'"),
    ("", "true"),
    ("  ", "true"),
]


def test_filters_compare_as_postgres_does(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "filtered", COLUMNS)
        recorder, _ = await client.subscribe(
            *(request_for("filtered", id=place, filter=text) for place, (text, _) in enumerate(COMPARISONS))
        )
        await client.run(ROWS.format("filtered"))
        await recorder.first(5)
        for place, (text, condition) in enumerate(COMPARISONS):
            cursor = await client.project.execute(
                f"select id from filtered where {condition} order by id".encode()
            )
            selected = [row[0] for row in await cursor.fetchall()]
            arrived = [data["record"]["id"] for ids, data in recorder.changes if place in ids]
            assert (text, arrived) == (text, selected)

    with_feed(services, steps)


def test_deleted_rows_are_filtered_by_their_replica_identity(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "short_identity", "id int primary key, name text")
        await make_table(
            client,
            "long_identity",
            "id int primary key, name text",
            "alter table long_identity replica identity full",
        )
        recorder, _ = await client.subscribe(
            *(
                request_for(table, "DELETE", id=place, filter=text)
                for place, (table, text) in enumerate(
                    [
                        ("short_identity", "id=eq.1"),
                        ("short_identity", "name=eq.a"),
                        ("long_identity", "name=eq.a"),
                        ("long_identity", "id=eq.2"),
                    ]
                )
            )
        )
        for table in ("short_identity", "long_identity"):
            await client.run(f"insert into {table} values (1, 'a'), (2, 'b')", f"delete from {table}")
        await recorder.first(3)
        assert [(data["table"], data["old_record"]["id"], ids) for ids, data in recorder.changes] == [
            ("short_identity", 1, (0,)),
            ("long_identity", 1, (2,)),
            ("long_identity", 2, (3,)),
        ]

    with_feed(services, steps)


def test_update_is_filtered_by_the_new_row(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client, "states", "id int primary key, state text", "insert into states values (1, 'a')"
        )
        recorder, _ = await client.subscribe(request_for("states", filter="state=eq.b"))
        await client.run(
            "update states set state = 'b'", "update states set state = 'c'", "update states set state = 'b'"
        )
        assert [data["record"]["state"] for data in await recorder.first(2)] == ["b", "b"]

    with_feed(services, steps)


def test_filter_that_no_longer_fits_its_column_matches_nothing_and_stops_no_other(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "retyped", "id int primary key, name text")
        texts = ("name=match.^a", "name=eq.x", "name=eq.7", "id=gt.0")
        recorder, _ = await client.subscribe(
            *(request_for("retyped", id=place, filter=text) for place, text in enumerate(texts))
        )
        await client.run(
            "alter table retyped alter name type int using 0", "insert into retyped values (1, 7)"
        )
        await recorder.first(1)
        assert [ids for ids, _ in recorder.changes] == [(2, 3)]

    with_feed(services, steps)


UNABLE = "Unable to subscribe to changes with given parameters. "
FAILED = f"{UNABLE}An exception happened so please check your connect parameters: "


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (request_for("refused", filter="undefined"), 'Error parsing `filter` params: ["undefined"]'),
        (request_for("refused", filter="name=foo.hey"), 'Error parsing `filter` params: ["foo", "hey"]'),
        (request_for("refused", filter="name=eq"), 'Error parsing `filter` params: ["eq"]'),
        (
            request_for("refused", filter="id=eq.1,"),
            "Error parsing `filter` params: filter must not contain empty segments (check for extra commas)",
        ),
        (
            request_for("refused", filter="id=in.1,2"),
            "Error parsing `filter` params: `in` filter value must be wrapped by parentheses",
        ),
        (
            request_for("*", select=("id",)),
            "Column selection is not supported for wildcard subscriptions. "
            "Provide an explicit schema and table name.",
        ),
        (
            request_for("unpublished"),
            f"{UNABLE}Please check Realtime is enabled for the given connect parameters: "
            "[event: *, schema: public, table: unpublished, filters: [], select: nil]",
        ),
        (
            request_for("refused", "INSERT", filter="cost=eq.1"),
            f'{FAILED}[event: INSERT, schema: public, table: refused, filters: [{{"cost", "eq", "1", false}}], '
            "select: nil]. Exception: ERROR P0001 (raise_exception) invalid column for filter cost",
        ),
        (
            request_for("refused", filter="id=not.eq.x"),
            f'{FAILED}[event: *, schema: public, table: refused, filters: [{{"id", "eq", "x", true}}], select: nil]. '
            'Exception: ERROR 22P02 (invalid_text_representation) invalid input syntax for type integer: "x"',
        ),
        (
            request_for("refused", filter="id=like.1%"),
            f'{FAILED}[event: *, schema: public, table: refused, filters: [{{"id", "like", "1%", false}}], '
            "select: nil]. Exception: ERROR P0001 (raise_exception) operator like requires a text-compatible column "
            "type, got integer",
        ),
        (
            request_for("refused", filter="id=match.1"),
            f'{FAILED}[event: *, schema: public, table: refused, filters: [{{"id", "match", "1", false}}], '
            "select: nil]. Exception: ERROR P0001 (raise_exception) operator match requires a text-compatible column "
            "type, got integer",
        ),
        (
            request_for("refused", filter="name=match.("),
            f'{FAILED}[event: *, schema: public, table: refused, filters: [{{"name", "match", "(", false}}], '
            "select: nil]. Exception: ERROR P0001 (raise_exception) invalid regular expression for match filter: "
            "invalid regular expression: parentheses () not balanced",
        ),
        (
            request_for("refused", filter="name=is.nothing"),
            f'{FAILED}[event: *, schema: public, table: refused, filters: [{{"name", "is", "nothing", false}}], '
            "select: nil]. Exception: ERROR P0001 (raise_exception) invalid value for is filter: must be null, true, "
            "false, or unknown",
        ),
        (
            request_for("refused", filter="id=is.true"),
            f'{FAILED}[event: *, schema: public, table: refused, filters: [{{"id", "is", "true", false}}], '
            "select: nil]. Exception: ERROR P0001 (raise_exception) is true filter requires a boolean column, got "
            "integer",
        ),
        (
            request_for("refused", select=("id", "cost")),
            f'{FAILED}[event: *, schema: public, table: refused, filters: [], select: ["id", "cost"]]. '
            "Exception: ERROR P0001 (raise_exception) invalid column for select cost",
        ),
    ],
    ids=lambda value: value.filter or "" if isinstance(value, ChangeRequest) else "",
)
def test_refused_subscription_has_upstream_message(
    services: Stack, request_: ChangeRequest, message: str
) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(
            client,
            "refused",
            "id int primary key, name text, cost int",
            "revoke select on refused from anon",
            "grant select (id, name) on refused to anon",
            "drop table if exists unpublished",
            "create table unpublished (id int primary key)",
        )
        with pytest.raises(SubscriptionRefused) as refused:
            await client.subscribe(request_for("refused"), request_)
        assert str(refused.value) == message
        await client.feed.close()
        cursor = await client.project.execute("select count(*) from realtime.subscription")
        assert await cursor.fetchall() == [(0,)]
        assert await client.slots() == []

    with_feed(services, steps)


def test_more_than_hundred_values_are_refused(services: Stack) -> None:
    async def steps(client: FeedClient) -> None:
        await make_table(client, "hundreds", "id int primary key")
        text = ",".join(map(str, range(101)))
        with pytest.raises(SubscriptionRefused, match=r"too many values for `in` filter\. Maximum 100$"):
            await client.subscribe(request_for("hundreds", filter=f"id=in.({text})"))
        recorder, _ = await client.subscribe(
            request_for("hundreds", filter=f"id=in.({text.rpartition(',')[0]})")
        )
        await client.run("insert into hundreds values (99), (100)", "insert into hundreds values (5)")
        assert [data["record"]["id"] for data in await recorder.first(2)] == [99, 5]

    with_feed(services, steps)
