"""`python -m emulators serve | env | run -- COMMAND…`."""

from __future__ import annotations

import argparse
import os
import socket
import sys

from localbase.core.state_file import StateFileError

from emulators.core.environment import current_dotenv, run_command, vendor_variables
from emulators.core.logs import log_to_stdout
from emulators.core.settings import SettingsError, read_settings


def _serve(*, sweep: bool) -> int:
    import uvicorn
    from localbase.core.web.lingering import LingeringProtocol

    from emulators import scheduler
    from emulators.app import build_app

    log_to_stdout(os.environ)

    try:
        settings = read_settings(os.environ, current_dotenv())
        if sweep:
            scheduler.start(os.environ)
    except SettingsError as error:
        sys.stderr.write(f"emulators: {error}\n")
        return 2
    sys.stdout.write(f"emulators: {settings.base_url} serves {', '.join(settings.vendors) or 'nothing'}\n")
    sys.stdout.flush()
    try:
        app = build_app(settings)
    except StateFileError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    config = uvicorn.Config(
        app,
        http=LingeringProtocol,
        ws="none",
        host="127.0.0.1",
        port=settings.port,
        log_level="warning",
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=3,
    )
    # The stack's supervisor holds the socket, so that no caller is refused while this process restarts.
    held = os.environ.get("EMULATORS_FD")
    uvicorn.Server(config).run([socket.socket(fileno=int(held))] if held else None)
    return 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m emulators", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    serve = verbs.add_parser("serve", help="serve every emulated vendor on EMULATORS_PORT")
    serve.add_argument(
        "--sweep", action="store_true", help="call the shop's sweep, as a scheduler does in production"
    )
    verbs.add_parser("env", help="print the emulated vendors' variables")
    run = verbs.add_parser("run", help="run a command with those variables set")
    run.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if options.verb == "serve":
        return _serve(sweep=options.sweep)
    if options.verb == "env":
        for name, value in vendor_variables(os.environ, current_dotenv()).items():
            sys.stdout.write(f"{name}={value}\n")
        return 0
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        parser.error("run needs a command: python -m emulators run -- supabase start")
    run_command(command)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
