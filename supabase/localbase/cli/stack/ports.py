"""Free ports for a stack whose own are taken by another stack of ours: a second worktree of a project, as a rule.

All ports of the stack move together, by hundreds, and stay for that worktree (`core/moved_ports.py`). A port that a
strange program has is an error as ever, and so is one that the environment names: both are a person's to decide.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from localbase.cli.stack.processes import port_variables
from localbase.cli.stack.register import ports_of_others
from localbase.cli.stack.sockets import is_free
from localbase.cli.terminal import say
from localbase.core.moved_ports import SERVICE_PORTS, SITE_URL, MovedPorts, moved_file, read_moved
from localbase.core.project import Project, merged_environ, open_project

_STEP, _STEPS, _HIGHEST = 100, 100, 65535


def with_free_ports(project: Project, environ: Mapping[str, str]) -> Project:
    """The project on ports that are free, where another stack of ours has its own. Its stack does not run.

    `environ` is the environment of the command, without what a move has put there. Says what it has chosen.
    """
    others = ports_of_others(project, environ)
    used_ports = [port for port in _ports(project) if port in others or not is_free(port)]
    own = _movable(project, environ)
    # One that a strange program has, or that the environment names, is an error, which `start` shows.
    if not used_ports or not others.keys() >= set(used_ports) or not own.keys() >= set(used_ports):
        return project
    moved = _chosen(own.values(), set(others))
    if moved is None:
        return project
    moved.write(moved_file(project.state))
    moved_project = open_project(project.root, environ)
    holders = sorted({str(others[port]) for port in used_ports})
    say(
        f"The ports of {project.settings.project_id} are taken by the stack in {', '.join(holders)}. "
        f"This one gets {', '.join(map(str, moved.ports.values()))}, from now on "
        f"(delete {moved_file(project.state)} to undo that)."
    )
    return moved_project


def _ports(project: Project) -> list[int]:
    """The ports that the stack has in its settings, as they are now."""
    return [*_service_ports(project).values(), *port_variables(project)]


def _service_ports(project: Project) -> dict[str, int]:
    """By the variables that name them. A service that is switched off has none."""
    ports = {}
    for variable, (section, name) in SERVICE_PORTS.items():
        service = getattr(project.settings, section)
        if getattr(service, "enabled", True) and not getattr(service, "external_url", ""):
            ports[variable] = getattr(service, name)
    return ports


@dataclass(frozen=True, slots=True)
class _Port:
    """A port of the project's own, and the variable that names it to a process, or ""."""

    own: int
    variable: str = ""


def _movable(project: Project, environ: Mapping[str, str]) -> dict[int, _Port]:
    """The stack's ports of now that may move."""
    merged = merged_environ(project.root, environ)
    moved = read_moved(moved_file(project.state)).besides(merged)
    back = {new: old for old, new in moved.ports.items()}
    movable = {}
    for variable, port in _service_ports(project).items():
        if variable not in merged:
            movable[port] = _Port(back.get(port, port))
    for port, variable in port_variables(project).items():
        # The site's address is the configuration's; without a variable the number is in processes.toml itself.
        named = SITE_URL if variable == "SITE_URL" else variable
        if variable and named not in merged:
            movable[port] = _Port(back.get(port, port), "" if named == SITE_URL else variable)
    return movable


def _chosen(ports: Collection[_Port], used_ports: set[int]) -> MovedPorts | None:
    own = {each.own for each in ports}
    for number in range(1, _STEPS):
        step = number * _STEP
        news = {port + step for port in own}
        if max(news) > _HIGHEST:
            return None
        if not news & (used_ports | own) and all(is_free(port) for port in news):
            variables = {each.variable: str(each.own + step) for each in ports if each.variable}
            return MovedPorts({port: port + step for port in sorted(own)}, variables)
    return None
