"""`python -m deploy static`: the built shop for a static host, with its settings and headers, in build/static."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from deploy.environment import ROOT, require
from deploy.errors import CommandError
from deploy.static_hosting import DIST, write_static_site
from web import serve

_PREFIX = "VITE_"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--target", type=Path, default=ROOT / "build" / "static", help="made anew")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """The settings have their names of .env, or those with VITE_ before them, which win."""
    named = {name.removeprefix(_PREFIX): value for name, value in environ.items() if name.startswith(_PREFIX)}
    environ = {**environ, **named}
    require(environ, "SITE_URL")
    try:
        settings = serve.Settings.from_env(environ)
    except serve.SettingsError as error:
        raise CommandError(str(error)) from error
    if not (DIST / "app.html").is_file():
        raise CommandError("web/dist is not built: run `make setup` first.")
    write_static_site(arguments.target, settings, region=environ.get("GOOGLE_CLOUD_REGION", ""))
    sys.stdout.write(
        f"{arguments.target}\nupload web/; vercel.json and firebase.json belong beside it, nginx.conf to nginx\n"
    )
    return 0
