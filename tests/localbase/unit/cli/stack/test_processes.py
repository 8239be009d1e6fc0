"""A project's own processes in `supabase/processes.toml`: their sockets, and what is probed."""

from __future__ import annotations

from pathlib import Path

import pytest
from localbase.cli.stack.health import Target
from localbase.cli.stack.processes import Process, project_processes, stack_environ, stack_processes
from localbase.cli.stack.sockets import Listener
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of

from tests.support.stacks import ROOT


def process(folder: Path, table: str, **environ: str) -> Process:
    (folder / "supabase").mkdir(exist_ok=True)
    (folder / "supabase" / "processes.toml").write_text(f'[web]\ncommand = ["python", "x.py"]\n{table}')
    [declared] = project_processes(open_project(folder, {}), environ)
    return declared


def test_named_socket_is_held_on_the_port_of_the_ready_address(tmp_path: Path) -> None:
    table = 'ready = "${SITE_URL}/healthz"\nsocket = "WEB_FD"\nhost = "${WEB_HOST:-127.0.0.1}"\n'
    here = process(tmp_path, table, SITE_URL="http://localhost:3000")
    assert here.listeners == (Listener("WEB_FD", 3000),)
    assert here.health == Target.http(3000, "/healthz")
    everywhere = process(tmp_path, table, SITE_URL="http://127.0.0.1:3000", WEB_HOST="0.0.0.0")
    assert everywhere.listeners == (Listener("WEB_FD", 3000, "0.0.0.0"),)


@pytest.mark.parametrize(
    "address", ["https://shop.example", "http://shop.example:3000", "http://127.0.0.1", ""]
)
def test_remote_address_gets_no_socket_and_no_probe(tmp_path: Path, address: str) -> None:
    web = process(tmp_path, f'ready = "{address}"\nsocket = "WEB_FD"\n')
    assert (web.listeners, web.health) == ((), None)


def test_process_without_a_named_socket_opens_its_own_and_is_probed(tmp_path: Path) -> None:
    web = process(tmp_path, 'ready = "http://127.0.0.1:3000/up"\n')
    assert (web.listeners, web.health) == ((), Target.http(3000, "/up"))


def test_local_stack_uses_its_own_functions_beside_deployed_ones(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    environ = stack_environ(open_project(tmp_path, {"FUNCTIONS_URL": "https://functions.shop.example"}))
    assert environ["FUNCTIONS_URL"] == f"{environ['SUPABASE_URL']}/functions/v1"


def test_servers_of_the_shop_inherit_their_sockets() -> None:
    environ = {"SITE_URL": "http://127.0.0.1:25300", "EMULATORS_PORT": "25330"}
    listeners = {item.name: item.listeners for item in project_processes(open_project(ROOT, {}), environ)}
    assert listeners == {
        "emulators": (Listener("EMULATORS_FD", 25330),),
        "web": (Listener("WEB_FD", 25300),),
    }


def test_developers_pages_begin_at_the_first_connection(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    project = open_project(tmp_path, {})
    studio = {each.name: each for each in stack_processes(project, cluster_of(project), {})}["studio"]
    assert (studio.is_on_demand, studio.ready, studio.listeners[0].port) == (True, "", 54323)
