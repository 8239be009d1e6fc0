"""`python -m deploy schedule`: lets a scheduler call the sweep every minute.

By Google's Cloud Scheduler (gcloud), or from the project's own database by pg_cron and pg_net, with the key in its
vault. The secret key is never on a command line: gcloud reads it from a file that only the owner may read, the database
from a parameter.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from deploy import services
from deploy.cloud_scheduler import CloudScheduler
from deploy.environment import require
from deploy.pg_cron import PgCron
from deploy.sweep_call import SweepCall


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--by", choices=("cloud-scheduler", "pg_cron"), required=True)
    parser.add_argument(
        "--dry-run", action="store_true", help="print what may be run by hand, with the key by its name"
    )
    parser.add_argument("--region", help="Cloud Scheduler's location (by default GOOGLE_CLOUD_REGION)")
    parser.add_argument("--project", help="Google Cloud's project (by default gcloud's own)")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    key_name = services.service_key_name(environ)
    call = SweepCall(f"{services.functions_url(environ)}/sweep", environ[key_name], key_name)
    if arguments.by == "cloud-scheduler":
        region = arguments.region or require(environ, "GOOGLE_CLOUD_REGION")[0]
        scheduler = CloudScheduler(region, arguments.project, environ)
        line = scheduler.show(call) if arguments.dry_run else scheduler.set(call)
    elif arguments.dry_run:
        line = PgCron.show(call)
    else:
        line = PgCron(require(environ, "SUPABASE_DB_URL")[0]).set(call)
    sys.stdout.write(f"{line}\n")
    return 0
