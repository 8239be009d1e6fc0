"""Debian's Postgres 15 on two machines: a primary, a synchronous standby, and the address of whoever takes writes.

A commit is acknowledged when the standby has applied it (`remote_apply`). `fail_over` is the owner's script: it fences
the primary before it promotes the standby, so that there are never two that take writes.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import time
from pathlib import Path

import psycopg

from tests.many.network import NETWORK, Machine

# Of whoever takes writes: what everybody else connects to.
ADDRESS = f"{NETWORK}.10"
PROGRAMS = Path("/usr/lib/postgresql/15/bin")
PASSWORD = secrets.token_hex(16)
NAME = "shop"
_SETTINGS = {
    "listen_addresses": "*",
    "unix_socket_directories": "",
    "wal_level": "logical",
    "max_wal_senders": "10",
    "max_replication_slots": "10",
    "wal_keep_size": "96MB",
    "max_wal_size": "128MB",
    "min_wal_size": "32MB",
    "max_connections": "150",
    "shared_buffers": "64MB",
    "synchronous_commit": "remote_apply",
    # one that hangs is noticed
    "wal_sender_timeout": "3s",
    "wal_receiver_timeout": "3s",
    "wal_receiver_status_interval": "1s",
    "wal_retrieve_retry_interval": "500ms",
    "tcp_keepalives_idle": "2",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "4s",
    "client_connection_check_interval": "2s",
    "log_min_messages": "warning",
    "timezone": "UTC",
}
_HBA = f"""
host all all {NETWORK}.0/24 scram-sha-256
host replication all {NETWORK}.0/24 scram-sha-256
"""
_STANDBY = "standby"


class Server:
    """Postgres on one machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.data = machine.folder / "disk" / "data"
        self.data.parent.mkdir(exist_ok=True)
        self._user = pwd.getpwnam("postgres").pw_uid
        os.chown(self.data.parent, self._user, self._user)

    def url(self, name: str = "postgres") -> str:
        """For the owner's superuser."""
        return f"postgresql://owner:{PASSWORD}@{self.machine.address}:5432/{name}"

    def program(self, name: str, *words: str) -> str:
        environ = {"PATH": os.environ["PATH"], "PGPASSWORD": PASSWORD, "LC_ALL": "C.UTF-8"}
        return self.machine.run([str(PROGRAMS / name), *words], environ, self._user)

    def initialise(self) -> None:
        secret = self.data.parent / "password"
        secret.write_text(PASSWORD)
        os.chown(secret, self._user, self._user)
        self.program(
            *("initdb", "-D", str(self.data), "-U", "owner", "-A", "scram-sha-256"),
            *("--pwfile", str(secret), "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"),
        )
        secret.unlink()
        with (self.data / "pg_hba.conf").open("a") as hba:
            hba.write(_HBA)
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.writelines(f"{name} = '{value}'\n" for name, value in _SETTINGS.items())

    def start(self) -> None:
        command = [str(PROGRAMS / "postgres"), "-D", str(self.data)]
        self.machine.spawn(command, {"LC_ALL": "C.UTF-8"}, user=self._user)

    def copy_of(self, primary: Server) -> None:
        """Makes it the standby of `primary`, from nothing."""
        shutil.rmtree(self.data, ignore_errors=True)
        source = f"{primary.url()}?application_name={_STANDBY}&connect_timeout=3&tcp_user_timeout=4000"
        self.program(
            *("pg_basebackup", "-D", str(self.data), "-d", source),
            *("--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync"),
        )
        with (self.data / "postgresql.auto.conf").open("a") as settings:
            settings.write("synchronous_standby_names = ''\n")

    def sql(self, statement: str, seconds: int = 2) -> list[tuple[object, ...]]:
        """Raises `psycopg.OperationalError` where it does not answer in time."""
        with psycopg.connect(
            self.url(), connect_timeout=seconds, autocommit=True, tcp_user_timeout=seconds * 1000
        ) as connection:
            connection.execute(f"set statement_timeout = {seconds * 1000}".encode())
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def wait(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.sql("select 1")
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, f"{self.machine.name} does not take connections"
                time.sleep(0.1)
            else:
                return


class Pair:
    """The two of them, and who is which."""

    def __init__(self, first: Machine, second: Machine) -> None:
        self.primary, self.standby = Server(first), Server(second)

    @property
    def url(self) -> str:
        """For the project's own role, wherever the primary is."""
        return f"postgresql://postgres:{PASSWORD}@{ADDRESS}:5432/{NAME}"

    def begin(self) -> None:
        """A new database of one's own, on the primary alone."""
        self.primary.initialise()
        self.primary.start()
        self.primary.wait()
        self.primary.machine.take_address(ADDRESS)
        self.primary.sql(f"create database {NAME}")

    def run_roles(self, statements: str) -> None:
        """The owner's superuser runs the file of `localbase db roles --print`."""
        with psycopg.connect(self.primary.url(name=NAME), autocommit=True) as connection:
            connection.execute(statements.encode())

    def join(self) -> None:
        """Makes the second machine the standby, and waits until nothing is acknowledged without it."""
        self.standby.copy_of(self.primary)
        self.standby.start()
        self.hold_on()

    def hold_on(self, seconds: float = 60) -> None:
        """From now on commits wait for the standby."""
        deadline = time.monotonic() + seconds
        while not self.is_streaming():
            assert time.monotonic() < deadline, "the standby does not follow"
            time.sleep(0.1)
        self.primary.sql(f"alter system set synchronous_standby_names = '{_STANDBY}'")
        self.primary.sql("select pg_reload_conf()")
        while not self.is_synchronous():
            assert time.monotonic() < deadline, "the standby is not synchronous"
            time.sleep(0.1)

    def let_go(self) -> None:
        """The primary goes on alone, as its standby does not answer. From here on nothing may be promoted."""
        self.primary.sql("alter system set synchronous_standby_names = ''")
        self.primary.sql("select pg_reload_conf()")

    def is_streaming(self) -> bool:
        return bool(self.primary.sql("select 1 from pg_stat_replication where state = 'streaming'"))

    def is_synchronous(self) -> bool:
        return bool(
            self.primary.sql(
                "select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'"
            )
        )

    def fail_over(self) -> None:
        """The standby becomes the primary. The one of before cannot come back as such: it is fenced first."""
        fence(self.primary)
        self.standby.program("pg_ctl", "promote", "-D", str(self.standby.data), "--wait", "--timeout=30")
        self.primary, self.standby = self.standby, self.primary
        self.primary.machine.take_address(ADDRESS)

    def rejoin(self) -> None:
        """The fenced machine comes back, as the standby."""
        self.standby.machine.mend()
        self.join()


def fence(server: Server) -> None:
    """Ends a primary for good, whether it answers or not: its power, its address, and its data's start."""
    server.machine.cut()
    server.machine.kill()
    server.machine.leave_address(ADDRESS)
    # whoever starts it by hand gets a standby, which takes no writes
    (server.data / "standby.signal").touch()
    assert server.machine.processes() == []
