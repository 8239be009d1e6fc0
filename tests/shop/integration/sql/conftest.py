"""A transaction on the stack's real database for tests as different personas; it is rolled back.

Nothing here bypasses anything: a persona is the API's role and claims, set as PostgREST sets them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.support.plain_postgres import plain_postgres
from tests.support.random_cases import few
from tests.support.stacks import ROOT, Stack

# Functions are bundled with what they share at their root.
if str(ROOT / "functions") not in sys.path:
    sys.path.insert(0, str(ROOT / "functions"))

Row = dict[str, Any]
USERS = ("owner", "stranger", "admin")


class Database:
    """The transaction, and the ids of its users: owner, stranger, admin; there are also anon and service."""

    def __init__(self, connection: psycopg.Connection[Row], ids: dict[str, str] | None = None) -> None:
        self._connection = connection
        self.ids = ids or {name: str(uuid4()) for name in USERS}
        if not ids:
            self._add_users()

    def _add_users(self) -> None:
        for name, user_id in self.ids.items():
            self.run(
                "insert into auth.users (id, aud, role, email, raw_user_meta_data) "
                "values (%s, 'authenticated', 'authenticated', %s, '{}')",
                user_id,
                f"{name}-{user_id[:8]}@teesmith.example",
            )
        self.run("update public.profiles set is_admin = true where id = %s", self.ids["admin"])

    def commit(self) -> None:
        """Ends the transaction, so that other connections see what it did, and begins another."""
        self._connection.commit()
        self.run("select")  # without one under way, as_ would be a transaction of its own

    def run(self, sql: str, *values: object) -> list[Row]:
        """Runs one statement as the current persona. Returns its rows, if any."""
        cursor = self._connection.execute(sql, values)
        return cursor.fetchall() if cursor.description else []

    def count(self, sql: str, *values: object) -> int:
        """Return how many rows a statement touched."""
        return self._connection.execute(sql, values).rowcount

    def _set_role(self, persona: str) -> None:
        role = {"anon": "anon", "service": "service_role"}.get(persona, "authenticated")
        claims = {"role": role} | ({"sub": self.ids[persona]} if persona in self.ids else {})
        self.run("select set_config('request.jwt.claims', %s, true)", json.dumps(claims))
        self.run(f"set local role {role}")

    @contextmanager
    def _acting_as(self, persona: str) -> Iterator[None]:
        # a savepoint: when a statement fails, going back to it undoes role and claims as well
        with self._connection.transaction():
            self._set_role(persona)
            yield
            self.run("reset role")
            self.run("select set_config('request.jwt.claims', '', true)")

    def as_(self, persona: str, sql: str, *values: object) -> list[Row]:
        """One statement as one persona."""
        with self._acting_as(persona):
            return self.run(sql, *values)

    def as_named(self, persona: str, sql: str, values: dict[str, object]) -> list[Row]:
        """One statement with named values as one persona."""
        with self._acting_as(persona):
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Return what happens inside is undone at its end."""
        with self._connection.transaction(force_rollback=True):
            yield

    def touched(self, persona: str, sql: str, *values: object) -> int:
        """Return how many rows one persona's statement touched."""
        with self._acting_as(persona):
            return self.count(sql, *values)

    def rejected(self, persona: str, sql: str, *values: object) -> str:
        """The SQLSTATE with which the database rejects one persona's statement."""
        try:
            self.as_(persona, sql, *values)
        except psycopg.Error as error:
            return str(error.sqlstate)
        raise AssertionError(f"{persona} may: {sql}")

    def design(self, persona: str = "owner", *, public: bool = False, name: str = "Surfing cat") -> str:
        """Saves a design; a public one is published under the user's public name."""
        (row,) = self.as_(
            persona,
            "insert into public.designs (user_id, name, image_data) values (%s, %s, 'aGk=') returning id",
            self.ids[persona],
            name,
        )
        if public:
            self.as_(
                persona, "update public.profiles set public_name = 'Inky' where id = %s", self.ids[persona]
            )
            self.as_(
                persona,
                "insert into public.public_designs (design_id, user_id) values (%s, %s)",
                row["id"],
                self.ids[persona],
            )
        return str(row["id"])

    def cart(self, design: str) -> str:
        """Two black XL with it, as JSON."""
        (variant,) = self.run("select id from public.product_variants where name = 'Black - XL'")
        item = {
            "design_id": design,
            "product_variant_id": str(variant["id"]),
            "quantity": 2,
            "unit_price_cents": 1990,
            "product_name": "Surfing cat",
            "product_size": "XL",
            "product_color": "Black",
            "printify_product_id": "product",
            "printify_variant_id": 12127,
        }
        return json.dumps([item])

    def order(self, persona: str = "owner", *, status: str = "pending", cart_key: str = "cart") -> str:
        """A pending order of one black XL, made as the functions make it, then moved on."""
        design = self.design(persona)
        self.run("update public.designs set printify_product_id = 'product' where id = %s", design)
        (row,) = self.as_(
            "service",
            'select id from public.place_order(%s, %s, \'{"country": "CA"}\', 3980, 590, %s)',
            self.ids[persona],
            cart_key,
            self.cart(design),
        )
        steps = ("pending", "paid", "processing", "shipped", "delivered")
        for step in steps[1 : steps.index(status) + 1]:
            self.as_("service", "update public.orders set status = %s where id = %s", step, row["id"])
        return str(row["id"])


