"""A stack of a project's own tests, made fresh in some hundredths of a second.

The database is made, migrated and seeded once; what a gateway stores at its first start (buckets) is in it too. Each
renewal kills gateway and Postgres, puts a copy of that data in place, which a thread has made meanwhile, and starts
both anew: nothing of a test can be left, in the database, its roles, on disk or in the memory of a gateway.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

from localbase.cli.data.copies import DATABASE, STORED, copy_data, copy_stored, copy_tree
from localbase.cli.database.database import data_swap, prepare_database
from localbase.cli.database.external import require_own_server
from localbase.cli.stack.addresses import values
from localbase.cli.stack.children import die_with_parent
from localbase.cli.stack.processes import Process, stack_processes
from localbase.core.errors import UserError
from localbase.core.project import Project, open_project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.damage import stop_server

# The data is thrown away: it need not survive a power cut.
_UNSAFE = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")
_BACKLOG = 2048
_OWN = "Tests take a project without db.external_url: a copy of this one whose config.toml has none."
_PORTS = {
    "SUPABASE_API_PORT": "LOCALBASE_API_FD",
    "SUPABASE_LOCAL_SMTP_PORT": "LOCALBASE_MAILBOX_FD",
    "SUPABASE_LOCAL_SMTP_SMTP_PORT": "LOCALBASE_SMTP_FD",
}


class FreshStack:
    """A stack with ports and data of its own, beside any other of the project. `start` first, `close` last."""

    def __init__(self, workdir: Path, environ: Mapping[str, str], name: str) -> None:
        """`name` separates stacks that run at once, as those of pytest-xdist's workers."""
        self._sockets = {variable: _listening() for variable in _PORTS.values()}
        self._live, self._functions = _listening(), _listening()
        ports = {
            setting: str(self._sockets[variable].getsockname()[1]) for setting, variable in _PORTS.items()
        }
        stack_environ = {**environ, **ports, "SUPABASE_DB_PORT": str(_free_port()), "LOCALBASE_WORKERS": "1"}
        self.project, self._lock = _locked(workdir, stack_environ, name)
        require_own_server(
            self.project, "A fresh project for each test is a copy of a database's files", _OWN
        )
        self._cluster = cluster_of(self.project)
        self._swap = data_swap(self.project, self._cluster)
        self._base = self._beside("base")
        self._numbers = count(1)
        self._copier = ThreadPoolExecutor(1)
        self._spare: Future[Path] | None = None
        self._postgres: subprocess.Popen[bytes] | None = None
        self._host: subprocess.Popen[str] | None = None
        self._log = Path(os.devnull)
        self._unanswered = 0

    def start(self) -> None:
        """Makes the data and starts everything. Raises `UserError` where a migration, the seed or a process fails."""
        self._clear()
        logs = self.project.state / "logs"
        logs.mkdir(parents=True)
        self._log = logs / "gateway.log"
        self._start_host()
        prepare_database(self.project, self._cluster)
        self._serve()
        # Buckets of the configuration, with their files, are made by the first gateway.
        self._request(do="end", at_once=False)
        self._stop_postgres(signal.SIGINT)
        self._base.mkdir(mode=0o711)
        copy_data(self._swap, self._base)
        self._serve()
        self._start_functions()
        # Behind all that is forked: the copier's thread rests at each fork.
        self._copy_spare()

    def renew(self) -> None:
        """Puts everything back to what it was after the start."""
        assert self._spare is not None
        spare = self._spare.result()
        self._request(do="end", at_once=True)
        self._stop_postgres(signal.SIGQUIT)
        waste = self._beside(f"waste-{next(self._numbers)}")
        waste.mkdir(mode=0o700)
        for path in [self._swap.data, *self._swap.entries()]:
            path.rename(waste / path.name)
        (spare / DATABASE).rename(self._swap.data)
        for path in (spare / STORED).iterdir():
            path.rename(self.project.state / path.name)
        self._serve()
        self._copier.submit(shutil.rmtree, waste, ignore_errors=True)
        self._copier.submit(shutil.rmtree, spare, ignore_errors=True)
        self._copy_spare()

    def addresses(self) -> dict[str, Any]:
        """Return what clients need, by the names of `LocalbaseProject`."""
        settings = self.project.settings
        keys = settings.keys
        return {
            "api_url": settings.api_url,
            "db_url": settings.db_url,
            "mailbox_url": settings.mailbox_url,
            "publishable_key": keys.publishable,
            "secret_key": keys.secret,
            "anon_key": keys.anon,
            "service_role_key": keys.service_role,
            "values": values(self.project),
        }

    def close(self) -> None:
        """Ends everything and removes its data."""
        if self._host is not None:
            with contextlib.suppress(BrokenPipeError):
                self._host.communicate()
        self._stop_postgres(signal.SIGQUIT)
        self._copier.shutdown()
        for held in (*self._sockets.values(), self._live, self._functions):
            held.close()
        self._clear()
        os.close(self._lock)

    def _clear(self) -> None:
        """Takes away what a run that was killed has left."""
        stop_server(self._cluster)
        shutil.rmtree(self.project.state, ignore_errors=True)
        shutil.rmtree(self._swap.data, ignore_errors=True)
        for path in self._swap.data.parent.parent.glob(self._beside("*").name):
            shutil.rmtree(path, ignore_errors=True)

    def _beside(self, what: str) -> Path:
        """A folder on the disk of the data, which Postgres's user can reach as it can reach the data."""
        folder = self._swap.data.parent
        return folder.with_name(f"{self.project.settings.project_id}.{what}")

    def _copy_spare(self) -> None:
        self._spare = self._copier.submit(self._copied, self._beside(f"spare-{next(self._numbers)}"))

    def _copied(self, target: Path) -> Path:
        target.mkdir(mode=0o711)
        copy_tree(self._base / DATABASE, target / DATABASE)
        (target / STORED).mkdir()
        copy_stored(list((self._base / STORED).iterdir()), target / STORED)
        return target

    def _serve(self) -> None:
        account = self._cluster.account
        with self._log.with_name("postgres.log").open("ab") as log:
            self._postgres = subprocess.Popen(
                [*self._cluster.command(), *_UNSAFE],
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGQUIT),
            )
        self._request(do="start")

    def _stop_postgres(self, word: signal.Signals) -> None:
        if self._postgres is not None:
            self._postgres.send_signal(word)
            self._postgres.wait()
            self._postgres = None

    def _processes(self) -> dict[str, Process]:
        ports = {"gateway": self._live.getsockname()[1], "functions": self._functions.getsockname()[1]}
        return {each.name: each for each in stack_processes(self.project, self._cluster, ports)}

    def _start_host(self) -> None:
        descriptors = {variable: held.fileno() for variable, held in self._sockets.items()}
        descriptors["LOCALBASE_LIVE_FD"] = self._live.fileno()
        with self._log.open("ab") as log:
            self._host = subprocess.Popen(
                [sys.executable, "-m", "localbase.testing.gateway_host", "--workdir", str(self.project.root)],
                cwd=self.project.root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                pass_fds=(*descriptors.values(), self._functions.fileno()),
                start_new_session=True,
            )
        environ = {**self._processes()["gateway"].environ, **{n: str(fd) for n, fd in descriptors.items()}}
        self._send(do="prepare", environ=environ, live_port=self._live.getsockname()[1])

    def _start_functions(self) -> None:
        functions = self._processes().get("functions")
        if functions is None:
            return
        descriptor = self._functions.fileno()
        self._request(
            do="functions",
            command=list(functions.command),
            environ={**functions.environ, functions.listeners[0].variable: str(descriptor)},
            descriptors=[descriptor],
        )

    def _send(self, **request: Any) -> None:
        assert self._host is not None
        assert self._host.stdin is not None
        self._host.stdin.write(json.dumps(request) + "\n")
        self._host.stdin.flush()
        self._unanswered += 1

    def _request(self, **request: Any) -> None:
        self._send(**request)
        assert self._host is not None
        assert self._host.stdout is not None
        error = "its host has ended"
        while self._unanswered:
            line = self._host.stdout.readline()
            self._unanswered -= 1
            error = json.loads(line)["error"] if line else "its host has ended"
        if error:
            text = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-15:]
            raise UserError(f"The tests' stack does not run: {error}.", "\n".join(text))


def _listening() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)


def _free_port() -> int:
    # Postgres opens its own socket; another program could take the port in between, and a start would say so.
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def _locked(workdir: Path, environ: Mapping[str, str], name: str) -> tuple[Project, int]:
    """The project under an id that no other run of tests has now, and the lock on it."""
    own = open_project(workdir, environ).settings.project_id
    for number in count(1):
        identity = f"{own}-{name}" if number == 1 else f"{own}-{name}-{number}"
        project = open_project(workdir, {**environ, "SUPABASE_PROJECT_ID": identity})
        project.state.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(project.state.with_name(f"{identity}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
        else:
            return project, lock
    raise AssertionError
