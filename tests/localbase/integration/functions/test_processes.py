"""Functions in processes of their own: what one does to itself, and that the others do not notice."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import httpx
import pytest
from localbase.cli.stack.stack import report
from localbase.core.project import open_project

from tests.localbase.integration.functions.calls import echo, log, logged, trouble
from tests.localbase.integration.small_project import is_alive, until
from tests.support.stacks import Stack

_LIMIT = {
    "code": "WORKER_LIMIT",
    "message": "Function failed due to not having enough compute resources (please check logs)",
}
_EXIT = {"code": "WORKER_ERROR", "message": "Function exited due to an error (please check logs)"}


def test_functions_run_in_processes_of_their_own(services: Stack) -> None:
    first, second = trouble(services, "do=pid").json()["pid"], trouble(services, "do=pid").json()["pid"]
    other = httpx.get(f"{services.api_url}/functions/v1/trouble", params={"do": "pid"}).json()["pid"]
    assert first == second == other
    assert echo(services).status_code == 201
    assert logged(services, "functions.echo loaded in")
    assert logged(services, "functions.trouble loaded in")


def test_endless_loop_is_ended_and_stops_no_other(services: Stack) -> None:
    program = trouble(services, "do=program").json()["pid"]
    assert is_alive(program)
    with ThreadPoolExecutor() as pool:
        looping = pool.submit(trouble, services, "do=loop")
        assert until(lambda: trouble(services, "do=pid").status_code == 200)
        count = 0
        while wait([looping], timeout=0.02).not_done:
            assert echo(services).status_code == 201
            count += 1
        assert count > 10
    response = looping.result()
    assert (response.status_code, response.json()) == (546, _LIMIT)
    assert response.headers["x-relay-error"] == "true"
    assert logged(services, "functions.trouble its process has ended: request ")
    # On a busy machine it gets so little processor time that the wall clock ends it first.
    assert re.search("has used 1 s of processor time|takes longer than 8 s", log(services))
    assert trouble(services, "do=pid").status_code == 200
    assert until(lambda: not is_alive(program))


@pytest.mark.skipif(not Path("/proc/self/autogroup").is_file(), reason="only Linux has such priorities")
def test_request_that_uses_much_processor_time_lets_others_go_first(services: Stack) -> None:
    pid = trouble(services, "do=pid").json()["pid"]
    ordinary = trouble(services, "do=pid").json()["pid"], priorities(pid), session_priority(pid)
    assert ordinary == (pid, [0] * len(ordinary[1]), 0)
    with ThreadPoolExecutor() as pool:
        looping = pool.submit(trouble, services, "do=spin")
        assert until(lambda: sorted(priorities(pid))[-1] == 10)
        # Other threads, and so other requests, of the process have theirs as before; its session is the last.
        assert sorted(priorities(pid))[0] == 0
        assert until(lambda: session_priority(pid) == 10)
    assert looping.result().status_code == 200
    assert until(lambda: session_priority(pid) == 0)


def session_priority(pid: int) -> int:
    """Return how far the processes of its session let those of others go before them."""
    return int(Path(f"/proc/{pid}/autogroup").read_text().split()[-1])


def priorities(pid: int) -> list[int]:
    """Of each thread: how far it lets others go before it."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [os.getpriority(os.PRIO_PROCESS, int(thread.name)) for thread in threads]


def test_allocation_without_end_is_ended_and_stops_no_other(services: Stack) -> None:
    with ThreadPoolExecutor() as pool:
        allocating = pool.submit(trouble, services, "do=allocate")
        while wait([allocating], timeout=0.05).not_done:
            assert echo(services).status_code == 201
    assert (allocating.result().status_code, allocating.result().json()) in ((546, _LIMIT),)
    assert logged(services, "functions.trouble its process has ended: ")
    # On a busy machine it gets so little processor time that the wall clock ends it first.
    ends = "MiB of memory and may use 300|cannot allocate more|takes longer than 8 s"
    assert re.search(ends, log(services))
    assert trouble(services, "do=pid").status_code == 200


