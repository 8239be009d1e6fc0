"""PgBouncer in transaction mode before a shop's database: each transaction may get another's session."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.shop.integration.deploy.owner import Owner, owner_of
from tests.support.debian_programs import find_program, program_environ
from tests.support.processes import free_port, wait_until_open
from tests.support.stacks import Stack

# One session for all: what a command leaves behind in it, the next one meets.
_SETTINGS = """
[databases]
postgres = host={host} port={server_port} user={user} password={password} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 1
"""


@contextmanager
def pooled(stack: Stack, folder: Path) -> Iterator[Owner]:
    """The owner whose commands reach the database through it. Its settings lie in the folder."""
    pgbouncer = find_program("pgbouncer")
    if pgbouncer is None:
        pytest.skip("pgbouncer is not installed, and Debian's package cannot be fetched")
    server, port = urlsplit(stack.db_url), free_port()
    # It refuses to be root: as another user it must reach its settings.
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        _SETTINGS.format(
            host=server.hostname,
            server_port=server.port,
            user=server.username,
            password=server.password,
            port=port,
        )
    )
    root = os.geteuid() == 0
    with settings.open("rb") as readable:
        process = subprocess.Popen(
            [pgbouncer, f"/dev/fd/{readable.fileno()}"],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=program_environ(),
            pass_fds=[readable.fileno()],
            cwd="/",
            user="nobody" if root else None,
            group="nogroup" if root else None,
            extra_groups=[] if root else None,
        )
        try:
            wait_until_open(process, port)
            owner = owner_of(stack)
            owner.environ.update(
                {"SUPABASE_DB_URL": f"postgresql://postgres:postgres@127.0.0.1:{port}/postgres"}
            )
            yield owner
        finally:
            process.terminate()
            process.wait(30)
