"""localbase beside its peers, on `examples/todo`: `make bench-peers`, or `python -m bench.peers [--rounds N]`.

Each round runs every peer once, one after the other, so that a busy minute of the machine is every peer's; a figure is
the least of its rounds. First a start without data, then one with the data of before: until somebody has signed up and
has a row of the example's table. Memory is the PSS of all processes after some seconds of rest, disk what program and
data take. Programs, images and artifacts are installed before. Needs Linux, the official ports, and root (or sudo
without a password) to start each peer without a network. What cannot run here is named with its reason.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from localbase.cli.terminal import Progress

from bench.peers.pocketbase import PocketBase
from bench.peers.stacks import Firebase, Lite, Localbase, OfficialDocker, OfficialNative, Peer
from bench.peers.tools import Unmeasured, has
from bench.process_memory import pss

_PEERS: dict[str, Callable[[Path], Peer]] = {
    "localbase": Localbase,
    "docker": OfficialDocker,
    "native": OfficialNative,
    "lite": Lite,
    "firebase": Firebase,
    "pocketbase": PocketBase,
}
PAGE = Path(__file__).resolve().parents[2] / "supabase" / "README.md"
_MARKS = "<!-- figures: make bench-peers ARGS=--write -->", "<!-- end of figures -->"
_REST_SECONDS = 5.0
_COLUMNS = ("first start", "warm start", "memory", "disk")


@dataclass
class Results:
    """The figures of a peer: seconds and bytes by column, a value for each round; or why there are none."""

    peer: Peer
    figures: dict[str, list[float]] = field(default_factory=dict)
    offline: str = ""
    missing: str = ""


def main() -> None:
    """Measures, and prints a table."""
    arguments = _parser().parse_args()
    if arguments.alone:
        _start_alone(_PEERS[arguments.alone](Path(arguments.folder)))
        return
    # Other work on the machine counts before this adds its own.
    busy = os.getloadavg()[0] > (os.cpu_count() or 1) / 2
    with tempfile.TemporaryDirectory(prefix="localbase-peers-") as folder:
        # Postgres runs as another user when this runs as root.
        Path(folder).chmod(0o755)
        measured = _measure(Path(folder), arguments.peers, arguments.rounds)
        figures = table(measured, arguments.rounds, busy=busy)
        facts = "".join(
            f"{each.peer.name}: {each.peer.functions}; {each.peer.platforms()}\n" for each in measured
        )
        sys.stdout.write(f"{figures}\n{facts}")
        if arguments.output:
            arguments.output.parent.mkdir(parents=True, exist_ok=True)
            arguments.output.write_text(f"{figures}\n{facts}", encoding="utf-8")
        if arguments.write:
            PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description="localbase beside its peers")
    parser.add_argument("--rounds", type=int, default=3, help="how often each peer is measured (default: 3)")
    parser.add_argument("--output", type=Path, help="a file for the table too")
    parser.add_argument("--write", action="store_true", help="put the table on localbase's front page")
    parser.add_argument("peers", nargs="*", metavar="PEER", help=", ".join(_PEERS))
    parser.add_argument("--alone", choices=_PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    return parser


def _measure(folder: Path, names: list[str], rounds: int) -> list[Results]:
    measured = {name: Results(_PEERS[name](folder / name)) for name in names or _PEERS}
    progress = Progress()
    for name, results in measured.items():
        with progress.step(f"installing {name}"):
            _noting(results, results.peer.install)
    for number in range(1, rounds + 1):
        for name, results in measured.items():
            if not results.missing:
                with progress.step(f"{name}, {number} of {rounds}"):
                    _noting(results, functools.partial(_round, results))
    for name, results in measured.items():
        if not results.missing:
            with progress.step(f"{name} without a network"):
                results.offline = _offline(name, results.peer)
                results.peer.clear()
    return list(measured.values())


def _noting(results: Results, work: Callable[[], None]) -> None:
    try:
        work()
    except Unmeasured as reason:
        results.missing = str(reason)


def _round(results: Results) -> None:
    peer = results.peer
    peer.clear()
    with _started(peer) as seconds:
        values = [seconds]
    with _started(peer) as seconds:
        time.sleep(_REST_SECONDS)
        processes = peer.processes()
        if not processes:
            raise Unmeasured("none of its processes was found")
        values += [seconds, pss(processes), peer.disk()]
    for column, value in zip(_COLUMNS, values, strict=True):
        results.figures.setdefault(column, []).append(value)


@contextmanager
def _started(peer: Peer) -> Iterator[float]:
    """The seconds that a start took; stopped at the end."""
    try:
        yield peer.start()
    finally:
        # What did not start may have nothing to stop; what did not stop spoils the next start, which says so.
        with suppress(Unmeasured):
            peer.stop()


def _offline(name: str, peer: Peer) -> str:
    """Tell whether it starts, without data, where there is no network but the machine's own addresses."""
    if isinstance(peer, OfficialDocker):
        return "not tried: its containers have networks of their own; images are pulled before"
    if not (has("unshare") and has("ip")):
        return "not tried: needs Linux"
    command = [sys.executable, "-m", "bench.peers", "--alone", name, "--folder", str(peer.folder)]
    up = 'ip link set lo up && exec "$@"'
    entering = ["unshare", "--net", "sh", "-c", up, "sh"]
    if os.geteuid():
        if (
            not has("sudo")
            or subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode
        ):
            return "not tried: needs root"
        account = ["setpriv", f"--reuid={os.getuid()}", f"--regid={os.getgid()}", "--init-groups"]
        variables = [f"{key}={value}" for key, value in os.environ.items()]
        entering = ["sudo", "-n", *entering, *account, "env", "-i", *variables]
    done = subprocess.run([*entering, *command], capture_output=True, text=True, check=False)
    return "starts" if done.returncode == 0 else f"no: {done.stderr.strip().splitlines()[-1]}"