def test_exit_is_reported_and_the_next_request_gets_a_new_process(services: Stack) -> None:
    before = trouble(services, "do=pid").json()["pid"]
    response = trouble(services, "do=exit")
    assert (response.status_code, response.json()) == (500, _EXIT)
    assert response.headers["x-relay-error"] == "true"
    assert logged(services, "functions.trouble its process has ended: it exited with 7")
    after = trouble(services, "do=pid").json()["pid"]
    assert after != before


def test_killed_process_is_reported_by_its_signal(services: Stack) -> None:
    os.kill(trouble(services, "do=pid").json()["pid"], signal.SIGKILL)
    assert logged(services, "functions.trouble its process has ended: it was ended by SIGKILL")
    assert trouble(services, "do=pid").status_code == 200


@pytest.mark.parametrize("how", ["raise", "leave"])
def test_exception_of_a_function_is_its_own_response(services: Stack, how: str) -> None:
    before = trouble(services, "do=pid").json()["pid"]
    response = trouble(services, f"do={how}")
    assert response.status_code == 500
    assert "x-relay-error" not in response.headers
    assert trouble(services, "do=pid").json()["pid"] == before


def test_request_beyond_the_wall_clock_limit_is_ended(services: Stack) -> None:
    response = trouble(services, "do=wait")
    assert (response.status_code, response.json()) == (546, _LIMIT)
    assert logged(services, "takes longer than 8 s")


def test_loop_behind_a_finished_request_is_ended(services: Stack) -> None:
    assert trouble(services, "do=behind").status_code == 200
    assert logged(services, "has used 1 s of processor time without a request")
    assert trouble(services, "do=pid").status_code == 200


def test_requests_beyond_the_queue_are_rejected(services: Stack, tmp_path: Path) -> None:
    # After a process that was ended there may be a pause, in which all requests wait.
    assert trouble(services, "do=pid").status_code == 200
    free = tmp_path / "free"
    with ThreadPoolExecutor(50) as pool:
        sent = [pool.submit(trouble, services, f"do=hold&until={free}") for _ in range(50)]
        # 8 run, four times as many wait, and the others are rejected at once.
        assert until(lambda: sum(response.done() for response in sent) == 10)
        rejected = [response.result() for response in sent if response.done()]
        free.touch()
    assert {response.status_code for response in rejected} == {503}
    assert rejected[0].json() == {
        "code": "OVERLOADED",
        "message": "Too many requests wait for this function, please try again",
    }
    assert rejected[0].headers["x-relay-error"] == "true"
    assert sorted(response.result().status_code for response in sent) == [200] * 40 + [503] * 10


def test_places_of_clients_that_have_gone_are_given_to_others(services: Stack, tmp_path: Path) -> None:
    # After a process that was ended there may be a pause, in which all requests wait.
    assert trouble(services, "do=pid").status_code == 200
    free = tmp_path / "free"
    query = f"do=hold&until={free}"
    with ThreadPoolExecutor(50) as pool:
        running = [pool.submit(trouble, services, query) for _ in range(8)]
        gone = [pool.submit(_abandon_call, services, query) for _ in range(40)]
        assert until(lambda: all(response.done() for response in gone))
        # As soon as the gateway has noticed that they are gone, a request waits and is not rejected.
        late: list[Future[httpx.Response]] = []

        def waits() -> bool:
            late.append(pool.submit(trouble, services, query))
            return not until(late[-1].done, 0.5)

        assert until(waits)
        free.touch()
    assert late[-1].result().status_code == 200
    assert {response.result().status_code for response in running} <= {200, 503}


def _abandon_call(stack: Stack, query: str) -> None:
    with contextlib.suppress(httpx.ReadTimeout):
        trouble(stack, query, timeout=1)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("deaf", "it has closed the host's channel"),
        ("garbage", "it has written into the host's channel"),
        ("stop", "takes longer than 8 s"),
    ],
)
def test_process_that_breaks_its_channel_is_replaced(services: Stack, act: str, words: str) -> None:
    before = trouble(services, "do=pid").json()["pid"]
    assert trouble(services, f"do={act}").status_code in (500, 502, 546)
    assert logged(services, words)
    assert trouble(services, "do=pid").json()["pid"] != before
    assert echo(services).status_code == 201


