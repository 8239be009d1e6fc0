"""The extension `http`: a request inside the caller's transaction, by migrations, clients, triggers and the API."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psycopg
import pytest

from tests.localbase.integration.background.http_target import BINARY, MIGRATION, HttpTarget, http_target
from tests.localbase.integration.background.project import background_project
from tests.localbase.integration.small_project import PORT, SmallProject, until, value

_KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"


@pytest.fixture(scope="module")
def target() -> Iterator[HttpTarget]:
    with http_target() as made:
        yield made


@pytest.fixture(scope="module")
def project(target: HttpTarget, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    with background_project(tmp_path_factory.mktemp("http")) as made:
        made.migration("20260101000003_http.sql", MIGRATION.replace("{url}", target.url))
        made.start()
        yield made


@pytest.fixture
def database(project: SmallProject) -> Iterator[psycopg.Connection]:
    """With the functions found by their names alone; what a test changes is undone."""
    with project.undone() as connection:
        yield connection


def told(database: psycopg.Connection, call: str, *values: object) -> Any:
    """Return what the target says that it was sent."""
    return json.loads(value(database, f"select content from {call}", *values))


def test_migration_of_a_start_gets_its_answer(database: psycopg.Connection) -> None:
    row = database.execute("select status, content::json ->> 'path' from public.answers").fetchone()
    assert row == (200, "/of-a-migration")


def test_answer_comes_inside_the_transaction_and_a_rollback_unsends_nothing(
    project: SmallProject, target: HttpTarget
) -> None:
    with project.database() as database, database.transaction(force_rollback=True):
        database.execute("set transaction read only")
        assert told(database, "http_get(%s)", f"{target.url}/a?b=c")["path"] == "/a?b=c"


@pytest.mark.parametrize(
    ("call", "method", "path", "kind", "body"),
    [
        ("http_get({url})", "GET", "/told", None, ""),
        ("http_get({url}, '{{\"a b\": \"c&d\"}}'::jsonb)", "GET", "/told?a+b=c%26d", None, ""),
        ("http_post({url}, 'text', 'text/plain')", "POST", "/told", "text/plain", "text"),
        ("http_post({url}, '{{\"a\": 1.50, \"b\": null, \"c\": [1]}}'::jsonb)", "POST", "/told",
         "application/x-www-form-urlencoded", "a=1.5&b="),
        ("http_put({url}, 'x', 'a/b')", "PUT", "/told", "a/b", "x"),
        ("http_patch({url}, 'x', 'a/b')", "PATCH", "/told", "a/b", "x"),
        ("http_delete({url})", "DELETE", "/told", None, ""),
        ("http_delete({url}, 'x', 'a/b')", "DELETE", "/told", "a/b", "x"),
        ("http(('get', {url}, null, 'a/b', 'x')::http_request)", "GET", "/told", "a/b", "x"),
        ("http(('MKCOL', {url}, null, null, null)::http_request)", "MKCOL", "/told", None, ""),
        ("http(('PATCH', {url}, null, null, null)::http_request)", "GET", "/told", None, ""),
    ],
)  # fmt: skip
def test_call_sends_its_method_content_and_type(
    database: psycopg.Connection, target: HttpTarget, call: str, method: str, path: str, kind: str, body: str
) -> None:
    sent = told(database, call.format(url=f"'{target.url}/told'::varchar"))
    assert (sent["method"], sent["path"], sent["headers"].get("content-type"), sent["body"]) == (
        method, path, kind, body,
    )  # fmt: skip


def test_headers_are_the_usual_ones_and_the_callers(database: psycopg.Connection, target: HttpTarget) -> None:
    call = "http(('GET', %s, http_headers('X-Mine', 'yes', 'accept', 'a/b', 'Charsets', ''), null, null)::http_request)"
    headers = told(database, call, f"{target.url}/told")["headers"]
    assert headers.pop("host") == target.url.removeprefix("http://")
    assert headers.pop("user-agent").startswith("PostgreSQL 1")
    assert headers == {"x-mine": "yes", "accept": "a/b", "accept-encoding": "identity", "connection": "close"}
    database.execute(
        "select http_set_curlopt('CURLOPT_USERAGENT', 'mine'), set_config('http.keepalive', '1', false)"
    )
    database.execute("select http_set_curlopt('CURLOPT_USERPWD', 'me:secret')")
    headers = told(database, "http_get(%s)", f"{target.url}/told")["headers"]
    assert (headers["user-agent"], headers["connection"]) == ("mine", "Keep-Alive")
    assert headers["authorization"] == "Basic bWU6c2VjcmV0"


def test_answer_has_all_headers_in_their_order(database: psycopg.Connection, target: HttpTarget) -> None:
    rows = database.execute(
        "select (unnest(headers)).field, (unnest(headers)).value from http_get(%s)", [f"{target.url}/empty"]
    ).fetchall()
    assert [row for row in rows if row[0] not in ("Server", "Date")] == [
        ("Set-Cookie", "a=1"), ("X-Two", "2"), ("set-cookie", "b=2"),
    ]  # fmt: skip
    row = database.execute("select status, content_type, content from http_get(%s)", [f"{target.url}/empty"])
    assert row.fetchone() == (204, None, None)


def test_redirects_are_followed_five_times_but_not_for_a_head(
    database: psycopg.Connection, target: HttpTarget
) -> None:
    url = f"{target.url}/redirect"
    assert told(database, "http_get(%s)", f"{url}/5")["path"] == "/told"
    hops = "select count(*) from http_get(%s), unnest(headers) where field ilike 'location'"
    assert value(database, hops, f"{url}/2") == 2
    assert value(database, "select status from http_head(%s)", f"{url}/2") == 302
    with pytest.raises(psycopg.errors.InternalError_, match=r"^Maximum \(5\) redirects followed"):
        database.execute("select http_get(%s)", [f"{url}/6"])


def test_content_that_is_no_text_goes_both_ways(database: psycopg.Connection, target: HttpTarget) -> None:
    assert (
        value(database, "select text_to_bytea(content) from http_get(%s)", f"{target.url}/binary") == BINARY
    )
    sent = told(
        database, "http_post(%s, bytea_to_text(%s)::varchar, 'image/png')", f"{target.url}/told", BINARY
    )
    assert sent["body"].encode("latin-1") == BINARY
    assert value(database, "select content from http_get(%s)", f"{target.url}/latin") == "ä"
    assert value(database, "select text_to_bytea(bytea_to_text('ä€'::bytea))") == "ä€".encode()


@pytest.mark.parametrize("charset", ["punycode", "idna", "no-charset"])
def test_charset_that_costs_much_is_taken_for_utf_8(
    database: psycopg.Connection, target: HttpTarget, charset: str
) -> None:
    url = f"{target.url}/charset/{charset}"
    assert value(database, "select length(content) from http_get(%s)", url) == 1_000_001


@pytest.mark.parametrize(
    ("expression", "encoded"),
    [
        ("urlencode('my special string''s & things?')", "my+special+string%27s+%26+things%3F"),
        ("urlencode('-._~aZ09*+ä'::varchar)", "-._~aZ09%2A%2B%C3%A4"),
        ("urlencode(''::varchar)", ""),
        ("urlencode('\\x4100ff'::bytea)", "A"),
        ("urlencode('\\x41ff'::bytea)", "A%FF"),
        ('urlencode(\'{"": 1, "a": true, "b": {"c": 1}}\'::jsonb)', "a=true"),
        ("urlencode('{}'::jsonb)", None),
    ],
)
def test_text_is_encoded_for_an_address(database: psycopg.Connection, expression: str, encoded: str) -> None:
    assert value(database, f"select {expression}") == encoded


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            "http_get('http://127.0.0.1:9/')",
            "Failed to connect to 127.0.0.1 port 9: Couldn't connect to server",
        ),
        ("http_get('http://nowhere.invalid/')", "Could not resolve host: nowhere.invalid"),
        ("http_get('file:///etc/passwd')", "URL using bad/illegal format or missing URL"),
        ("http_get('http://[')", ""),
        ("http_get(null)", "http_request.uri is NULL"),
        ("http_post('{url}', null, 'a/b')", "http_request.content is NULL"),
        ("http_put('{url}', 'x', null)", "http_request.content_type is NULL"),
        ("http((null, '{url}', null, null, null)::http_request)", "http_request.method is NULL"),
        ("http(('HEAD', '{url}', null, 'a/b', 'x')::http_request)", "illegal HTTP method"),
        ("http(null)", "An http_request must be provided"),
        ("http_headers('a')", "Arguments must be provided in key-value pairs"),
        ("urlencode('[]'::jsonb)", "cannot call urlencode_jsonb on a non-object"),
        (
            "http_set_curlopt('CURLOPT_CAINFO', '/etc/passwd')",
            "curl option 'CURLOPT_CAINFO' is not available",
        ),
        ("http_get('{url}/bomb')", "The answer is larger than 4194304 bytes"),
        ("http_post('{url}', repeat('x', 9000000), 'a/b')", "The request is larger than 8388608 bytes"),
        (
            "http(('GET', '{url}', array_fill(http_header('a', 'b'), array[3000]), null, null)::http_request)",
            "The request has more than 5000 parts",
        ),
        (
            "_localbase.http_send((repeat('[', 2000) || repeat(']', 2000))::jsonb)",
            "JSON is nested too deeply",
        ),
        (
            "http(('GET', '{url}', http_headers('a', E'b\\r\\nc: d'), null, null)::http_request)",
            "Illegal header",
        ),
        (
            "http(('GET', '{url}', http_headers(E'a\\r\\nb', 'c'), null, null)::http_request)",
            "Illegal header",
        ),
        ("http((E'GET / HTTP/1.1\\r\\nx:', '{url}', null, null, null)::http_request)", "Illegal method"),
        ("http_post('{url}', 'x', E'a/b\\r\\nc: d')", "Illegal header"),
        ("http_get(E'{url}/a\\r\\nb: c')", ""),
    ],
)
def test_call_that_cannot_be_made_says_why(
    database: psycopg.Connection, target: HttpTarget, call: str, words: str
) -> None:
    with pytest.raises(psycopg.Error) as raised:
        database.execute(f"select {call.replace('{url}', target.url)}".encode())
    assert str(raised.value).startswith(words)


def test_options_are_set_listed_and_reset(project: SmallProject, target: HttpTarget) -> None:
    with project.database() as database:
        assert value(database, "select http_set_curlopt('curlopt_timeout', '10')") is True
        database.execute("set http.timeout_msec = 150")
        shown = "select array_agg(curlopt || '=' || value order by curlopt) from http_list_curlopt()"
        assert value(database, shown) == ["CURLOPT_TIMEOUT=10", "CURLOPT_TIMEOUT_MS=150"]
        with pytest.raises(psycopg.errors.InternalError_, match="timed out after 150 milliseconds"):
            database.execute("select http_get(%s)", [f"{target.url}/wait"])
        assert value(database, "select http_reset_curlopt()") is True
        assert value(database, shown) is None
        database.execute("alter role postgres set http.curlopt_useragent = 'kept'")
    with project.database() as database:
        assert told(database, "http_get(%s)", f"{target.url}/told")["headers"]["user-agent"] == "kept"
        database.execute("alter role postgres reset http.curlopt_useragent; set http.curlopt_sslkey = 'x'")
        with pytest.raises(
            psycopg.errors.FeatureNotSupported, match=r"http\.curlopt_sslkey is not supported"
        ):
            database.execute("select http_get(%s)", [target.url])
        database.execute("reset http.curlopt_sslkey")
        database.execute("select http_set_curlopt('CURLOPT_PROXY', %s)", [target.url])
        proxied = told(database, "http_get('http://there.example/x')")
        assert (proxied["path"], proxied["headers"]["host"]) == ("http://there.example/x", "there.example")


def test_trigger_and_api_role_call_it(project: SmallProject, target: HttpTarget) -> None:
    rest = f"http://127.0.0.1:{PORT}/rest/v1"
    made = httpx.post(
        f"{rest}/orders", headers={"apikey": _KEY, "prefer": "return=representation"}, json={"id": 7}
    )
    assert (made.status_code, made.json()) == (201, [{"id": 7, "note": "200"}])
    called = httpx.post(
        f"{rest}/rpc/ask", headers={"apikey": _KEY}, json={"url": "http://kong:8000/rest/v1/orders"}
    )
    assert (called.status_code, called.json()["status"]) == (200, 401)


@pytest.mark.parametrize("way", ["timeout", "cancel", "terminate"])
def test_request_ends_with_its_callers_statement(project: SmallProject, target: HttpTarget, way: str) -> None:
    target.begun.clear()
    target.left.clear()
    with project.database() as database, ThreadPoolExecutor(1) as pool:
        database.execute("set http.curlopt_timeout = 30")
        if way == "timeout":
            database.execute("set statement_timeout = '500ms'")
        began = time.monotonic()
        call = pool.submit(database.execute, b"select http_get(%s)", [f"{target.url}/wait"])
        assert target.begun.wait(5)
        if way == "cancel":
            database.cancel_safe()
        if way == "terminate":
            with project.database("supabase_admin") as admin:
                admin.execute("select pg_terminate_backend(%s)", [database.info.backend_pid])
        with pytest.raises(psycopg.OperationalError):
            call.result(10)
        assert target.left.wait(5)
        assert time.monotonic() - began < 5
        if way != "terminate":
            assert value(database, "select status from http_get(%s)", f"{target.url}/told") == 200


def test_many_calls_at_once_wait_for_room_and_hold_up_no_other_client(
    project: SmallProject, target: HttpTarget
) -> None:
    target.most = 0

    def call(_: int) -> int:
        with project.database() as database:
            return int(value(database, "select status from http_get(%s)", f"{target.url}/short"))

    with ThreadPoolExecutor(80) as pool:
        calls = [pool.submit(call, number) for number in range(80)]
        began = time.monotonic()
        assert (
            httpx.get(f"http://127.0.0.1:{PORT}/rest/v1/orders", headers={"apikey": _KEY}).status_code == 200
        )
        assert time.monotonic() - began < 2
        assert {each.result(20) for each in calls} == {200}
    assert 8 < target.most <= 32


@pytest.mark.parametrize(
    "statement",
    [
        "select _localbase.http_connect('mine', 'host=127.0.0.1')",
        "create function _localbase.mine() returns int language sql as 'select 1'",
        "alter extension http drop function _localbase.http_connect(text, text)",
        "alter schema _localbase rename to x",
        "alter function _localbase.http_send(jsonb) set search_path = public",
        "select pg_read_file('localbase/http.address')",
    ],
)
@pytest.mark.parametrize("role", ["postgres", "anon"])
def test_no_role_gets_more_than_requests_from_it(
    database: psycopg.Connection, role: str, statement: str
) -> None:
    database.execute(f"set local role {role}".encode())
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedFunction)):
        database.execute(statement.encode())


def test_callers_text_is_no_sql_and_no_connection_string(
    database: psycopg.Connection, target: HttpTarget
) -> None:
    """Functions of the caller's schema stand in no name's place."""
    database.execute("create schema mine; set local search_path = mine, extensions, public")
    database.execute(
        "create function mine.http_connect(text, text) returns text language sql as $$ select 1 / 0 $$"
    )
    database.execute(
        "create function mine.concat(text, text) returns text language plpgsql as $$ begin raise 'run'; end $$;"
        "create operator mine.|| (function = mine.concat, leftarg = text, rightarg = text)"
    )
    sent = told(
        database, "http_post(%s, %s, 'text/plain')", f"{target.url}/told", "x'; select 1; host=127.0.0.1 --"
    )
    assert sent["body"] == "x'; select 1; host=127.0.0.1 --"


def test_stranger_on_the_port_gets_no_answer(project: SmallProject) -> None:
    address = dict(
        part.split("=") for part in (project.data / "localbase" / "http.address").read_text().split()
    )
    assert (project.data / "localbase" / "http.address").stat().st_mode & 0o777 == 0o600
    for password in ("", "wrong", address["password"][:-1]):
        with pytest.raises(psycopg.OperationalError, match="another process answers here now"):
            psycopg.connect(
                host="127.0.0.1", port=address["port"], user="x", password=password or "-", sslmode="disable",
                gssencmode="disable",
            )  # fmt: skip
    for words in (
        b"",
        b"\0" * 4,
        b"\xff" * 20,
        b"GET / HTTP/1.1\r\n\r\n",
        struct.pack("!ii", 8, 196608) + b"Q" * 9,
    ):
        with socket.create_connection(("127.0.0.1", int(address["port"])), timeout=10) as stranger:
            stranger.sendall(words)
            stranger.shutdown(socket.SHUT_WR)
            while stranger.recv(1000):
                pass


def test_call_without_a_stack_says_what_to_do(project: SmallProject) -> None:
    with project.database() as database:
        address = project.data / "localbase" / "http.address"
        before = address.read_bytes()
        address.unlink()
        try:
            with pytest.raises(psycopg.errors.ConnectionFailure, match="No process of localbase") as raised:
                database.execute("select http_get('http://127.0.0.1:9/')")
            assert "localbase start" in str(raised.value.diag.message_hint)
        finally:
            address.write_bytes(before)
            address.chmod(0o644)


def test_calls_are_answered_again_after_the_connection_was_lost(
    project: SmallProject, target: HttpTarget
) -> None:
    with project.database("supabase_admin") as database:
        database.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen localbase_background%'"
        )

        def answered() -> bool:
            try:
                ask = "select status = 200 from extensions.http_get(%s)"
                return bool(value(database, ask, f"{target.url}/told"))
            except psycopg.errors.ConnectionFailure:
                return False

        assert until(answered, 10)


def test_requests_of_pg_net_bring_no_cookies_of_another(project: SmallProject, target: HttpTarget) -> None:
    with project.database() as database:
        for _ in range(2):
            request = value(database, "select net.http_get(%s)", f"{target.url}/told")
            stored = "select count(*) from net._http_response where id = %s and content is not null"
            assert until(lambda number=request, query=stored: value(database, query, number) == 1)  # type: ignore[misc]
        content = value(database, "select content from net._http_response where id = %s", request)
        assert "cookie" not in json.loads(content)["headers"]
