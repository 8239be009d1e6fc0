"""Starting a stack: its ports, which are bound first, its processes, and the wait until all of them serve."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

from localbase.cli.stack import register, stack
from localbase.cli.stack.exclusion import is_database_only, without
from localbase.cli.stack.launch import Launched, launch
from localbase.cli.stack.ports import with_free_ports
from localbase.cli.stack.processes import stack_processes
from localbase.cli.stack.sockets import HeldSockets, Listener, is_free, is_served
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.scripts.files import local_migrations

# A stack that was killed takes its leave, and an outgoing connection may have been given a port by chance.
_PORT_SECONDS, _POLL_SECONDS = 3.0, 0.03
# Linux keeps the port of a client's ended connection for 60 s (TIME_WAIT), and lets nobody listen there meanwhile.
_ENDED_SECONDS = 65.0
_TRIES = 3
# SQLite opens files of 512 bytes, and Postgres of 1,024; what lies in the folder needs some of them.
_LONGEST_PATH = 450


@contextmanager
def claimed(
    project: Project, environ: Mapping[str, str], excluded: Collection[str] = ()
) -> Iterator[tuple[Project, HeldSockets]]:
    """The project on ports that are its own from now on, and the sockets that are bound to them.

    Free ones are chosen where another stack has the project's. What is chosen is bound at once, so that no one else
    gets it meanwhile; the ports of programs that bind them by themselves are held until the supervisor starts those.
    `environ` is the command's own. Raises `UserError` for a port that a strange program has.
    """
    with HeldSockets() as sockets:
        with register.choosing(environ):
            project = with_free_ports(project, environ)
            listeners = _listeners(without(project, excluded))
            register.register(project, [listener.port for listener, _ in listeners])
            _bind(sockets, listeners)
        # What is taken is waited for where no other command waits: in the register it is this stack's already.
        _wait_for(lambda: _bind(sockets, listeners))
        yield project, sockets


def _listeners(project: Project) -> list[tuple[Listener, str]]:
    """All that the stack will listen on, each with the setting that moves it."""
    settings = project.settings
    listeners = []
    if not settings.db.external_url:
        place = "db.port in supabase/config.toml, or SUPABASE_DB_PORT"
        listeners.append((Listener("", settings.db.port), place))
    if is_database_only(project):
        return listeners
    place = "{0} in supabase/config.toml, or SUPABASE_{1}"
    moved_by: dict[int, str] = {
        settings.api.port: place.format("api.port", "API_PORT"),
        settings.local_smtp.port: place.format("local_smtp.port", "LOCAL_SMTP_PORT"),
        settings.local_smtp.smtp_port: place.format("local_smtp.smtp_port", "LOCAL_SMTP_SMTP_PORT"),
    }
    for process in stack_processes(project, cluster_of(project), {}):
        own = {listener.port: listener for listener in process.listeners}
        if process.port and process.port not in own:
            own[process.port] = Listener("", process.port)
        listeners += [
            (listener, process.setting or moved_by.get(port, "")) for port, listener in own.items() if port
        ]
    return listeners


def _bind(sockets: HeldSockets, listeners: list[tuple[Listener, str]]) -> list[tuple[int, str]]:
    """Binds what is free. The ports that are not, with their settings."""
    return [(each.port, setting) for each, setting in listeners if not _is_bound(sockets, each)]


def _wait_for(find_taken: Callable[[], list[tuple[int, str]]]) -> None:
    """Waits until no port is taken: a short time for a program, longer for a connection that has ended."""
    began = time.monotonic()
    is_told = False
    while taken := find_taken():
        waited = time.monotonic() - began
        if waited > _ENDED_SECONDS or (waited > _PORT_SECONDS and any(is_served(port) for port, _ in taken)):
            raise _taken(taken)
        if waited > _PORT_SECONDS and not is_told:
            is_told = True
            numbers = ", ".join(str(port) for port, _ in taken)
            say(f"  waiting for port {numbers}, which an ended connection holds for a minute …")
        time.sleep(_POLL_SECONDS)  # the system has no event for a port that comes free


def _is_bound(sockets: HeldSockets, listener: Listener) -> bool:
    try:
        sockets.descriptor(listener)
    except OSError:
        return False
    return True


def _taken(ports: list[tuple[int, str]]) -> UserError:
    lines = [f"Port {port} is taken by another program (setting: {setting})." for port, setting in ports]
    return UserError("\n".join(lines), "Stop that program, or choose another port in that setting.")


def require_files(project: Project) -> None:
    """Raises `UserError` for a file that config.toml names and the gateway could not use, and for migrations' names.

    The supervisor would start the gateway again and again, and the database would be made first.
    """
    if len(os.fsencode(project.state)) > _LONGEST_PATH:
        raise UserError(
            f"The folder of the local data has a path of more than {_LONGEST_PATH} bytes: {project.state}",
            "Move the project, or name another folder in LOCALBASE_STATE.",
        )
    auth = project.settings.auth
    local_migrations(project)
    if auth.signing_keys_path:
        _ = project.signing
    if auth.email.template or auth.email.notification:
        # Here: it imports a client of mail servers, which other projects' start does without.
        from localbase.auth.messages.mailer import Mailer

        Mailer(project.supabase, auth.email, project.settings.local_smtp)


def require_ports(project: Project, held: Collection[int]) -> None:
    """Raises `UserError` for ports that another program has. `held` are those that the running stack has itself."""
    ports = [(each.port, setting) for each, setting in _listeners(project) if each.port not in held]
    _wait_for(lambda: [(port, setting) for port, setting in ports if not is_free(port)])


def start_stack(
    project: Project,
    environ: Mapping[str, str],
    lock: int,
    prepare: Callable[[Project, Cluster, Launched], None],
    excluded: Collection[str] = (),
) -> Project:
    """Claims ports, has `prepare` make the database ready, starts all and waits until it serves. The running project.

    `excluded` are names of services that are left out. A port that is lost between its release and its use is chosen
    anew. Raises `NotReady` for what does not serve.
    """
    for tries_left in reversed(range(_TRIES)):
        with claimed(project, environ, excluded) as (on_its_ports, sockets):
            supervisor = launch(without(on_its_ports, excluded), lock, sockets)
        try:
            cluster = cluster_of(on_its_ports)
            try:
                prepare(on_its_ports, cluster, supervisor)
                supervisor.begin()
            except BaseException:
                supervisor.end()
                raise
            return wait_served(on_its_ports, cluster)
        except stack.PortLost:
            if not tries_left:
                raise
    raise AssertionError("the last try returns or raises")


def wait_served(project: Project, cluster: Cluster, *, quiet: bool = False) -> Project:
    """Waits until every process of a stack serves. The project without what is left out.

    A `quiet` wait says nothing of a stack that serves already.
    """
    report = stack.wait_report(project)
    project = without(project, report["excluded"])
    processes = stack_processes(project, cluster, report["ports"])
    if not (quiet and stack.all_serve(project, processes)):
        stack.wait_ready(project, processes)
    return project
