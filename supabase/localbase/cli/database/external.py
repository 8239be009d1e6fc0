"""A Postgres that the owner runs (`[db] external_url`), for the commands: brought up to date, and emptied.

Nothing here is a superuser's: what is, `db roles --print` prints for one.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from localbase.cli.terminal import Progress, say
from localbase.core.database_address import name_of
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import external, history, migrate
from localbase.postgres.cluster import Cluster
from localbase.postgres.database_settings import apply_database_settings
from localbase.postgres.external_roles import needed_extensions
from localbase.postgres.platform_version import require_same_version

if TYPE_CHECKING:
    import psycopg

    from localbase.cli.data.exchange import DataSwap

_EMPTY = """
do $$
declare
  each record;
begin
  for each in select extname from pg_catalog.pg_extension where extowner = current_user::regrole loop
    execute format('drop extension if exists %I cascade', each.extname);
  end loop;
  for each in select pubname from pg_catalog.pg_publication where pg_catalog.pg_has_role(pubowner, 'usage') loop
    execute format('drop publication %I', each.pubname);
  end loop;
  for each in
    select nspname from pg_catalog.pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'extensions')
      and pg_catalog.pg_has_role(nspowner, 'usage')
  loop
    execute format('drop schema %I cascade', each.nspname);
  end loop;
  create schema public;
  comment on schema public is 'standard public schema';
  grant usage on schema public to public;
end
$$
"""


def prepare_external(project: Project, cluster: Cluster, until: str = "") -> None:
    """Brings the owner's database up to the migration `until`, or the newest, and the seed.

    Raises `UserError` for one that the project cannot be served from.
    """
    settings = project.settings
    with external.connect(cluster.external) as connection:
        external.wait_for_turn(connection, _waiting)
        extensions = needed_extensions(connection, project)
        external.require_fit(connection, cluster.external, extensions, realtime=settings.realtime.enabled)
        _bring_up_to_date(connection, project, until)
    if settings.storage.enabled and settings.storage.byte_store.backend == "disk":
        say(
            f"  note: stored files lie in {project.state}, where no other gateway of this database finds them: "
            'share that folder, or set [storage.bytes] backend = "s3"'
        )


def note_unused_address(project: Project) -> None:
    """Says that an address in the environment starts nothing."""
    if project.environ.get("SUPABASE_DB_URL"):
        say(
            "  note: SUPABASE_DB_URL is a deployed database's address and is not used here; db.external_url would be"
        )


def _bring_up_to_date(connection: psycopg.Connection, project: Project, until: str) -> None:
    progress = Progress()
    with progress.step(f"the database {name_of(project.settings.db.external_url)}"):
        require_same_version(connection)
        migrate.bootstrap_platform(connection)
        if project.settings.db.vault:
            _require_vault(connection)
        apply_database_settings(connection, project)
    is_new = not history.read_history(connection) and not history.has_seed(connection)
    migrate.apply_roles(connection, project, progress)
    migrate.apply_migrations(connection, project, progress, until=until)
    if is_new:
        migrate.apply_seed(connection, project, progress)
    elif fresh := migrate.fresh_seeds(connection, project):
        # By now it may hold what people have entered.
        names = ", ".join(path.name for path in fresh)
        progress.note(
            f"this database has its data: {names} did not run; `supabase db push --include-seed` runs it"
        )


def _waiting() -> None:
    say("  waiting for another command that prepares this database …")


def _require_vault(connection: psycopg.Connection) -> None:
    if connection.execute("select to_regclass('vault.decrypted_secrets') is null").fetchone() == (True,):
        raise UserError(
            "[db.vault] has secrets, and this database has no extension supabase_vault.",
            "Install that extension on its server, or leave the secrets out.",
        )


def require_own_server(project: Project, what: str, instead: str) -> None:
    """Raises `UserError` where the owner runs the database."""
    if project.settings.db.external_url:
        raise UserError(f"{what}, and the database of db.external_url is a server of your own.", instead)


def add_name_argument(parser: argparse.ArgumentParser) -> None:
    """The name of a database of the owner's own, for a command that throws its data away (`require_typed_name`)."""
    parser.add_argument(
        "--database",
        default="",
        metavar="NAME",
        help="of a server of your own: the name of the one that goes",
    )


def require_typed_name(projects: Iterable[Project], typed: str, what: str) -> None:
    """Raises `UserError` unless the name of each database that would lose its data was typed."""
    for project in projects:
        if not (address := project.settings.db.external_url):
            continue
        name = name_of(address)
        given = typed
        if not given and sys.stdin.isatty():
            say(f"{what} throws away all data of {name}, which is a server of your own.")
            sys.stderr.write("Type that name to go on: ")
            sys.stderr.flush()
            given = sys.stdin.readline().strip()
        if given != name:
            raise UserError(
                f"{what} would throw away all data of {name}, which is a server of your own.",
                f"If that is what you want: --database {name}",
            )


def empty_database(project: Project, swap: DataSwap) -> None:
    """Takes all away that localbase and the project have made there, and what is stored beside it. No stack may run."""
    with external.connect(project.settings.db.external_url) as connection:
        external.wait_for_turn(connection, _waiting)
        external.require_fit(connection, project.settings.db.external_url, [], realtime=False)
        connection.execute(_EMPTY)
    for path in swap.entries():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
