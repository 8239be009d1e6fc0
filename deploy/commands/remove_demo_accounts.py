"""`python -m deploy remove-demo-accounts`: deletes the seed's people, who have public passwords, and their designs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from deploy import services
from deploy.accounts import account_exists
from deploy.demo_people import DEMO_PEOPLE, read_demo_people


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=Path, default=DEMO_PEOPLE, help="the seed that made them")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    project = services.supabase(environ)
    removed = 0
    for person in read_demo_people(arguments.seed):
        if account_exists(project, person.id):
            project.call("DELETE", f"/auth/v1/admin/users/{person.id}")
            sys.stdout.write(f"demo accounts: removed {person.email}\n")
            removed += 1
    if not removed:
        sys.stdout.write("demo accounts: none, nothing to change\n")
    return 0
