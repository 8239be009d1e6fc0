"""The embedded Postgres's substitutes for pgcrypto and uuid-ossp, compared with other implementations."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
import uuid
from collections.abc import Iterator

import bcrypt
import httpx
import psycopg
import pytest
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

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
        "select extensions.gen_salt('xdes')",
        "select extensions.gen_salt('bf', 3)",
        "select extensions.gen_salt('bf', 32)",
        "select extensions.crypt('x', '_J9..abcd')",
        "select extensions.encrypt('a', 'k', 'bf')",
        "select extensions.encrypt('a', 'k', 'aes/pad:none')",
        "select extensions.encrypt('a', repeat('k', 33)::bytea, 'aes')",
        "select extensions.decrypt('a', 'k', 'aes')",
        "select extensions.decrypt(repeat('a', 16)::bytea, 'k', 'aes')",
        "select extensions.pgp_sym_encrypt('a', 'k', 'compress-algo=1')",
        "select extensions.pgp_sym_encrypt('a', 'k', 'cipher-algo=bf')",
        "select extensions.crypt('x', '$2a$03$CCCCCCCCCCCCCCCCCCCCC.')",
        "select extensions.digest('x'::text, 'whirlpool')",
    ],
)
def test_unsupported_algorithms_are_rejected(database: psycopg.Connection, statement: str) -> None:
    with pytest.raises(psycopg.Error):
        database.execute(statement.encode())


@pytest.mark.parametrize(
    ("password", "hashed"),
    [
        ("secret", "$1$abcdefgh$cHJi5PXp/ki/ktXzqlk6I1"),
        ("ppppppppppppppppppppppppppppppppp", "$1$x$LFuwNzVo7pB2WXGYSIAMn."),
        ("päß", "$1$ab$TjpRYvWuHYkVJcFYj84IQ1"),
    ],
)
def test_crypt_with_md5_salts_equals_openssl(
    database: psycopg.Connection, password: str, hashed: str
) -> None:
    salt = hashed[: hashed.rindex("$")]
    assert _one(database, "select extensions.crypt(%s, %s)", password, salt) == hashed
    assert _one(database, "select extensions.crypt(%s, %s)", password, hashed) == hashed
    assert re.fullmatch(r"\$1\$[./0-9A-Za-z]{8}", str(_one(database, "select extensions.gen_salt('md5')")))


@pytest.mark.parametrize("size", [0, 15, 16, 100])
@pytest.mark.parametrize("key", [16, 24, 32])
@pytest.mark.parametrize("mode", ["cbc", "ecb"])
def test_aes_equals_cryptographys(database: psycopg.Connection, mode: str, key: int, size: int) -> None:
    data, secret, start = bytes(range(size)), bytes(range(100, 100 + key)), bytes(range(200, 216))
    padder = padding.PKCS7(128).padder()
    cipher = Cipher(algorithms.AES(secret), modes.CBC(start) if mode == "cbc" else modes.ECB())  # noqa: S305 - pgcrypto has it
    encryptor = cipher.encryptor()
    expected = encryptor.update(padder.update(data) + padder.finalize()) + encryptor.finalize()
    call = "select extensions.{}_iv(%s::bytea, %s::bytea, %s::bytea, %s)"
    assert _one(database, call.format("encrypt"), data, secret, start, f"aes-{mode}") == expected
    assert _one(database, call.format("decrypt"), expected, secret, start, f"aes-{mode}") == data


# As Postgres 15's pgcrypto wrote "hello", with the password "secret ü".
_MESSAGES = [
    "c30d040703025c75c4de1005a0b56cd23601b9ef9342cfea0f32059f103a68219ef1c68fc430244330ffdd35002b65f80f25ad2bf26a"
    "4770b4b7a581c5cf7d5e1c173fa3350cdd",
    "c30d04090302a2bf6165df42bf6d76d23601762c53689bd110382a3aca9ab12c7c36b6851d087d012a27d684a678159c4fd9c0857b78"
    "025e38ce1cc5cab34cacaa4a7aa82556ec",
]


@pytest.mark.parametrize("message", _MESSAGES)
def test_openpgp_message_of_pgcrypto_is_read(database: psycopg.Connection, message: str) -> None:
    query = "select extensions.pgp_sym_decrypt(decode(%s, 'hex'), %s)"
    assert _one(database, query, message, "secret ü") == "hello"
    with pytest.raises(psycopg.errors.ExternalRoutineInvocationException, match="Wrong key or corrupt data"):
        database.execute(query.encode(), [message, "secret"])
    with pytest.raises(psycopg.errors.ExternalRoutineInvocationException, match="Wrong key or corrupt data"):
        database.execute(query.encode(), [message[:-2] + "00", "secret ü"])


@pytest.mark.parametrize("text", ["", "päßwörd €", "z" * 1000])
@pytest.mark.parametrize("options", ["", "cipher-algo=aes192", "cipher-algo=aes256, compress-algo=0"])
def test_openpgp_message_is_written_and_read(database: psycopg.Connection, options: str, text: str) -> None:
    query = "select extensions.pgp_sym_encrypt(%s, 'secret', %s)"
    messages = [_one(database, query, text, options) for _ in range(2)]
    assert messages[0] != messages[1]
    for message in messages:
        assert _one(database, "select extensions.pgp_sym_decrypt(%s, 'secret')", message) == text
    encrypted = _one(
        database, "select extensions.pgp_sym_encrypt_bytea(%s, 'secret', %s)", text.encode(), options
    )
    assert _one(database, "select extensions.pgp_sym_decrypt_bytea(%s, 'secret')", encrypted) == text.encode()


@pytest.mark.parametrize("call", ["pgp_pub_encrypt('a', 'k')", "pgp_pub_decrypt('a', 'k')", "armor('a')"])
def test_missing_part_of_pgcrypto_names_the_way_out(database: psycopg.Connection, call: str) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="no OpenSSL") as raised:
        database.execute(f"select extensions.{call}".encode())
    assert "PG_BIN" in str(raised.value.diag.message_hint)


@pytest.mark.parametrize("written", ["{}", "do $$ begin {}; end $$"])
def test_icu_collation_names_the_way_out(database: psycopg.Connection, written: str) -> None:
    statement = "create collation public.nd (provider = icu, locale = 'und', deterministic = false)"
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="ICU") as raised:
        database.execute(written.format(statement).encode())
    assert "PG_BIN" in str(raised.value.diag.message_hint)
    with database.transaction(force_rollback=True):
        database.execute("create collation public.icus (provider = builtin, locale = 'C.UTF-8')")


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
