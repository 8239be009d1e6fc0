"""`supabase functions deploy`: Python functions to Google Cloud, each from a folder that holds all it needs.

The official CLI deploys Deno functions to the hosted platform, which runs no Python: here `gcloud` does it, as Cloud
Run functions. Variables and secrets are set there, never sent from a laptop.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.functions.catalog import Catalog, FunctionSource

_RUNTIME = "python312"
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".env*")


def deploy(
    project: Project, slugs: list[str], region: str, *, cloud_project: str, open_to_all: bool, dry_run: bool
) -> int:
    """Deploys the functions named, or all that are enabled, one after the other; the first failure ends it.

    `open_to_all` lets callers in without Google's own token, as `verify_jwt = false` does for one function: such a
    function judges its callers itself. `dry_run` prints the commands. Returns gcloud's exit code.
    """
    catalog = Catalog(project)
    sources = _chosen(catalog, slugs)
    if not dry_run and shutil.which("gcloud") is None:
        raise UserError(
            "gcloud is not installed: it deploys functions to Google Cloud.",
            "Install the Google Cloud CLI and run `gcloud auth login`; `--dry-run` shows what would be run.",
        )
    for source in sources:
        folder = _bundle(project, catalog, source)
        is_open = open_to_all or not catalog.settings(source.slug).verify_jwt
        command = _command(source, folder, region, cloud_project, is_open=is_open)
        if dry_run:
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
    found = {slug: catalog.find(slug) for slug in slugs}
    if missing := [slug for slug, source in found.items() if source is None]:
        raise UserError(
            f"There is no function {', '.join(repr(slug) for slug in missing)}.",
            "`supabase functions list` shows those that exist.",
        )
    return [source for source in found.values() if source is not None]


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
