"""The embedded Postgres's substitutes for pgcrypto and uuid-ossp, compared with other implementations."""

from __future__ import annotations

import hashlib
import hmac
import time
import uuid
from collections.abc import Iterator

import bcrypt
import httpx
import psycopg
import pytest

from tests.support.stacks import Stack

_TEXTS = ["", "abc", "a" * 55, "b" * 56, "c" * 63, "d" * 64, "päßwörd €" * 20]


@pytest.fixture(scope="module")
def database(services: Stack) -> Iterator[psycopg.Connection]:
    """The project's own role, with nothing in its search path that would help the functions to find each other."""
    with psycopg.connect(services.db_url, autocommit=True) as connection:
        connection.execute("set search_path = ''")
        yield connection


def _one(database: psycopg.Connection, statement: str, *values: object) -> object:
    row = database.execute(statement.encode(), values).fetchone()
    assert row is not None
    return row[0]


@pytest.mark.parametrize("name", ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"])
@pytest.mark.parametrize("text", _TEXTS)
def test_digest_and_hmac_equal_hashlib(database: psycopg.Connection, name: str, text: str) -> None:
    assert (
        _one(database, "select extensions.digest(%s::text, %s)", text, name)
        == hashlib.new(name, text.encode()).digest()
    )
    for key in ("k", "long " * 50):
        expected = hmac.new(key.encode(), text.encode(), name).digest()
        assert _one(database, "select extensions.hmac(%s::text, %s, %s)", text, key, name) == expected


@pytest.mark.parametrize("password", ["", "U*U", "päßwörd €", "y" * 71, "z" * 100])
def test_crypt_with_bcrypt_salts_equals_bcrypt(database: psycopg.Connection, password: str) -> None:
    salt = bcrypt.gensalt(4, b"2a")
    expected_hash = bcrypt.hashpw(password.encode()[:72], salt).decode()
    assert _one(database, "select extensions.crypt(%s, %s)", password, salt.decode()) == expected_hash
    assert _one(database, "select extensions.crypt(%s, %s)", password, expected_hash) == expected_hash
    assert (
        _one(
            database,
            "select extensions.crypt(%s, %s)",
            password + "!" if password < "z" else "y",
            expected_hash,
        )
        != expected_hash
    )


def test_bcrypt_salts_differ_and_name_their_cost(database: psycopg.Connection) -> None:
    salts = {str(_one(database, "select extensions.gen_salt('bf', 5)")) for _ in range(5)}
    assert len(salts) == 5
    assert all(salt.startswith("$2a$05$") and len(salt) == 29 for salt in salts)
    assert str(_one(database, "select extensions.gen_salt('bf')")).startswith("$2a$06$")


@pytest.mark.parametrize(
    "statement",
    [
        "select extensions.gen_salt('md5')",
        "select extensions.gen_salt('bf', 3)",
        "select extensions.gen_salt('bf', 32)",
        "select extensions.crypt('x', '$1$abcdefgh')",
        "select extensions.crypt('x', '$2a$03$CCCCCCCCCCCCCCCCCCCCC.')",
        "select extensions.digest('x'::text, 'whirlpool')",
    ],
)
def test_unsupported_algorithms_are_rejected(database: psycopg.Connection, statement: str) -> None:
    with pytest.raises(psycopg.Error):
        database.execute(statement.encode())


@pytest.mark.parametrize("text", ["", "www.example.com", "ä" * 40])
def test_uuids_of_names_equal_pythons(database: psycopg.Connection, text: str) -> None:
    spaces = {
        "dns": uuid.NAMESPACE_DNS,
        "url": uuid.NAMESPACE_URL,
        "oid": uuid.NAMESPACE_OID,
        "x500": uuid.NAMESPACE_X500,
    }
    for name, space in spaces.items():
        assert _one(database, f"select extensions.uuid_ns_{name}()") == space
        assert _one(database, "select extensions.uuid_generate_v3(%s, %s)", space, text) == uuid.uuid3(
            space, text
        )
        assert _one(database, "select extensions.uuid_generate_v5(%s, %s)", space, text) == uuid.uuid5(
            space, text
        )


@pytest.mark.parametrize("function", ["uuid_generate_v1", "uuid_generate_v1mc"])
def test_uuids_of_the_time_are_version_1(database: psycopg.Connection, function: str) -> None:
    made = [_one(database, f"select extensions.{function}()") for _ in range(20)]
    assert len(set(made)) == 20
    for identifier in made:
        assert isinstance(identifier, uuid.UUID)
        assert (identifier.version, identifier.variant, identifier.node >> 40 & 1) == (1, uuid.RFC_4122, 1)
        assert abs(identifier.time / 1e7 - 12219292800 - time.time()) < 60


def test_user_made_by_a_seed_can_sign_in(services: Stack, database: psycopg.Connection) -> None:
    database.execute(
        "insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,"
        " raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, email_change,"
        " email_change_token_new, recovery_token) values ('00000000-0000-0000-0000-000000000000',"
        " gen_random_uuid(), 'authenticated', 'authenticated', 'seeded@example.com',"
        " extensions.crypt('a seeded password', extensions.gen_salt('bf')), now(),"
        """ '{"provider":"email","providers":["email"]}', '{}', now(), now(), '', '', '', '')"""
    )
    response = httpx.post(
        f"{services.api_url}/auth/v1/token?grant_type=password",
        headers={"apikey": services.publishable_key},
        json={"email": "seeded@example.com", "password": "a seeded password"},
    )
    assert response.status_code == 200, response.text
    assert response.json()["user"]["email"] == "seeded@example.com"