def _start_alone(peer: Peer) -> None:
    """One start without data of a peer that is installed; the exit code says whether it served."""
    try:
        peer.clear()
        with _started(peer):
            pass
    except Unmeasured as reason:
        raise SystemExit(str(reason)) from reason


def table(measured: list[Results], rounds: int, *, busy: bool) -> str:
    """The figures as Markdown: the least of all rounds, and in brackets how much that is of the first peer's.

    A busy machine gives no starts: two runs there differed by more than the peers.
    """
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    machine = f"{platform.system()} on {platform.machine()}, {os.cpu_count()} processors"
    note = " The machine had other work, so starts are left out." if busy else ""
    lines = [
        f"`make bench-peers` on `examples/todo`, {today}, {machine}; the least of {rounds} rounds.{note}\n",
        f"| | {' | '.join([*_COLUMNS, 'without a network'])} |",
        f"| --- |{' --- |' * (len(_COLUMNS) + 1)}",
    ]
    base = {column: min(values) for column, values in measured[0].figures.items()}
    for results in measured:
        cells = [_cell(results, column, base, busy=busy) for column in _COLUMNS]
        if results.missing:
            cells[0] = f"not measured: {results.missing}"
        lines.append(f"| {' | '.join([results.peer.name, *cells, results.offline])} |")
    return "\n".join(lines) + "\n"


def _cell(results: Results, column: str, base: dict[str, float], *, busy: bool) -> str:
    if results.missing or column not in results.figures:
        return ""
    value = min(results.figures[column])
    ratio = f"{value / base[column]:.1f}×" if column in base else ""
    if "start" in column and busy:
        return "—"
    shown = f"{value:.1f} s" if "start" in column else f"{value / 1e6:.0f} MB"
    return f"{shown} ({ratio})" if ratio else shown


def page(text: str, figures: str) -> str:
    """The front page with these figures. Raises `ValueError` without the marks around them."""
    before, begins, rest = text.partition(_MARKS[0])
    _, ends, after = rest.partition(_MARKS[1])
    if not (begins and ends):
        raise ValueError(f"the page has no {_MARKS[0]} … {_MARKS[1]}")
    return f"{before}{begins}\n\n{figures}\n{ends}{after}"


if __name__ == "__main__":
    main()
