"""A database that does not end in time: its data is used only when nothing is left that writes to it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import psycopg
import pytest
from localbase.cli.stack.health import HealthPolicy

from tests.localbase.integration.small_project import SmallProject, is_alive, until

_FIRST = [{"id": 1, "name": "first"}]
# Postgres itself kills what does not end within five seconds of an immediate shutdown.
_POLICY = HealthPolicy(every=60, grace=7)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    with SmallProject(tmp_path_factory.mktemp("stubborn") / "project") as made:
        made.start()
        made.run("stop")
        with made.supervised(_POLICY):
            yield made


def save(project: SmallProject, name: str) -> None:
    done = project.run("snapshot", "save", name)
    assert done.returncode == 0, done.stderr
    assert project.things().json() == _FIRST


def test_session_that_cannot_end_is_gone_before_the_data_is_copied(project: SmallProject) -> None:
    with project.database() as connection:
        pid = connection.info.backend_pid
        os.kill(pid, signal.SIGSTOP)
        save(project, "whole")
        assert not is_alive(pid)


def test_session_of_a_database_that_hangs_is_gone_before_the_data_is_copied(project: SmallProject) -> None:
    connection = project.database("supabase_admin")
    pid = connection.info.backend_pid

    # It waits in a system call: nobody ever writes to this pipe.
    pipe = project.root / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o644)

    def work() -> None:
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select pg_read_file(%s)", [str(pipe)])

    working = threading.Thread(target=work)
    working.start()
    os.kill(project.processes()["postgres"], signal.SIGSTOP)
    try:
        save(project, "hung")
        assert not is_alive(pid)
    finally:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)
        working.join()


def test_data_is_not_copied_while_a_program_of_the_database_runs(project: SmallProject) -> None:
    with project.database("supabase_admin") as connection:
        # The row is read first, or Postgres writes into a closed pipe. The shell writes its own number and becomes the
        # program.
        program = (
            r'cat > /dev/null; setsid sh -c "echo \$\$ > program.pid; exec sleep 600" > /dev/null 2>&1 &'
        )
        connection.execute(f"copy (select 1) to program '{program}'")
    file = project.data / "program.pid"
    assert until(lambda: file.exists() and file.read_text() != "")
    pid = int(file.read_text())
    try:
        done = project.run("snapshot", "save", "torn")
        assert done.returncode == 1
        assert "The data could not be copied: processes of the database outlived it." in done.stderr
        assert "torn" not in project.run("snapshot", "list").stdout
        assert until(lambda: project.things().json() == _FIRST)
    finally:
        os.kill(pid, signal.SIGKILL)
    save(project, "quiet")
