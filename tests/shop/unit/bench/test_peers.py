"""The comparison with localbase's peers: what its table says, and what it reads of packages, programs and processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from bench.peers.__main__ import PAGE, Results, page, table
from bench.peers.stacks import Firebase, Lite, Localbase, OfficialDocker, Peer
from bench.peers.tools import key_of, npm_platforms, python_files, reason, tree_size, wait_for
from bench.process_memory import descending, inheriting, pss

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def results_of(peer: Peer, start: list[float], memory: list[float], offline: str = "starts") -> Results:
    return Results(peer, {"first start": start, "memory": memory}, offline)


def test_table_has_the_least_of_all_rounds_and_ratios(tmp_path: Path) -> None:
    ours = results_of(Localbase(tmp_path), [2.0, 1.5], [120e6, 100e6])
    theirs = results_of(Lite(tmp_path), [4.5, 6.0], [300e6, 250e6])
    lines = table([ours, theirs], 2, busy=False).splitlines()
    assert lines[0].startswith("`make bench-peers` on `examples/todo`, 20")
    assert lines[0].endswith(" processors; the least of 2 rounds.")
    assert lines[2:] == [
        "| | first start | warm start | memory | disk | without a network |",
        "| --- | --- | --- | --- | --- | --- |",
        "| localbase | 1.5 s (1.0×) |  | 100 MB (1.0×) |  | starts |",
        "| @supabase/lite | 4.5 s (3.0×) |  | 250 MB (2.5×) |  | starts |",
    ]


def test_busy_machine_gives_no_starts(tmp_path: Path) -> None:
    ours, theirs = (results_of(peer(tmp_path), [4.0], [100e6]) for peer in (Localbase, Lite))
    lines = table([ours, theirs], 1, busy=True).splitlines()
    assert lines[0].endswith("The machine had other work, so starts are left out.")
    assert lines[5] == "| @supabase/lite | — |  | 100 MB (1.0×) |  | starts |"


def test_peer_that_cannot_run_has_its_reason_and_no_figure(tmp_path: Path) -> None:
    docker = results_of(OfficialDocker(tmp_path), [1.0], [1.0], "")
    docker.missing = "needs Docker"
    line = table([results_of(Localbase(tmp_path), [1.0], [1e6]), docker], 1, busy=False).splitlines()[5]
    assert line == "| supabase CLI, Docker | not measured: needs Docker |  |  |  |  |"


def test_figures_take_the_place_of_those_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    written = page(text, "one\n")
    assert "-->\n\none\n\n<!-- end of figures -->" in written
    assert page(written, "two\n") == page(text, "two\n")
    with pytest.raises(ValueError, match="the page has no <!-- figures"):
        page("nothing", "one\n")


def test_platforms_are_those_of_the_package(tmp_path: Path) -> None:
    manifest = tmp_path / "package.json"
    assert npm_platforms(manifest) == ""
    builds = {"@x/cli-darwin-arm64": "1", "@x/cli-linux-x64-musl": "1", "fsevents": "1"}
    for package, expected in (
        ({"optionalDependencies": builds}, "darwin-arm64, linux-x64-musl"),
        ({"os": ["linux"], "cpu": ["x64"]}, "linux, x64"),
        ({"engines": {"node": ">=20 || >=22"}}, "wherever Node >=20, >=22 runs"),
        ({}, "wherever Node runs"),
    ):
        manifest.write_text(json.dumps(package))
        assert npm_platforms(manifest) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("a\nTransport error: getaddrinfo ENOTFOUND github.com)\n", "needs github.com"),
        (
            "Error: Failed to make request to https://storage.example/a.jar",
            "needs storage.example",
        ),
        ("Starting\n│ ■ the port 54321 cannot be opened\nTry again", "the port 54321 cannot be opened"),
        ("one\n\x1b[31mtwo\x1b[0m\n", "two"),
        ("", "it said nothing"),
    ],
)
def test_reason_is_short(output: str, expected: str) -> None:
    assert reason(output) == expected
    assert len(reason("error " + "x" * 500)) == 160


def test_key_is_the_publishable_one_or_the_older() -> None:
    assert key_of('API_URL="http://x"\nANON_KEY="a"\nPUBLISHABLE_KEY="p"\n') == "p"
    assert key_of("ANON_KEY=a\n") == "a"
    assert key_of("") == ""


def test_files_of_a_distribution_are_its_requirements_too() -> None:
    packages = {path.parts[-2] for path in python_files("localbase") if len(path.parts) > 1}
    assert {"psycopg", "starlette", "h11"} <= packages


def test_size_is_what_the_disk_holds(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_bytes(b"x" * 100_000)
    (tmp_path / "link").symlink_to(tmp_path / "inner" / "file")
    assert 100_000 <= tree_size(tmp_path) < 110_000


def test_waiting_ends_when_the_program_has_ended(tmp_path: Path) -> None:
    peer = Firebase(tmp_path)
    peer.launch(sys.executable, "-c", "print('error: no port')")
    assert peer.server
    peer.server.wait()
    with pytest.raises(Exception, match="error: no port"):
        wait_for("http://127.0.0.1:1/", {}, peer.check)
    peer.stop()


def test_waiting_ends_at_the_first_response_that_is_accepted(tmp_path: Path) -> None:
    peer = Firebase(tmp_path)
    peer.launch(sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0")
    try:
        log = tmp_path / "log"
        while "port " not in log.read_text():
            peer.check()
        port = log.read_text().partition("port ")[2].split()[0]
        wait_for(f"http://127.0.0.1:{port}/missing", {}, peer.check, _is_missing)
    finally:
        peer.stop()
    assert peer.server
    assert peer.server.returncode is not None


def _is_missing(response: httpx.Response) -> bool:
    return response.status_code == 404


@linux
def test_memory_is_of_processes_that_inherited_the_mark_and_of_their_children() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    environ = {**os.environ, "BENCH_PEER": "test"}
    with subprocess.Popen([sys.executable, "-c", code], env=environ, stdin=subprocess.PIPE) as parent:
        while len(pids := inheriting("BENCH_PEER", "test")) < 2:
            assert parent.poll() is None
        assert parent.pid in pids
        assert pids == descending([parent.pid])
        assert pss(pids) > 4_000_000
        assert parent.stdin
        parent.stdin.write(b"\n")
    assert inheriting("BENCH_PEER", "test") == []
    assert pss(pids) == 0
