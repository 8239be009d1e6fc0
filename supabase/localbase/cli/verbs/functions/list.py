"""`functions list`: the functions of the project."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.terminal import say
from localbase.functions.catalog import Catalog
from localbase.functions.deno.program import find_deno, warning_about_missing


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Shows them with their settings."""
    project = call.project
    catalog = Catalog(project)
    data, needing = [], []
    for source in catalog.all():
        settings, path = catalog.settings(source.slug), source.entrypoint
        shown = path.relative_to(project.root) if path.is_relative_to(project.root) else path
        data.append(
            {
                "name": source.slug,
                "enabled": settings.enabled,
                "verify_jwt": settings.verify_jwt,
                "entrypoint": str(shown),
            }
        )
        if source.runtime == "deno":
            needing.append(source.slug)
    lines = [f"{'NAME':<40} {'ENABLED':<8} {'VERIFY JWT':<11} ENTRYPOINT"]
    for row in data:
        enabled, verified = ("yes" if row[name] else "no" for name in ("enabled", "verify_jwt"))
        lines.append(f"{row['name']:<40} {enabled:<8} {verified:<11} {row['entrypoint']}")
    call.output.show(data, "\n".join(lines))
    if needing and find_deno(project.root, project.environ) is None:
        say(f"warning: {warning_about_missing(needing)}")
    return 0
