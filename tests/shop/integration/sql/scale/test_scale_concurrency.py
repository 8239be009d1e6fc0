"""Totals under people who like, unlike, publish and delete the same designs at once, in transactions of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.support.stacks import Stack

_USERS, _DESIGNS, _STEPS = 8, 3, 40
_KINDS = ("shop", "likes", "designs of users", "sessions of users", "names of public designs")
Connection = psycopg.Connection[dict[str, Any]]


@pytest.fixture
def user_ids(stack: Stack) -> Iterator[list[str]]:
    """The first of them has public designs. Committed, and deleted afterwards."""
    with psycopg.connect(stack.db_url, row_factory=dict_row, autocommit=True) as connection:
        made = connection.execute(
            "insert into auth.users (id, aud, role, email, raw_user_meta_data) "
            "select gen_random_uuid(), 'authenticated', 'authenticated', 'crowd' || n || '@teesmith.example', '{}' "
            "from generate_series(1, %s) n returning id::text",
            [_USERS],
        ).fetchall()
        ids = [row["id"] for row in made]
        connection.execute("update private.profiles set public_name = 'Crowd' where id = %s", [ids[0]])
        yield ids
        connection.execute("delete from auth.users where id = any (%s::uuid[])", [ids])
        assert wrong(connection) == []


def wrong(connection: Connection) -> list[Any]:
    return [
        row
        for kind in _KINDS
        for row in connection.execute("select * from private.wrong_totals(%s)", [kind]).fetchall()
    ]


def as_person(connection: Connection, person: str, statement: str, *values: object) -> None:
    """In one transaction, as the gateway runs it. Rejections by policies and keys are responses, deadlocks are not."""
    try:
        with connection.transaction():
            claims = json.dumps({"role": "authenticated", "sub": person})
            connection.execute("select set_config('request.jwt.claims', %s, true)", [claims])
            connection.execute("set local role authenticated")
            connection.execute(statement.encode(), values)
    except (
        psycopg.errors.UniqueViolation,
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.ForeignKeyViolation,
    ):
        pass


def act(stack: Stack, random: Random, me: str, owner: str, designs: list[str]) -> None:
    with psycopg.connect(stack.db_url, row_factory=dict_row, autocommit=True) as connection:
        for _ in range(_STEPS):
            design, chosen = random.choice(designs), random.random()
            if chosen < 0.45:
                like = "insert into public.design_likes (design_id, user_id) values (%s, %s)"
                as_person(connection, me, like, design, me)
            elif chosen < 0.75:
                unlike = "delete from public.design_likes where design_id = %s and user_id = %s"
                as_person(connection, me, unlike, design, me)
            elif chosen < 0.8:
                as_person(connection, me, "delete from public.design_likes where user_id = %s", me)
            elif chosen < 0.87:
                as_person(connection, owner, "delete from public.public_designs where design_id = %s", design)
            elif chosen < 0.95:
                publish = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
                as_person(connection, owner, publish, design, owner)
            elif chosen < 0.97:
                rename = "update public.designs set name = %s where id = %s"
                as_person(connection, owner, rename, f"Renamed {random.random()}", design)
            elif chosen < 0.98 and design is not designs[0]:
                as_person(connection, owner, "delete from public.designs where id = %s", design)
            else:
                as_person(
                    connection, me, "insert into public.designs (user_id, name) values (%s, 'Mine')", me
                )


@pytest.mark.parametrize("round_of", range(2))
def test_totals_hold_while_everyone_changes_the_same_designs(
    stack: Stack, user_ids: list[str], round_of: int
) -> None:
    with psycopg.connect(stack.db_url, row_factory=dict_row, autocommit=True) as connection:
        for number in range(_DESIGNS):
            as_person(
                connection,
                user_ids[0],
                "insert into public.designs (user_id, name) values (%s, %s)",
                user_ids[0],
                f"D{number}",
            )
        rows = connection.execute(
            "select id::text from public.designs where user_id = %s order by name", [user_ids[0]]
        )
        designs = [row["id"] for row in rows.fetchall()]
        for design in designs:
            publish = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
            as_person(connection, user_ids[0], publish, design, user_ids[0])
        with ThreadPoolExecutor(_USERS) as pool:
            done = [
                pool.submit(act, stack, Random(f"{round_of} {place}"), person, user_ids[0], designs)
                for place, person in enumerate(user_ids)
            ]
            for each in done:
                each.result()
        assert wrong(connection) == []
