"""`db dump`: schema, data or roles as SQL that a new Supabase project can run."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.database.comparison import add_schema_argument
from localbase.cli.database.db_url import Target, add_target_arguments, target_of
from localbase.cli.database.pg_dump import (
    portable_roles,
    portable_schema,
    role_grants,
    run_program,
    without_meta_commands,
)
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.postgres.cluster import cluster_of
from localbase.postgres.schema.model import SchemaModel
from localbase.postgres.schema.privileges import default_statements
from localbase.postgres.schema.read import read_model
from localbase.postgres.schema.scope import ATTACHED_SCHEMAS, PLATFORM_SCHEMAS, split_schemas

_REALTIME = "supabase_realtime"
# Users and files are a project's data. What their services note for themselves is not.
_SERVICES_TABLES = (
    *("auth.schema_migrations", "storage.migrations", "auth.one_time_tokens", "auth.flow_state"),
    *("auth.webauthn_challenges", "auth.mfa_challenges", "storage.s3_multipart_uploads"),
    "storage.s3_multipart_uploads_parts",
)
_SETTINGS = ("set ", "select pg_catalog.set_config")
_DATA_HEADER = "SET session_replication_role = replica;"


def dump_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the part of the database to dump, and the file."""
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--data-only", action="store_true", help="rows, without the schema")
    kind.add_argument("--role-only", action="store_true", help="the project's own roles")
    parser.add_argument("--use-copy", action="store_true", help="rows as COPY instead of INSERT")
    parser.add_argument(
        "-x",
        "--exclude",
        action="append",
        default=[],
        metavar="SCHEMA.TABLE",
        help="leave out a table's rows",
    )
    parser.add_argument("--keep-comments", action="store_true", help="with pg_dump's own remarks")
    parser.add_argument(
        "-f", "--file", type=Path, metavar="PATH", help="write it there instead of printing it"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the command that would be run")
    add_schema_argument(parser)
    add_target_arguments(parser)


def run_dump(call: Call) -> int:
    """Prints or writes the dump."""
    options, target = call.options, target_of(call)
    schemas = split_schemas(options.schema)
    if (options.use_copy or options.exclude) and not options.data_only:
        raise UserError("--use-copy and --exclude are for rows.", "Add --data-only.")
    program, command = _command(call, schemas)
    if options.dry_run:
        text = shlex.join([cluster_of(call.project).binaries.path(program), *command])
        call.output.show({"command": text, "database": target.name}, text)
        return 0
    script = run_program(call.project, target, program, command)
    sql = _portable(call, target, script, schemas)
    if options.file:
        options.file.parent.mkdir(parents=True, exist_ok=True)
        options.file.write_text(sql, encoding="utf-8")
        say(f"Written to {options.file.resolve()}.")
    path = str(options.file.resolve()) if options.file else None
    call.output.show(
        {"path": path, "sql": sql} if path is None else {"path": path}, "" if path else sql.rstrip("\n")
    )
    return 0


def _command(call: Call, schemas: Sequence[str]) -> tuple[str, list[str]]:
    options = call.options
    if options.role_only:
        return "pg_dumpall", [
            "--roles-only",
            "--no-role-passwords",
            "--quote-all-identifiers",
            "--no-comments",
        ]
    command = [
        "--quote-all-identifiers",
        "--no-owner",
        "--no-publications",
        "--no-subscriptions",
        "--no-tablespaces",
    ]
    if cluster_of(call.project).binaries.major >= 18:
        command.append("--no-statistics")
    if schemas:
        command += [f"--schema={_exactly(name)}" for name in schemas]
    if not options.data_only:
        command.append("--schema-only")
        excluded = [] if schemas else sorted(PLATFORM_SCHEMAS)
        return "pg_dump", [*command, *(f"--exclude-schema={name}" for name in excluded)]
    command.append("--data-only")
    if not schemas:
        command += [f"--exclude-schema={name}" for name in sorted(PLATFORM_SCHEMAS - {"auth", "storage"})]
    command += [f"--exclude-table-data={name}" for name in (*_SERVICES_TABLES, *map(_table, options.exclude))]
    if not options.use_copy:
        command += ["--column-inserts", "--rows-per-insert=1000"]
    return "pg_dump", command


def _exactly(name: str) -> str:
    """A name as pg_dump's patterns have it: quoted, it is itself."""
    quoted = name.replace('"', '""')
    return f'"{quoted}"'


def _table(name: str) -> str:
    schema, _, table = name.partition(".")
    if not table or not schema:
        raise UserError(
            f"--exclude {name}: that is no table.", "Name its schema too, for example public.logs."
        )
    return name if '"' in name or "*" in name else f"{_exactly(schema)}.{_exactly(table)}"


def _portable(call: Call, target: Target, script: str, schemas: Sequence[str]) -> str:
    options = call.options
    if options.role_only:
        return _joined([*portable_roles(script), *role_grants(script)])
    if options.data_only:
        # A line of a text may look like a remark of pg_dump's: rows are left as they are.
        return f"{_DATA_HEADER}\n\n{without_meta_commands(script)}\nRESET ALL;\n"
    with target.connect() as connection:
        model = read_model(connection, schemas)
    statements = list(portable_schema(script, remarks=options.keep_comments))
    header_index = _settings(statements)
    return _joined(
        [
            *statements[:header_index],
            *_header(model),
            *statements[header_index:],
            *_attached(model, schemas),
        ]
    )


def _settings(statements: Sequence[str]) -> int:
    """Return how many statements of pg_dump's beginning set something for the session."""
    count = 0
    while count < len(statements) and statements[count].rpartition("\n")[2].lower().startswith(_SETTINGS):
        count += 1
    return count


def _header(model: SchemaModel) -> list[str]:
    """Takes back what new objects get by themselves: pg_dump grants what is to be, and restores the defaults last."""
    present = [key.name for key in model.objects if key.kind == "schema"]
    defaults = {key: rights for key, rights in model.default_access.items() if key[1] == "public"}
    return list(default_statements(defaults, {}, present))


def _attached(model: SchemaModel, schemas: Sequence[str]) -> list[str]:
    """Return what pg_dump leaves out: on the platform's tables, and tables of publications."""
    statements: list[str] = []
    for key in sorted(model.objects):
        item = model.objects[key]
        on_platform = key.kind in {"policy", "trigger"} and key.schema in ATTACHED_SCHEMAS and not schemas
        published = key.kind == "publication" and key.name != _REALTIME
        if on_platform or published or (key.kind == "publication member" and not schemas):
            statements += item.create()
    return statements


def _joined(statements: Sequence[str]) -> str:
    return "".join(f"{statement};\n\n" for statement in statements)