def test_descriptors_of_the_host_and_of_other_functions_are_closed(services: Stack) -> None:
    with httpx.stream("GET", f"{services.api_url}/functions/v1/stream?do=endless&name=held") as response:
        next(response.iter_bytes())
        trouble(services, "do=exit")
        # Standard input and outputs, the channel, this connection, and the listing itself.
        assert trouble(services, "do=descriptors").json()["open"] <= 7


def test_output_is_logged_line_by_line_under_the_functions_name(services: Stack) -> None:
    forged = "2026-01-01 00:00:00,000 INFO functions.echo 200 1.0 ms forged"
    httpx.get(f"{services.api_url}/functions/v1/trouble", params={"do": "print", "lines": 2, "text": forged})
    assert logged(services, f"functions.trouble | {forged} 1\n")
    lines = [line for line in log(services).splitlines() if "forged" in line]
    assert all(" INFO functions.trouble | 2026" in line for line in lines)


def test_endless_output_slows_no_other_function(services: Stack) -> None:
    with ThreadPoolExecutor() as pool:
        printing = pool.submit(trouble, services, "do=print&lines=1500&text=" + "x" * 1000)
        waits = []
        for _ in range(50):
            began = time.monotonic()
            assert echo(services).status_code == 201
            waits.append(time.monotonic() - began)
        assert sorted(waits)[40] < 0.2
        printing.cancel()
    size = (services.state / "logs" / "functions.log").stat().st_size
    assert size < 20 * 1024 * 1024


def test_each_request_is_a_line_with_function_status_time_and_id(services: Stack) -> None:
    httpx.post(f"{services.api_url}/functions/v1/echo", headers={"x-request-id": "seen-in-the-log"})
    assert logged(services, " ms seen-in-the-log\n")
    (line,) = [line for line in log(services).splitlines() if line.endswith("seen-in-the-log")]
    assert " INFO functions.echo answered 201 " in line


def test_client_that_goes_away_is_logged_as_499(services: Stack) -> None:
    headers = {"x-request-id": "gone-early"}
    address = f"{services.api_url}/functions/v1/stream?do=endless&name=early"
    with httpx.stream("GET", address, headers=headers) as response:
        next(response.iter_bytes())
    assert logged(services, " ms gone-early\n")
    (line,) = [line for line in log(services).splitlines() if line.endswith("gone-early")]
    assert " functions.stream answered 499 " in line


def test_connections_that_say_nothing_shut_no_call_out(services: Stack) -> None:
    port = int(report(open_project(services.root, services.environ))["ports"]["functions"])
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(700)]
    try:
        assert echo(services).status_code == 201
        for said in (b"POST / HTTP/1.1\r\n\r\n", b"CALL echo\n", b"CALL ../off id\n", b"\xff" * 600, b"\0\n"):
            silent[-1].sendall(said)
            silent[-1].settimeout(10)
            assert silent.pop().recv(64) in (b"", b"X\0\0\0\x07missing")
    finally:
        for connection in silent:
            connection.close()


def test_host_that_is_killed_loses_no_waiting_client(services: Stack) -> None:
    project = open_project(services.root, services.environ)
    child = trouble(services, "do=pid").json()["pid"]
    stopped = threading.Event()
    refused: list[int] = []

    def visit() -> None:
        while not stopped.is_set():
            status = echo(services).status_code
            if status not in (201, 500):
                refused.append(status)

    with ThreadPoolExecutor() as pool:
        visiting = pool.submit(visit)
        os.kill(report(project)["processes"]["functions"], signal.SIGKILL)
        assert until(lambda: not is_alive(child))
        assert until(lambda: trouble(services, "do=pid").json()["pid"] != child)
        stopped.set()
        visiting.result()
    assert refused == []
