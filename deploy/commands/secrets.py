"""`python -m deploy secrets`: the functions' account, and their secrets in Secret Manager, from the owner's `.env`.

May be run again: a secret that is there with the same value gets no new version.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from deploy.environment import require
from deploy.function_limits import ALL_SECRETS, SECRETS
from deploy.gcloud import Gcloud

ACCOUNT = "teesmith-functions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", help="Google Cloud's project; default: GOOGLE_CLOUD_PROJECT")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    environ = {**environ, **({"GOOGLE_CLOUD_PROJECT": arguments.project} if arguments.project else {})}
    needed = sorted(name for names in SECRETS.values() for name in names)
    project, *_values = require(environ, "GOOGLE_CLOUD_PROJECT", *needed)
    gcloud = Gcloud(environ)
    place = f"--project={project}"
    account = f"{ACCOUNT}@{project}.iam.gserviceaccount.com"
    if gcloud.find("iam", "service-accounts", "describe", account, place) is None:
        gcloud.run("iam", "service-accounts", "create", ACCOUNT, place, "--display-name=Teesmith functions")
        _say(f"account {account}: made")
    for name in sorted(ALL_SECRETS):
        if value := environ.get(name):
            _say(f"secret {name}: {_store(gcloud, name, value, place)}")
            gcloud.run(
                *("secrets", "add-iam-policy-binding", name, place, f"--member=serviceAccount:{account}"),
                *("--role=roles/secretmanager.secretAccessor", "--condition=None"),
            )
    return 0


def _store(gcloud: Gcloud, name: str, value: str, place: str) -> str:
    """Return what was done."""
    if gcloud.find("secrets", "describe", name, place) is None:
        gcloud.run(
            "secrets", "create", name, place, "--replication-policy=automatic", "--data-file=-", sent=value
        )
        return "made"
    if gcloud.find("secrets", "versions", "access", "latest", f"--secret={name}", place) == value:
        return "nothing to change"
    gcloud.run("secrets", "versions", "add", name, place, "--data-file=-", sent=value)
    return "has a new version; deploy the functions again, they read it when they start"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
