"""The database that a verb works on: the project's own, or the one at `--db-url`.

An address may hold a password. It goes to Postgres's client library in this process, to other programs by PGPASSWORD,
and into no message.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from localbase.cli.call import Call
from localbase.cli.stack import stack
from localbase.core.database_address import PROJECT_ROLE, name_of, parameters_of
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import migrate
from localbase.postgres.cluster import cluster_of

_CONNECT_SECONDS = 10
_ENVIRON = {
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "passfile": "PGPASSFILE",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "options": "PGOPTIONS",
    "application_name": "PGAPPNAME",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "channel_binding": "PGCHANNELBINDING",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}


@dataclass(frozen=True, slots=True)
class Target:
    """A database's address. `name` is for messages, without the password."""

    name: str
    parameters: Mapping[str, str]
    is_local: bool

    def connect(self) -> psycopg.Connection:
        """A connection that commits each statement. Raises `UserError` where there is none to be had."""
        try:
            return psycopg.connect(make_conninfo("", **dict(self.parameters)), autocommit=True)
        except psycopg.Error as error:
            said = " ".join(str(error).split()) or type(error).__name__
            raise UserError(
                f"{self.name}: {without_password(said, self.parameters)}",
                "Check the address in --db-url, the password and the network."
                if not self.is_local
                else "`supabase status` shows what runs; `supabase logs` why not.",
            ) from None

    def environ(self) -> dict[str, str]:
        """The address for libpq's programs: never in their arguments, which every user of the machine can read."""
        return {
            _ENVIRON[name]: str(value)
            for name, value in self.parameters.items()
            if name in _ENVIRON and value
        }


def add_target_arguments(parser: argparse.ArgumentParser) -> None:
    """`--db-url`, and the official CLI's newer form of it."""
    parser.add_argument("--db-url", metavar="URL", help="another database than the project's local one")
    parser.add_argument("--remote", dest="db_url", metavar="URL", help=argparse.SUPPRESS)
    parser.add_argument("--password", "-p", help=argparse.SUPPRESS)


def add_level_arguments(parser: argparse.ArgumentParser, levels: Sequence[str]) -> None:
    """`--level` and `--fail-on`, as verbs have them that look for faults; `levels` from the least to the worst."""
    parser.add_argument(
        "--level", choices=levels, default=levels[0], help=f"the least that is shown ({levels[0]})"
    )
    parser.add_argument(
        "--fail-on",
        choices=("none", *levels),
        default="none",
        help="exit with 1 for this level or worse (none)",
    )


def target_of(call: Call) -> Target:
    """The database that the options name. Raises `UserError` where the local one does not run."""
    address = getattr(call.options, "db_url", None)
    return remote_target(address) if address else local_target(call.project)


def local_target(project: Project) -> Target:
    """The running stack's database, with the platform's rights."""
    stack.require_running(project)
    cluster = cluster_of(project)
    if cluster.external:
        name = f"The database {name_of(cluster.external)}"
        return Target(name, {**parameters_of(cluster.external), "user": PROJECT_ROLE}, is_local=True)
    if not cluster.socket:
        # By TCP another project's may answer.
        migrate.connect(cluster).close()
    parameters = conninfo_to_dict(cluster.near_url())
    return Target("The local database", {k: str(v) for k, v in parameters.items()}, is_local=True)


def remote_target(address: str) -> Target:
    """The database at a libpq address."""
    if not re.match(r"postgres(ql)?://", address):
        raise UserError(
            "--db-url is no address of a database.",
            "For example: --db-url postgresql://user@host:5432/postgres",
        )
    try:
        parameters = {
            name: str(value) for name, value in conninfo_to_dict(address).items() if value is not None
        }
    except psycopg.Error:
        # libpq's own message may quote a part of the password.
        raise UserError(
            "--db-url is no address that Postgres's library understands.",
            "Signs such as # / @ : % in a password must be percent-encoded.",
        ) from None
    if not re.fullmatch(r"[\d,]*", parameters.get("port", "")):
        # A password with a colon or an at sign may have been cut in the wrong place: nothing of it is shown.
        raise UserError(
            "--db-url has a port that is no number.", "For example: postgresql://user@host:5432/postgres"
        )
    parameters.setdefault("connect_timeout", str(_CONNECT_SECONDS))
    name = f"{parameters.get('host', 'localhost')}:{parameters.get('port', '5432')}/{parameters.get('dbname', '')}"
    return Target(name, parameters, is_local=False)


def without_password(text: str, parameters: Mapping[str, str]) -> str:
    """`text` with the password blotted out, if it has it."""
    password = parameters.get("password")
    return text.replace(password, "********") if password and password != "postgres" else text  # noqa: S105
