"""`functions deploy`: Python functions to Google Cloud, each from a folder that holds all it needs.

The official CLI deploys Deno functions to the hosted platform, which runs no Python: here `gcloud` does it, as Cloud
Run functions. Variables and secrets are set there, never sent from a laptop.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
from pathlib import Path

from localbase.cli.accepted import accept
from localbase.cli.call import Call
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.functions.catalog import Catalog, FunctionSource

_RUNTIME = "python312"
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".env*")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which functions, and where to."""
    parser.add_argument("slug", nargs="*", help="which functions; all that are enabled by default")
    parser.add_argument("--region", default="us-central1", help="Google Cloud's region (us-central1)")
    parser.add_argument("--project", default="", help="Google Cloud's project (gcloud's own by default)")
    parser.add_argument("--no-verify-jwt", action="store_true", help="let all callers in")
    parser.add_argument("--dry-run", action="store_true", help="print the commands, run none")
    accept(parser, "--use-api", "--use-docker", "--legacy-bundle", reason="Google Cloud builds the function")
    accept(parser, "--import-map", reason="Python has no import maps", is_switch=False)
    accept(parser, "--prune", reason="functions are deleted by `gcloud functions delete`")
    accept(parser, "--jobs", "-j", reason="functions are deployed one after the other", is_switch=False)


def run(call: Call) -> int:
    """Deploys the functions named, or all that are enabled, one after the other; the first failure ends it.

    `--no-verify-jwt` lets callers in without Google's own token, as `verify_jwt = false` does for one function: such a
    function judges its callers itself. `--dry-run` prints the commands. Returns gcloud's exit code.
    """
    project, options = call.project, call.options
    catalog = Catalog(project)
    sources = _chosen(catalog, options.slug)
    if not options.dry_run and shutil.which("gcloud") is None:
        raise UserError(
            "gcloud is not installed: it deploys functions to Google Cloud.",
            "Install the Google Cloud CLI and run `gcloud auth login`; `--dry-run` shows what would be run.",
        )
    for source in sources:
        folder = _bundle(project, catalog, source)
        is_open = options.no_verify_jwt or not catalog.settings(source.slug).verify_jwt
        command = _command(source, folder, options.region, options.project, is_open=is_open)
        if options.dry_run:
            print(shlex.join(command))
            continue
        say(f"deploying {source.slug} …")
        done = subprocess.run(command, check=False)
        if done.returncode:
            say(f"{source.slug} was not deployed: gcloud ended with {done.returncode}.")
            return done.returncode
    return 0


def _chosen(catalog: Catalog, slugs: list[str]) -> list[FunctionSource]:
    if not slugs:
        return [source for source in catalog.all() if catalog.settings(source.slug).enabled]
    sources = {slug: catalog.find(slug) for slug in slugs}
    if missing := [slug for slug, source in sources.items() if source is None]:
        raise UserError(
            f"There is no function {', '.join(repr(slug) for slug in missing)}.",
            "`supabase functions list` shows those that exist.",
        )
    return [source for source in sources.values() if source is not None]


def _bundle(project: Project, catalog: Catalog, source: FunctionSource) -> Path:
    """The function's folder and the shared ones (`_…`) beside its `main.py`, made anew."""
    target = project.state / "deploy" / source.slug
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source.entrypoint.parent, target, ignore=_LEFT_OUT)
    if source.entrypoint.name != "main.py":
        shutil.copyfile(source.entrypoint, target / "main.py")
    for shared in sorted(catalog.root.glob("_[!_]*")):
        if shared.is_dir():
            shutil.copytree(shared, target / shared.name, ignore=_LEFT_OUT)
    return target


def _command(
    source: FunctionSource, folder: Path, region: str, cloud_project: str, *, is_open: bool
) -> list[str]:
    return [
        *("gcloud", "functions", "deploy", source.slug, "--gen2", f"--runtime={_RUNTIME}"),
        *(f"--region={region}", f"--source={folder}", f"--entry-point={source.target}", "--trigger-http"),
        "--allow-unauthenticated" if is_open else "--no-allow-unauthenticated",
        *([f"--project={cloud_project}"] if cloud_project else []),
    ]
