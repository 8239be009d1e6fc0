"""The command line: which verb, which project, and how errors reach the person."""

from __future__ import annotations

import argparse
import errno
import importlib.metadata
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from localbase.cli import db, functions, generate, migration, start, status, stop
from localbase.cli.deploy import deploy
from localbase.cli.terminal import show_error
from localbase.core.errors import UserError
from localbase.core.project import open_project

_RIGHTS = "Check the rights there: a project's local data belongs to the user who has started it first."
# What the machine denies, where no command has said something better: never a traceback.
_REMEDIES = {
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: "localbase must be allowed to write in the project's supabase/.localbase.",
    errno.ENOSPC: "Free some space on that disk and try again.",
    errno.EDQUOT: "Free some space on that disk and try again.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; its exit code. 1 is an error that has been printed."""
    ask = _parser().parse_args(arguments)
    try:
        project = open_project(ask.workdir, os.environ)
        return int(ask.run(project, ask))
    except UserError as error:
        show_error(error)
        return 1
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0)
        if remedy is None:
            raise
        show_error(UserError(f"{error.strerror}: {error.filename or 'while writing'}", remedy))
        return 1
    except KeyboardInterrupt:
        return 130


class _Version(argparse.Action):
    """Looked up only when it is needed: reading a distribution's metadata takes longer than parsing."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"localbase {importlib.metadata.version('localbase')}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--workdir", type=Path, default=Path(), help="the project's root (default: here)")
    parser = argparse.ArgumentParser(
        prog="supabase" if Path(sys.argv[0]).name == "supabase" else "localbase",
        parents=[common],
        description="A local Supabase stack without Docker.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show localbase's version and exit")
    verbs = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def verb(name: str, text: str, within: Any = verbs) -> argparse.ArgumentParser:
        # A --workdir behind the verb overrules; one before it must survive the verb's own default.
        late = argparse.ArgumentParser(add_help=False)
        late.add_argument("--workdir", type=Path, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        made: argparse.ArgumentParser = within.add_parser(name, help=text, description=text, parents=[late])
        return made

    verb("start", "Start the stack.").set_defaults(run=lambda project, _: start.start(project))
    verb("stop", "Stop the stack; its data is kept.").set_defaults(run=lambda project, _: stop.stop(project))
    shown = verb("status", "Show the stack's addresses and keys.")
    shown.add_argument("-o", "--output", choices=["pretty", "env", "json"], default="pretty")
    shown.set_defaults(run=lambda project, ask: status.status(project, ask.output))

    database = verb("db", "Manage the database.").add_subparsers(required=True, metavar="COMMAND")
    verb("reset", "Throw all local data away and begin anew.", database).set_defaults(
        run=lambda project, _: db.reset(project)
    )
    migrations = verb("migration", "Manage migrations.").add_subparsers(required=True, metavar="COMMAND")
    new = verb("new", "Make an empty migration.", migrations)
    new.add_argument("name")
    new.set_defaults(run=lambda project, ask: migration.new(project, ask.name))
    verb("up", "Apply pending migrations to the running database.", migrations).set_defaults(
        run=lambda project, _: migration.up(project)
    )
    verb("list", "List local and applied migrations.", migrations).set_defaults(
        run=lambda project, _: migration.show_list(project)
    )
    _add_functions(verb, verbs)
    types = verb("gen", "Generate code.").add_subparsers(required=True, metavar="COMMAND")
    typed = verb("types", "TypeScript types of the database, by the official CLI.", types)
    typed.add_argument("--schema", default="public")
    typed.set_defaults(run=lambda project, ask: generate.types(project, ask.schema))
    return parser


def _add_functions(verb: Callable[..., argparse.ArgumentParser], verbs: Any) -> None:
    slugs = verb("functions", "Manage functions.", verbs).add_subparsers(required=True, metavar="COMMAND")
    made = verb("new", "Make a Python function.", slugs)
    made.add_argument("slug")
    made.set_defaults(run=lambda project, ask: functions.new(project, ask.slug))
    verb("list", "List the project's functions.", slugs).set_defaults(
        run=lambda project, _: functions.show_list(project)
    )
    served = verb("serve", "Show the running stack's functions at work.", slugs)
    served.add_argument("--env-file", type=Path, help="variables in place of supabase/functions/.env")
    served.add_argument("--no-verify-jwt", action="store_true", help="let callers in without a token")
    served.set_defaults(
        run=lambda project, ask: functions.serve(project, ask.env_file, verify_jwt=not ask.no_verify_jwt)
    )
    deployed = verb("deploy", "Deploy functions to Google Cloud, by gcloud.", slugs)
    deployed.add_argument("slug", nargs="*", help="which functions; all that are enabled by default")
    deployed.add_argument("--region", default="us-central1", help="Google Cloud's region (us-central1)")
    deployed.add_argument("--project", default="", help="Google Cloud's project (gcloud's own by default)")
    deployed.add_argument("--no-verify-jwt", action="store_true", help="let all callers in")
    deployed.add_argument("--dry-run", action="store_true", help="print the commands, run none")
    deployed.set_defaults(
        run=lambda project, ask: deploy(
            project,
            ask.slug,
            ask.region,
            cloud_project=ask.project,
            open_to_all=ask.no_verify_jwt,
            dry_run=ask.dry_run,
        )
    )
    shown = verb("logs", "Show what functions have logged.", slugs)
    shown.add_argument("slug", nargs="?")
    shown.add_argument("-n", "--lines", type=_count, default=100, help="how many of the last lines (100)")
    shown.add_argument("-f", "--follow", action="store_true", help="go on with the lines to come")
    shown.set_defaults(
        run=lambda project, ask: functions.logs(project, ask.slug, ask.lines, follow=ask.follow)
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of lines")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
