"""`functions serve`: the running stack's functions at work, with other variables meanwhile."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

from localbase.cli import stack
from localbase.cli.accepted import accept
from localbase.cli.call import Call
from localbase.cli.function_logs import followed, log_path, print_all
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import read_dotenv
from localbase.functions.catalog import Catalog
from localbase.functions.environment import reserved_names, warning_about
from localbase.functions.overrides import Overrides, overriding


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is other than in the running stack."""
    parser.add_argument("slug", nargs="*", help="all functions are served; the names are for older scripts")
    parser.add_argument("--env-file", type=Path, help="variables in place of supabase/functions/.env")
    parser.add_argument("--no-verify-jwt", action="store_true", help="let callers in without a token")
    accept(parser, "--import-map", reason="Python has no import maps", is_switch=False)
    inspector = "there is no inspector; call `breakpoint()` under `functions-framework --target` instead"
    accept(parser, "--inspect", "--inspect-main", reason=inspector)
    accept(parser, "--inspect-mode", reason=inspector, is_switch=False)


def run(call: Call) -> int:
    """Shows the running stack's functions at work until Ctrl-C; for so long the file and the flag count."""
    project, env_file, verify_jwt = call.project, call.options.env_file, not call.options.no_verify_jwt
    settings = project.settings
    stack.require_running(project)
    if not settings.edge_runtime.enabled or not project.functions.is_dir():
        raise UserError(
            "The stack runs no functions.", "Set [edge_runtime] enabled = true and start it again."
        )
    if env_file is not None:
        if not env_file.is_file():
            raise UserError(f"There is no file {env_file}.", "Name one that holds NAME=value lines.")
        for name in reserved_names(read_dotenv(env_file)):
            say(warning_about(name))
    catalog = Catalog(project)
    print("Serving functions on " + f"{settings.api_url}/functions/v1/<function-name>")
    for source in catalog.all():
        if catalog.settings(source.slug).enabled:
            print(f" - {settings.api_url}/functions/v1/{source.slug}")
        else:
            say(f"Skipped serving Function: {source.slug}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    path = log_path(project)
    began = path.stat().st_size if path.exists() else 0
    overrides = Overrides(env_file.resolve() if env_file else None, verify_jwt)
    try:
        with overriding(project.state, overrides):
            print_all(followed(path, began), None)
    except KeyboardInterrupt:
        folder = project.functions
        shown = folder.relative_to(project.root) if folder.is_relative_to(project.root) else folder
        print(f"Stopped serving {shown}")
    return 0
