"""A property: with any policies, rows and users, what arrives is what `select` shows to each user."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

import uvloop
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.localbase.integration.realtime.change_feed import (
    FeedClient,
    identity,
    make_table,
    open_feed,
    request_for,
)
from tests.support.random_cases import cases
from tests.support.stacks import Stack

# Conditions over a row and the user's claims; some look at another table, some are no condition at all.
_CONDITIONS = st.sampled_from(
    [
        "true",
        "false",
        "owner = auth.jwt() ->> 'sub'",
        "owner <> auth.jwt() ->> 'sub'",
        "level < (auth.jwt() ->> 'level')::int",
        "level is null",
        "(auth.jwt() ->> 'level') is null",
        "exists (select from members where members.id = drawn.id % 3 and name = auth.jwt() ->> 'sub')",
        "id % 2 = 0",
        "auth.role() = 'authenticated'",
        "null",
    ]
)
_ROLES = st.sampled_from(["anon", "authenticated", "public"])
_NAMES = ("ann", "bob", "eve")


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy for reading."""

    role: str
    condition: str
    restrictive: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row's values but its key, which is its place."""

    owner: str | None
    level: int | None


_policies = st.lists(st.builds(Policy, _ROLES, _CONDITIONS, st.booleans()), max_size=4)
_rows = st.lists(
    st.builds(Row, st.none() | st.sampled_from(_NAMES), st.none() | st.integers(0, 3)), min_size=1, max_size=8
)
_users = st.lists(
    st.tuples(
        st.sampled_from(["anon", "authenticated", "service_role"]),
        st.sampled_from(_NAMES),
        st.none() | st.integers(0, 3),
    ),
    min_size=1,
    max_size=5,
    unique=True,
)
_changes = st.lists(st.sampled_from(["owner = null", "level = level + 1", "owner = 'eve'"]), max_size=2)


def claims_of(role: str, name: str, level: int | None) -> bytes:
    claims = json.loads(identity(role, name)) | ({} if level is None else {"level": level})
    return json.dumps(claims).encode()


async def selected(client: FeedClient, role: str, claims: bytes) -> list[dict[str, object]]:
    """Return what the user reads, by the same means as the Data API."""
    async with client.project.transaction(force_rollback=True):
        await client.project.execute(
            "select set_config('request.jwt.claims', %s, true), set_config('role', %s, true)",
            [claims.decode(), role],
        )
        cursor = await client.project.execute("select to_jsonb(drawn) from drawn order by id")
        return [row[0] for row in await cursor.fetchall()]


async def prepare(client: FeedClient) -> None:
    await make_table(client, "drawn", "id int primary key, owner text, level int")
    await client.run(
        "drop table if exists members cascade",
        "create table members (id int, name text)",
        "insert into members values (0, 'ann'), (1, 'bob'), (2, 'eve'), (0, 'eve')",
        "alter table drawn enable row level security",
    )
    await make_table(client, "drawn_marks", "id int generated always as identity primary key")


async def hold(
    client: FeedClient,
    policies: list[Policy],
    rows: list[Row],
    users: list[tuple[str, str, int | None]],
    changes: list[str],
) -> None:
    await client.run("truncate drawn")
    cursor = await client.project.execute("select policyname from pg_policies where tablename = 'drawn'")
    for (name,) in await cursor.fetchall():
        await client.run(f"drop policy {name} on drawn")
    for place, policy in enumerate(policies):
        kind = "restrictive" if policy.restrictive else "permissive"
        await client.run(
            f"create policy p{place} on drawn as {kind} for select to {policy.role} using ({policy.condition})"
        )
    subscribers = [
        (role, claims, *await client.subscribe(request_for("*"), role=role, claims=claims))
        for role, claims in ((user[0], claims_of(*user)) for user in users)
    ]
    async with client.project.transaction():
        await client.project.execute(
            "insert into drawn select * from unnest(%s::int[], %s::text[], %s::int[])",
            [list(range(len(rows))), [row.owner for row in rows], [row.level for row in rows]],
        )
        for change in changes:
            await client.run(f"update drawn set {change} where id % 2 = 1")
    await client.run("insert into drawn_marks default values")
    for role, claims, recorder, subscription in subscribers:
        await recorder.until(lambda got: bool(got.changes) and got.changes[-1][1]["table"] == "drawn_marks")
        subscription.close()
        visible = await selected(client, role, claims)
        arrived = [data for _, data in recorder.changes if data["table"] == "drawn"]
        latest = {data["record"]["id"]: data["record"] for data in arrived}
        # Each row that the user reads, as it is now; each change of it once and in the order of the commands.
        assert [latest[key] for key in sorted(latest)] == visible
        seen = {row["id"] for row in visible}
        expected = [("INSERT", place) for place in range(len(rows)) if place in seen]
        for _ in changes:
            expected += [("UPDATE", place) for place in range(len(rows)) if place in seen and place % 2 == 1]
        assert [(data["type"], data["record"]["id"]) for data in arrived] == expected


def test_arriving_rows_are_the_rows_that_select_shows(services: Stack) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        context = open_feed(services.db_url)
        client = runner.run(context.__aenter__())

        @settings(max_examples=cases(25), suppress_health_check=[HealthCheck.too_slow])
        @given(_policies, _rows, _users, _changes)
        def hold_for(
            policies: list[Policy],
            rows: list[Row],
            users: list[tuple[str, str, int | None]],
            changes: list[str],
        ) -> None:
            runner.run(hold(client, policies, rows, users, changes))

        try:
            runner.run(prepare(client))
            hold_for()
        finally:
            runner.run(context.__aexit__(None, None, None))
