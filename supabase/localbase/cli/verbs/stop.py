"""`stop`: ends every process of a stack, or of all; the data stays unless `--no-backup` says otherwise."""

from __future__ import annotations

import argparse
import shutil

from localbase.cli.call import Call
from localbase.cli.database.database import data_swap
from localbase.cli.database.external import add_name_argument, empty_database, require_typed_name
from localbase.cli.stack import stack
from localbase.cli.stack.lock import command_lock
from localbase.cli.stack.register import running_projects
from localbase.cli.terminal import confirmed, say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.damage import stop_server


def stop_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the stacks, and whether their data goes."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="every stack that this user has started here")
    which.add_argument("--project-id", default="", metavar="ID", help="the running stacks of this project id")
    parser.add_argument("--no-backup", action="store_true", help="the local data goes, too")
    add_name_argument(parser)


def run_stop(call: Call) -> int:
    """Stops the stacks; it is no error if none runs."""
    options = call.options
    if options.all or options.project_id:
        projects = [
            each
            for each in running_projects(call.environ)
            if options.all or each.settings.project_id == options.project_id
        ]
        if not projects:
            say(
                f"{options.project_id or 'No stack'} is not running."
                if options.project_id
                else "No stack runs."
            )
        elif options.all and not _agreed(projects, yes=options.yes):
            return 1
    else:
        projects = [call.project]
    if options.no_backup:
        require_typed_name(projects, options.database, "stop --no-backup")
    stopped = [_stop(each, data_goes=options.no_backup, shows_folder=options.all) for each in projects]
    data = [
        {"project_id": each.settings.project_id, "folder": str(each.root), "ran": ran}
        for each, ran in zip(projects, stopped, strict=True)
    ]
    call.output.show(data, "")
    return 0


def _agreed(projects: list[Project], *, yes: bool) -> bool:
    say("These stacks run:")
    for each in projects:
        say(f"  {each.settings.project_id} ({each.root})")
    return confirmed("Stop all of them?", yes=yes)


def _stop(project: Project, *, data_goes: bool, shows_folder: bool) -> bool:
    name = project.settings.project_id
    if shows_folder:
        # Projects of other folders may have the same id.
        name = f"{name} ({project.root})"
    if not project.state.exists():
        # Nothing was ever started, perhaps because nothing can be written here.
        say(f"{name} is not running.")
        return False
    with command_lock(project, "stop"):
        ran = stack.stop(project)
        if data_goes:
            _remove_data(project)
            which = "data" if project.settings.db.external_url else "local data"
            say(f"{f'Stopped {name}' if ran else f'{name} was not running'}; its {which} is gone.")
        else:
            say(f"Stopped {name}; its data is kept." if ran else f"{name} is not running.")
    return ran


def _remove_data(project: Project) -> None:
    cluster = cluster_of(project)
    if cluster.external:
        empty_database(project, data_swap(project, cluster))
    # One that a killed stack has left.
    stop_server(cluster)
    folder = cluster.data
    try:
        shutil.rmtree(folder, ignore_errors=not folder.exists())
        shutil.rmtree(project.state, ignore_errors=not project.state.exists())
    except OSError as error:
        raise UserError(
            f"The data in {project.state} cannot be removed: {error.strerror}.",
            "Run this as the user that has started the stack.",
        ) from error
