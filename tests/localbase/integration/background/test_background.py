"""pg_net, database webhooks and pg_cron: the database's requests and jobs reach local functions."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest
from localbase.functions.usage import resident_bytes
from psycopg.rows import dict_row

from tests.localbase.integration.background.project import background_project
from tests.localbase.integration.small_project import PORT, SmallProject, until, value
from tests.support.logs import read_log

_ECHO = f"http://127.0.0.1:{PORT}/functions/v1/echo"
_KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    with background_project(tmp_path_factory.mktemp("background")) as made:
        made.start()
        yield made


@pytest.fixture
def database(project: SmallProject) -> Iterator[psycopg.Connection]:
    with project.database() as connection:
        yield connection


def response_to(database: psycopg.Connection, request: int) -> dict[str, Any]:
    """The stored response to a request, when it has come."""
    rows: list[dict[str, Any]] = []

    def has_come() -> bool:
        with database.cursor(row_factory=dict_row) as cursor:
            rows[:] = cursor.execute("select * from net._http_response where id = %s", [request]).fetchall()
        return bool(rows)

    assert until(has_come, 10)
    return rows[0]


def test_request_is_performed_after_the_commit(database: psycopg.Connection) -> None:
    with database.transaction():
        request = value(
            database,
            'select net.http_post(url := %s, body := \'{"a": [1, "ä"]}\', params := \'{"q": "x y&z"}\','
            ' headers := \'{"x-mine": "yes"}\')',
            _ECHO,
        )
        time.sleep(0.2)
        assert value(database, "select count(*) from net._http_response where id = %s", request) == 0
    response = response_to(database, request)
    assert (response["status_code"], response["content_type"]) == (200, "application/json")
    assert (response["timed_out"], response["error_msg"]) == (False, None)
    assert json.loads(response["content"]) == {
        "method": "POST",
        "path": "/?q=x%20y%26z",
        "mine": "yes",
        "type": "application/json",
        "body": {"a": [1, "ä"]},
    }
    assert response["headers"]["content-type"] == "application/json"
    collected = "select (r).status::text, (r).message, ((r).response).status_code from net._http_collect_response(%s) r"
    assert database.execute(collected.encode(), [request]).fetchone() == ("SUCCESS", "ok", 200)


def test_request_that_is_rolled_back_is_never_made(database: psycopg.Connection) -> None:
    with database.transaction(force_rollback=True):
        request = value(database, "select net.http_get(%s)", _ECHO)
    later = value(database, "select net.http_get(%s)", _ECHO)
    response_to(database, later)
    assert value(database, "select count(*) from net._http_response where id = %s", request) == 0


@pytest.mark.parametrize(
    "address",
    [
        "http://kong:8000/functions/v1/echo",
        "http://supabase_kong_other:8000/functions/v1/echo",
        f"http://host.docker.internal:{PORT}/functions/v1/echo",
        f"http://localhost:{PORT}/functions/v1/echo",
    ],
    # The port is of this worker, and all workers must know the tests by one name.
    ids=["kong", "kong-of-the-project", "docker", "localhost"],
)
def test_addresses_of_the_official_stack_lead_to_the_gateway(
    database: psycopg.Connection, address: str
) -> None:
    request = value(database, "select net.http_delete(%s)", address)
    assert json.loads(response_to(database, request)["content"])["method"] == "DELETE"


@pytest.mark.parametrize(
    ("address", "timeout", "words", "timed_out"),
    [
        (f"{_ECHO}?sleep=3", 200, "Timeout of 200 ms reached", True),
        ("http://127.0.0.1:9/", 5000, "Couldn't connect to server", None),
        ("file:///etc/passwd", 5000, "URL using bad/illegal format or missing URL", None),
        ("http://[", 5000, "", None),
        (f"{_ECHO}?bytes=5000000", 5000, "The answer is larger than 4194304 bytes", None),
    ],
    ids=["slow", "refused", "file", "no-address", "large"],
)
def test_request_that_fails_says_why(
    database: psycopg.Connection, address: str, timeout: int, words: str, *, timed_out: bool | None
) -> None:
    request = value(database, "select net.http_get(%s, timeout_milliseconds := %s)", address, timeout)
    response = response_to(database, request)
    assert (response["status_code"], response["content"], response["timed_out"]) == (None, None, timed_out)
    assert response["error_msg"].startswith(words)


def test_many_slow_requests_hold_up_no_other_client(
    project: SmallProject, database: psycopg.Connection
) -> None:
    most = value(database, f"select max(net.http_get('{_ECHO}?sleep=0.5')) from generate_series(1, 80)")
    began = time.monotonic()
    response = httpx.get(f"http://127.0.0.1:{PORT}/rest/v1/orders", headers={"apikey": _KEY})
    assert (response.status_code, response.json()) == (200, [])
    assert time.monotonic() - began < 0.5
    done = "select count(*) from net._http_response where id > %s - 80 and status_code = 200"
    assert until(lambda: value(database, done, most) == 80, 20)
    assert "retrieved" not in read_log(project.state, "gateway")


def test_old_responses_are_deleted_when_the_stack_starts(project: SmallProject) -> None:
    with project.database("supabase_admin") as database:
        database.execute(
            "insert into net._http_response (id, created) values (-1, now() - interval '7 hours'),"
            " (-2, now() - interval '5 hours')"
        )
        (backend,) = database.execute(
            "select pid from pg_stat_activity where query like 'listen localbase_background%'"
        ).fetchone() or (0,)
        # Its connection lost, it begins again.
        database.execute("select pg_terminate_backend(%s)", [backend])

        def left() -> list[int]:
            rows = database.execute("select id from net._http_response where id < 0 order by id").fetchall()
            return [row[0] for row in rows]

        assert until(lambda: left() == [-2], 10)


def test_webhook_sends_the_change_to_a_function(database: psycopg.Connection) -> None:
    change = f"http://127.0.0.1:{PORT}/rest/v1/orders"
    headers = {"apikey": _KEY, "prefer": "return=minimal"}
    assert httpx.post(change, headers=headers, json={"id": 1, "note": "new"}).status_code == 201
    assert httpx.patch(f"{change}?id=eq.1", headers=headers, json={"note": "old"}).status_code == 204
    assert httpx.delete(f"{change}?id=eq.1", headers=headers).status_code == 204
    requests = database.execute(
        "select request_id from supabase_functions.hooks where hook_name = 'orders_to_function' order by id"
    ).fetchall()
    sent = [json.loads(response_to(database, request)["content"]) for (request,) in requests]
    assert {(each["method"], each["path"], each["mine"]) for each in sent} == {("POST", "/?a=b%20c", "1")}
    base = {"table": "orders", "schema": "public"}
    assert [each["body"] for each in sent] == [
        {**base, "type": "INSERT", "record": {"id": 1, "note": "new"}, "old_record": None},
        {
            **base,
            "type": "UPDATE",
            "record": {"id": 1, "note": "old"},
            "old_record": {"id": 1, "note": "new"},
        },
        {**base, "type": "DELETE", "record": None, "old_record": {"id": 1, "note": "old"}},
    ]


@pytest.mark.parametrize("role", ["anon", "authenticated"])
@pytest.mark.parametrize(
    "statement",
    [
        "select * from net._http_response",
        "select * from net.http_request_queue",
        "insert into net.http_request_queue (method, url, timeout_milliseconds) values ('GET', 'http://x', 1)",
        "select net._http_collect_response(1)",
        "select net._localbase_take(10)",
        "select * from cron.job",
        "select cron.schedule('* * * * *', 'select 1')",
        "select * from supabase_functions.hooks where id / 0 = 1",
    ],
)
def test_clients_reach_neither_responses_nor_jobs(
    database: psycopg.Connection, role: str, statement: str
) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege), database.transaction():
        database.execute(f"set local role {role}".encode())
        database.execute(statement.encode())


def test_clients_may_call_as_on_the_hosted_platform(database: psycopg.Connection) -> None:
    with database.transaction():
        database.execute("set local role authenticated")
        request = value(database, "select net.http_get(%s)", _ECHO)
    assert response_to(database, request)["status_code"] == 200


def test_job_runs_every_second_and_reaches_a_function(database: psycopg.Connection) -> None:
    job = value(
        database,
        "select cron.schedule('call', '1 second', $$select net.http_get('http://kong:8000/functions/v1/echo')$$)",
    )
    runs = "select status, return_message, username, job_pid > 0, end_time >= start_time from cron.job_run_details"
    expected = ("succeeded", "1 row", "postgres", True, True)
    assert until(lambda: len(finished(database, runs, job)) >= 2, 15)
    assert set(finished(database, runs, job)) == {expected}
    assert value(database, "select cron.unschedule('call')") is True
    count = len(finished(database, runs, job))
    time.sleep(1.2)
    assert len(finished(database, runs, job)) <= count + 1
    assert value(database, "select max(id) from net._http_response where status_code = 200") > 0


def finished(database: psycopg.Connection, runs: str, job: int) -> list[tuple[Any, ...]]:
    return database.execute(f"{runs} where jobid = %s and status <> 'running'".encode(), [job]).fetchall()


def test_failing_job_says_why_and_disturbs_no_other(database: psycopg.Connection) -> None:
    failing = value(database, "select cron.schedule('fails', '1 second', 'select 1; select 1 / 0')")
    endless = value(database, "select cron.schedule('endless', '1 second', 'select pg_sleep(600)')")
    writing = value(database, "select cron.schedule('writes', '1 second', 'delete from public.orders')")
    runs = "select status, return_message from cron.job_run_details"
    try:
        assert until(lambda: len(finished(database, runs, writing)) >= 2, 15)
        assert until(lambda: len(finished(database, runs, failing)) >= 1, 15)
        assert finished(database, runs, failing)[0] == ("failed", "ERROR:  division by zero")
        assert finished(database, runs, writing)[0] == ("succeeded", "DELETE 0")
        count = "select count(*) from cron.job_run_details where jobid = %s"
        assert value(database, count, endless) == 1
    finally:
        database.execute("select cron.unschedule(jobname) from cron.job")
        database.execute(
            "select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep(600)'"
        )


def test_job_that_selects_without_end_costs_no_memory(
    project: SmallProject, database: psycopg.Connection
) -> None:
    gateway = project.processes()["gateway"]
    before = resident_bytes([gateway])[gateway]
    job = value(
        database,
        "select cron.schedule('large', '1 second', $$select repeat('x', 1000) from generate_series(1, 1e9)$$)",
    )
    copying = value(database, "select cron.schedule('copies', '1 second', 'copy pg_class to stdout')")
    runs = "select status, return_message from cron.job_run_details"
    try:
        assert until(lambda: len(finished(database, runs, copying)) >= 1, 15)
        expected = [("failed", "ERROR:  COPY from and to the client is not possible in a job")]
        assert finished(database, runs, copying)[:1] == expected
        assert until(lambda: rows_wait(database), 15)
        for _ in range(20):
            began = time.monotonic()
            response = httpx.get(f"http://127.0.0.1:{PORT}/rest/v1/orders?limit=1", headers={"apikey": _KEY})
            assert (response.status_code, time.monotonic() - began < 1) == (200, True)
        assert resident_bytes([gateway])[gateway] < before + 30_000_000
    finally:
        database.execute("select cron.unschedule(jobname) from cron.job")
        database.execute(
            "select pg_cancel_backend(pid) from pg_stat_activity where query like '%generate_series(1, 1e9)'"
        )
    assert until(lambda: len(finished(database, runs, job)) >= 1, 15)
    assert finished(database, runs, job)[0][0] == "failed"


def rows_wait(database: psycopg.Connection) -> bool:
    """Tell whether the endless job's backend is at work."""
    running = "select count(*) from pg_stat_activity where application_name = 'pg_cron' and state = 'active'"
    return bool(value(database, running))


