"""`python -m deploy functions WHAT…`: functions to Google Cloud, each alone or all in the container.

WHAT is a function's name, `all` (each as a Cloud Run function of its own) or `container` (one Cloud Run service).
Secrets go by their names in Secret Manager, the other settings in a file, so that no command line shows a value.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.commands.secrets import ACCOUNT
from deploy.environment import ROOT, require
from deploy.errors import CommandError
from deploy.function_limits import (
    ALL_SECRETS,
    CONTAINER,
    FUNCTIONS,
    METRICS_SECRET,
    OPTIONAL_SECRETS,
    SECRETS,
    Group,
    Limits,
)
from deploy.gcloud import Gcloud
from functions.bundle import BUILD, bundle, bundle_container

RUNTIME = "python312"
_LARGEST_FLEET = 10
_SETTINGS = ROOT / "functions" / "_shared" / "core" / "settings.py"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = ("all", "container", *FUNCTIONS)
    parser.add_argument("what", nargs="+", choices=names, metavar="WHAT", help=", ".join(names))
    parser.add_argument("--region", help="for example europe-west1; default: GOOGLE_CLOUD_REGION")
    parser.add_argument("--project", help="Google Cloud's project; default: GOOGLE_CLOUD_PROJECT")
    parser.add_argument(
        "--service-account", help="default: teesmith-functions@PROJECT.iam.gserviceaccount.com"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="write what the commands upload, and print them"
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    environ = {
        **environ,
        **({"GOOGLE_CLOUD_REGION": arguments.region} if arguments.region else {}),
        **({"GOOGLE_CLOUD_PROJECT": arguments.project} if arguments.project else {}),
    }
    # what any deployment needs, all missing names in one error
    region, project, *_rest = require(
        environ, "GOOGLE_CLOUD_REGION", "GOOGLE_CLOUD_PROJECT", "SUPABASE_URL", "SITE_URL"
    )
    account = arguments.service_account or f"{ACCOUNT}@{project}.iam.gserviceaccount.com"
    target = Target(region, project, account)
    chosen = list(FUNCTIONS) if "all" in arguments.what else list(dict.fromkeys(arguments.what))
    commands = {name: command_of(name, target, environ) for name in chosen}
    if arguments.dry_run:
        for name, command in commands.items():
            _write_bundle(name, environ)
            sys.stdout.write(f"{shlex.join(command)}\n")
        return 0
    gcloud = Gcloud(environ)
    for name, (_gcloud, *rest) in commands.items():
        _write_bundle(name, environ)
        sys.stderr.write(f"deploying {name} …\n")
        if code := gcloud.show(rest):
            sys.stderr.write(f"{name} was not deployed: gcloud ended with {code}.\n")
            return code
    return 0


@dataclass(frozen=True)
class Target:
    """The functions' target, and the account that they run as."""

    region: str
    project: str
    service_account: str


def largest_fleet(environ: Mapping[str, str]) -> int:
    """How many instances of a service there may be at most: what a month may cost, and how much the shop can take."""
    text = environ.get("FUNCTIONS_MAX_INSTANCES") or str(_LARGEST_FLEET)
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise CommandError(f"FUNCTIONS_MAX_INSTANCES is a number of instances from 1 on, not {text!r}.")
    return int(text)


def command_of(name: str, target: Target, environ: Mapping[str, str]) -> list[str]:
    """gcloud's command for a function, or for the container."""
    groups: Sequence[Group] = tuple(SECRETS) if name == "container" else FUNCTIONS[name].needs
    groups = (*groups, "mail") if name == "container" else groups
    limits = limits_of(name)
    names = secret_names(groups, environ)
    if name == "container" and environ.get(METRICS_SECRET):
        names.append(METRICS_SECRET)
    secrets = [f"{secret}={secret}:latest" for secret in names]
    common = [
        *(f"--project={target.project}", f"--region={target.region}", f"--source={BUILD / name}"),
        *(f"--memory={limits.memory}", f"--cpu={limits.cpu}", f"--concurrency={limits.threads}"),
        *(f"--timeout={limits.timeout}s", f"--max-instances={largest_fleet(environ)}"),
        *(f"--service-account={target.service_account}", f"--env-vars-file={environment_file(name)}"),
        *([f"--set-secrets={','.join(secrets)}"] if secrets else []),
        # Browsers and vendors come without Google's token: each function judges its caller itself.
        "--allow-unauthenticated",
    ]
    if name == "container":
        return ["gcloud", "run", "deploy", "functions", *common, "--cpu-boost"]
    entry_point = name.replace("-", "_")
    kind = ["--gen2", f"--runtime={RUNTIME}", f"--entry-point={entry_point}", "--trigger-http"]
    return ["gcloud", "functions", "deploy", name, *kind, *common]


def limits_of(name: str) -> Limits:
    return CONTAINER if name == "container" else FUNCTIONS[name].limits


def secret_names(groups: Sequence[Group], environ: Mapping[str, str]) -> list[str]:
    """Return what the groups need, and of the optional ones those that this shop has."""
    needed = [name for group in groups for name in SECRETS.get(group, ())]
    optional = [name for group in groups for name in OPTIONAL_SECRETS.get(group, ()) if environ.get(name)]
    return sorted({*needed, *optional})


def environment_file(name: str) -> Path:
    """Beside the bundles, never inside: what lies there is uploaded."""
    return BUILD.parent / "environment" / f"{name}.yaml"


def settings_text(name: str, environ: Mapping[str, str]) -> str:
    """The function's settings that are no secrets, as YAML; the names are those that functions read."""
    setting_names = set(re.findall(r'"([A-Z][A-Z_]{5,})"', _SETTINGS.read_text())) | {
        "FUNCTIONS_CORS_ORIGIN",
        "GOOGLE_CLOUD_PROJECT",
    }
    settings = {key: environ[key] for key in sorted(setting_names - ALL_SECRETS) if environ.get(key)}
    settings.setdefault("FUNCTIONS_CORS_ORIGIN", environ["SITE_URL"].rstrip("/"))
    settings["THREADS"] = str(limits_of(name).threads)
    return "".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items())


def _write_bundle(name: str, environ: Mapping[str, str]) -> None:
    if name == "container":
        bundle_container()
    else:
        bundle(name)
    file = environment_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(settings_text(name, environ))