def _plain(major: int) -> Iterator[str]:
    """A plain Postgres of this version with the shop's migrations and catalog, run by the role `postgres`."""
    files = [
        *sorted((ROOT / "sql" / "migrations").glob("*.sql")),
        *(ROOT / "sql" / "seed").glob("[12]0_*.sql"),
    ]
    with plain_postgres(major) as cluster:
        url = cluster.url("postgres")
        with psycopg.connect(url, autocommit=True) as connection:
            for file in sorted(files):
                connection.execute(file.read_bytes())
        yield url


@pytest.fixture(scope="session")
def postgres_15() -> Iterator[str]:
    """The shop's database on Postgres 15, without localbase."""
    yield from _plain(15)


@pytest.fixture(scope="session")
def postgres_17() -> Iterator[str]:
    """The shop's database on Postgres 17, without localbase."""
    yield from _plain(17)


class Session:
    """One connection for many tests: a new one costs its server more than most tests do, for it knows no plan yet."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: psycopg.Connection[Row] | None = None

    @contextmanager
    def transaction(self) -> Iterator[psycopg.Connection[Row]]:
        """The connection, which is rolled back at the end: parameters and roles of the session with it."""
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(self._url, row_factory=dict_row)
        try:
            yield self._connection
        finally:
            if not self._connection.closed:
                self._connection.rollback()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _session(url: str) -> Iterator[Session]:
    session = Session(url)
    yield session
    session.close()


@pytest.fixture(scope="session")
def _localbase_session(stack: Stack) -> Iterator[Session]:
    yield from _session(stack.db_url)


@pytest.fixture(scope="session")
def _postgres_15_session(postgres_15: str) -> Iterator[Session]:
    yield from _session(postgres_15)


@pytest.fixture(scope="session")
def _postgres_17_session(postgres_17: str) -> Iterator[Session]:
    yield from _session(postgres_17)


# localbase's own is 18: what the oldest and the newest do alike, the one between is asked of weekly.
DATABASES = few(("localbase", "Postgres 15", "Postgres 17"), 2)


@pytest.fixture(params=DATABASES)
def db(request: pytest.FixtureRequest) -> Iterator[Database]:
    """Rolled back at the end, so that neither other tests nor the shop see its rows."""
    name = request.param.lower().replace(" ", "_")
    session: Session = request.getfixturevalue(f"_{name}_session")
    with session.transaction() as connection:
        yield Database(connection)