@pytest.mark.parametrize(
    "headers", ['{"x": "a\\r\\nb: c"}', '{"x\\ny": "a"}', '{"x": "ä€"}', '{"x": {"y": 1}}', "[1]", '"text"']
)
def test_headers_that_cannot_be_sent_are_the_requests_error(
    database: psycopg.Connection, headers: str
) -> None:
    request = value(database, "select net.http_get(%s, headers := %s)", _ECHO, headers)
    response = response_to(database, request)
    assert (response["status_code"] == 200) is (response["error_msg"] is None)
    assert value(database, "select net.worker_restart()") is True
    assert response_to(database, value(database, "select net.http_get(%s)", _ECHO))["status_code"] == 200


def test_job_is_replaced_by_its_name_and_changed_by_its_number(database: psycopg.Connection) -> None:
    first = value(database, "select cron.schedule('nightly', '0 3 * * *', 'vacuum')")
    assert value(database, "select cron.schedule('nightly', '30 3 * * *', 'vacuum')") == first
    database.execute("select cron.alter_job(%s, active := false, command := 'select 1')", [first])
    row = database.execute(
        "select schedule, command, nodename, database, username, active, jobname from cron.job"
    ).fetchall()
    assert row == [("30 3 * * *", "select 1", "localhost", "postgres", "postgres", False, "nightly")]
    assert value(database, "select cron.unschedule(%s)", first) is True
    for gone in ("'nightly'", str(first)):
        with pytest.raises(psycopg.errors.RaiseException, match="could not find valid entry for job"):
            database.execute(f"select cron.unschedule({gone})".encode())


