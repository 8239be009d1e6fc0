"""A large commit for many users, whose sockets are spread over four gateway processes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import psycopg
import pytest
from localbase.core.tokens import jwt

from tests.localbase.integration.realtime.conftest import copy_of_the_project
from tests.localbase.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.stacks import Stack

USERS = 40
# Seen by all: the restrictive policy leaves out negative numbers.
LAST = -1
TABLE = """
create table parcels (id int primary key, owner int, open boolean);
alter table parcels enable row level security;
create policy "owners and the open ones" on parcels for select to authenticated
  using (open or owner = (auth.jwt() ->> 'sub')::int);
create policy "none of the unlucky" on parcels as restrictive for select to authenticated
  using (id < 0 or id % 13 <> (auth.jwt() ->> 'sub')::int % 13);
grant select on parcels to anon, authenticated;
alter publication supabase_realtime add table parcels;
"""


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    root = tmp_path_factory.mktemp("changes") / "realtime"
    with copy_of_the_project(root, "changes_workers", {"LOCALBASE_WORKERS": "4"}) as stack:
        with psycopg.connect(stack.db_url, autocommit=True) as connection:
            connection.execute(TABLE.encode())
        yield stack


def token_of(stack: Stack, number: int) -> str:
    claims = {"role": "authenticated", "aud": "authenticated", "sub": str(number), "exp": 4_000_000_000}
    return jwt.sign(claims, stack.jwt_secret)


def readable(stack: Stack, token: str) -> list[int]:
    """Return what the Data API shows to the user."""
    response = httpx.get(
        f"{stack.api_url}/rest/v1/parcels",
        params={"select": "id", "order": "id"},
        headers={"apikey": stack.publishable_key, "authorization": f"Bearer {token}"},
    )
    response.raise_for_status()
    return [row["id"] for row in response.json()]


class Reader(threading.Thread):
    """Reads a socket until the row that everyone sees last."""

    def __init__(self, client: Phoenix) -> None:
        super().__init__(daemon=True)
        self._client = client
        self.ids: list[int] = []

    def run(self) -> None:
        while not self.ids or self.ids[-1] != LAST:
            payload = self._client.until("postgres_changes", 60)[4]
            assert payload["data"]["errors"] is None
            self.ids.append(payload["data"]["record"]["id"])


def test_large_commit_reaches_each_user_as_select_shows_it(workers: Stack) -> None:
    tokens = [token_of(workers, number) for number in range(USERS)]
    entry = {"event": "INSERT", "schema": "public", "table": "parcels"}
    with ExitStack() as stack:
        readers = []
        for token in tokens:
            client = stack.enter_context(phoenix(workers))
            client.join("parcels", token=token, postgres_changes=[entry])
            assert client.until("system")[4]["message"] == "Subscribed to PostgreSQL"
            readers.append(Reader(client))
        stranger = stack.enter_context(phoenix(workers))
        stranger.join("parcels", postgres_changes=[entry])
        assert stranger.until("system")[4]["status"] == "ok"
        for reader in readers:
            reader.start()
        with psycopg.connect(workers.db_url, autocommit=True) as connection:
            connection.execute(
                "insert into parcels select n, n % 40, n % 5 = 0 from generate_series(1, 1000) n"
            )
            connection.execute("insert into parcels values (-1, 1, true)")
        for reader in readers:
            reader.join(60)
        shown = [readable(workers, token) for token in tokens]
        assert [sorted(reader.ids) for reader in readers] == shown
        # In the order of the commits.
        assert all(reader.ids == [*sorted(reader.ids)[1:], LAST] for reader in readers)
        assert len({tuple(ids) for ids in shown}) == USERS
        stranger.nothing_before_heartbeat()


def test_row_committed_after_the_answer_to_a_join_arrives_in_every_process(workers: Stack) -> None:
    with psycopg.connect(workers.db_url, autocommit=True) as connection:
        connection.execute("create table races (id int primary key); grant select on races to anon")
        connection.execute("alter publication supabase_realtime add table races")
        entry = {"event": "INSERT", "schema": "public", "table": "races"}
        for number in range(24):
            # Another process, mostly; no one else is subscribed, so that the feed does not run.
            with phoenix(workers) as client:
                assert client.join("races", postgres_changes=[entry])[0] == "ok"
                connection.execute("insert into races values (%s)", [number])
                # Late is not lost: how soon it comes is for the bench to say.
                assert client.until("postgres_changes", 60)[4]["data"]["record"] == {"id": number}
