"""Single statements of the service: as whom they run, what stays of them, and how they fail."""

from __future__ import annotations

import psycopg
import pytest
from localbase.postgres.service_pool import ServicePool
from localbase.postgres.transaction import Statement

from tests.localbase.integration.storage.test_sweep import with_database
from tests.support.stacks import Stack

_BUCKET = "insert into storage.buckets (id, name) values ($1, $1) returning to_json(id)"
_SETTINGS = (
    "select json_build_array(current_user, current_setting('request.jwt.claims', true)::json ->> 'sub',"
    " current_setting('storage.operation', true))"
)


def test_statement_has_its_role_and_settings_and_leaves_none(storage: Stack) -> None:
    async def work(pool: ServicePool) -> tuple[object, object]:
        asked = await pool.document(
            _SETTINGS, [], "service_role", b'{"sub":"me"}', {"storage.operation": "test"}
        )
        return asked, await pool.document("select to_json(current_user)", [])

    assert with_database(storage, work) == (["service_role", "me", "test"], "supabase_storage_admin")


def test_statements_before_are_of_the_same_transaction_and_seen_by_it(storage: Stack) -> None:
    adding = Statement("insert into storage.buckets (id, name) values ($1, $1)", [b"before"])
    counting = "select to_json(count(*)) from storage.buckets where id = $1"

    async def work(pool: ServicePool) -> list[object]:
        seen = [await pool.document(counting, ["before"], before=[adding], rollback=True)]
        with pytest.raises(psycopg.errors.DivisionByZero):
            await pool.document("select to_json(1 / $1::int)", ["0"], before=[adding])
        with pytest.raises(psycopg.errors.UniqueViolation):
            await pool.document(counting, ["before"], before=[adding, adding])
        return [*seen, await pool.document(counting, ["before"])]

    assert with_database(storage, work) == [1, 0]


def test_unused_pool_has_no_connection(storage: Stack) -> None:
    async def work(pool: ServicePool) -> int:
        await pool._pool.wait()
        return pool._pool.get_stats()["pool_size"]

    assert with_database(storage, work) == 0


@pytest.mark.parametrize("failing", [False, True])
def test_rolled_back_statement_leaves_nothing(storage: Stack, failing: bool) -> None:
    async def work(pool: ServicePool) -> object:
        for _ in range(20):
            if failing:
                with pytest.raises(psycopg.errors.DivisionByZero):
                    await pool.document("select to_json(1 / $1::int)", ["0"], rollback=True)
            else:
                assert await pool.document(_BUCKET, ["asked"], rollback=True) == "asked"
        return await pool.document("select to_json(count(*)) from storage.buckets where id = $1", ["asked"])

    assert with_database(storage, work) == 0


@pytest.mark.parametrize(
    ("state", "error"),
    [("23505", psycopg.errors.UniqueViolation), ("P0001", psycopg.errors.RaiseException)],
)
def test_statement_fails_as_in_a_transaction(storage: Stack, state: str, error: type[psycopg.Error]) -> None:
    with pytest.raises(error) as raised:
        with_database(storage, lambda pool: pool.document(_raising(state), []))
    assert (str(raised.value), raised.value.sqlstate) == ("no", state)


def test_error_has_the_state_that_a_project_gives_it(storage: Stack) -> None:
    with pytest.raises(psycopg.DatabaseError) as raised:
        with_database(storage, lambda pool: pool.document(_raising("XY123"), []))
    assert raised.value.sqlstate == "XY123"


def test_text_with_a_nul_is_refused(storage: Stack) -> None:
    with pytest.raises(psycopg.DataError):
        with_database(storage, lambda pool: pool.document("select to_json($1::text)", ["a\0b"]))


def _raising(state: str) -> str:
    return f"do $$ begin raise exception using errcode = '{state}', message = 'no'; end $$"