@pytest.mark.parametrize(
    "schedule",
    ["", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "5-1 * * * *", "*/0 * * * *",
     "60 seconds", "0 seconds", "a * * * *", "1,,2 * * * *", "* * * foo *", "@reboots"],
)  # fmt: skip
def test_schedule_that_is_none_is_rejected(database: psycopg.Connection, schedule: str) -> None:
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="invalid schedule"):
        database.execute("select cron.schedule(%s, 'select 1')", [schedule])


def test_project_cannot_schedule_as_the_superuser(database: psycopg.Connection) -> None:
    for statement in (
        "select cron.schedule_in_database('x', '* * * * *', 'select 1', 'postgres', 'supabase_admin')",
        "insert into cron.job (schedule, command, username) values ('* * * * *', 'select 1', 'supabase_admin')",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="must be superuser"):
            database.execute(statement.encode())


@pytest.mark.parametrize(
    ("schedule", "moment", "due"),
    [
        ("* * * * *", "2026-11-23 10:07", True),
        ("*/5 * * * *", "2026-11-23 10:07", False),
        ("*/5 * * * *", "2026-11-23 10:10", True),
        ("7-9/2,30 10 * * *", "2026-11-23 10:09", True),
        ("7-9/2,30 10 * * *", "2026-11-23 10:08", False),
        ("0 9 * nov mon", "2026-11-23 09:00", True),
        ("0 9 * nov tue", "2026-11-23 09:00", False),
        ("0 9 1 * mon", "2026-11-23 09:00", True),
        ("0 9 1 * tue", "2026-12-01 09:00", True),
        ("0 9 */2 * tue", "2026-11-23 09:00", False),
        ("0 0 * * 7", "2026-11-22 00:00", True),
        ("0 0 $ * *", "2026-02-28 00:00", True),
        ("0 0 $ * *", "2028-02-28 00:00", False),
        ("@hourly", "2026-11-23 10:00", True),
        ("@weekly", "2026-11-23 00:00", False),
        ("30 seconds", "2026-11-23 10:00", False),
    ],
)
def test_schedule_names_its_minutes_in_utc(
    project: SmallProject, schedule: str, moment: str, *, due: bool
) -> None:
    with project.database("supabase_admin") as database:
        database.execute("set timezone = 'Asia/Tokyo'")
        assert value(database, "select cron._matches(%s, %s::timestamptz)", schedule, f"{moment}+00") is due
