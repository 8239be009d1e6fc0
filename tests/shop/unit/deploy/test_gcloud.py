"""`make deploy`: what it prints and runs, held to gcloud's documented flags and to the functions."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from _shared.clients import printify, replicate_api
from _shared.core.settings import REQUIRED, read_settings
from _shared.orders import sweep

from deploy.commands.functions import environment_file, settings_text
from deploy.function_limits import ALL_SECRETS, CONTAINER, FUNCTIONS, PICTURE, PRINT, SECRETS, SWEEP
from functions.bundle import slugs
from tests.support.stacks import ROOT, clean_environ

DOCUMENTED = json.loads((Path(__file__).parent / "gcloud_flags.json").read_text())
KEYS = {name: f"secret-{name.lower()}" for name in ALL_SECRETS}
OWNER = {
    "GOOGLE_CLOUD_REGION": "europe-west1",
    "GOOGLE_CLOUD_PROJECT": "my-shop",
    "SUPABASE_URL": "https://project.supabase.co",
    "SITE_URL": "https://shop.example/",
    "SMTP_HOST": "mail.example",
    "MAIL_FROM": 'Teesmith "Ink" <orders@shop.example>',
    **KEYS,
}


def deploy(
    what: list[str], *options: str, environ: dict[str, str], path: str = os.environ["PATH"]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deploy", "functions", *what, *options],
        cwd=ROOT, env={**clean_environ({}), **environ, "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def commands() -> dict[str, list[str]]:
    """Name → command, as a dry run prints them all, with nothing there that an earlier run has written."""
    shutil.rmtree(ROOT / "build" / "functions", ignore_errors=True)
    shutil.rmtree(ROOT / "build" / "environment", ignore_errors=True)
    done = deploy(["all", "container"], "--dry-run", environ=OWNER)
    assert (done.returncode, done.stderr) == (0, "")
    container = deploy(["container"], "--dry-run", environ=OWNER)
    lines = [shlex.split(line) for line in (done.stdout + container.stdout).splitlines()]
    return {"container" if line[1] == "run" else line[3]: line for line in lines}


@pytest.mark.parametrize("largest", ["0", "-1", "ten", "1.5", "٣"])
def test_fleet_of_no_number_is_refused(largest: str) -> None:
    done = deploy(["sweep"], "--dry-run", environ={**OWNER, "FUNCTIONS_MAX_INSTANCES": largest})
    assert (done.returncode, done.stdout) == (1, "")
    assert "FUNCTIONS_MAX_INSTANCES is a number of instances" in done.stderr


def test_fleet_is_as_large_as_its_owner_says(commands: dict[str, list[str]]) -> None:
    assert options_of(commands["container"])["--max-instances"] == "10"
    larger = {**OWNER, "FUNCTIONS_MAX_INSTANCES": "80"}
    done = deploy(["lookup-zip-code"], "--dry-run", environ=larger)
    assert "--max-instances=80" in done.stdout.split()


def options_of(command: list[str]) -> dict[str, str]:
    return {option.partition("=")[0]: option.partition("=")[2] for option in command[4:]}


def test_dry_run_prints_a_command_for_every_function_and_the_container(
    commands: dict[str, list[str]],
) -> None:
    assert set(commands) == {*slugs(), "container"}


@pytest.mark.parametrize("name", [*slugs(), "container"])
def test_command_has_documented_flags_alone_each_once(name: str, commands: dict[str, list[str]]) -> None:
    command = commands[name]
    assert command[0] == "gcloud"
    verb = " ".join(command[1:3])
    flags = {*DOCUMENTED[verb]["flags"], *DOCUMENTED["every command"]["flags"]}
    options = options_of(command)
    assert set(options) <= flags
    assert len(options) == len(command[4:])


@pytest.mark.parametrize("name", [*slugs(), "container"])
def test_command_says_where_as_whom_and_with_what(name: str, commands: dict[str, list[str]]) -> None:
    options = options_of(commands[name])
    assert options["--region"] == "europe-west1"
    assert options["--project"] == "my-shop"
    assert options["--service-account"] == "teesmith-functions@my-shop.iam.gserviceaccount.com"
    assert options["--source"] == str(ROOT / "build" / "functions" / name)
    assert Path(options["--source"], "requirements.txt").is_file()
    assert options["--env-vars-file"] == str(environment_file(name))
    assert "THREADS: " in environment_file(name).read_text()
    assert {"--memory", "--cpu", "--concurrency", "--timeout", "--max-instances"} <= set(options)
    # without Google's own check: the function judges its caller, and a browser's preflight carries no token
    assert "--allow-unauthenticated" in options
    if name != "container":
        assert options["--entry-point"] == name.replace("-", "_")
        assert options["--runtime"] == "python312"


def test_no_command_and_no_settings_file_shows_a_secret(commands: dict[str, list[str]]) -> None:
    for name, command in commands.items():
        shown = shlex.join(command) + settings_text(name, OWNER)
        assert not [value for value in KEYS.values() if value in shown], name
        assert not ALL_SECRETS & set(re.findall(r"(?m)^(\w+):", settings_text(name, OWNER)))


@pytest.mark.parametrize("name", slugs())
def test_function_gets_the_secrets_of_its_groups_by_name(name: str, commands: dict[str, list[str]]) -> None:
    source = (ROOT / "functions" / name / "main.py").read_text()
    declared = re.search(r"needs=\(([^)]*)\)", source)
    groups = {"supabase", *re.findall(r'"(\w+)"', declared[1] if declared else "")}
    assert set(FUNCTIONS[name].needs) == groups
    secrets = options_of(commands[name]).get("--set-secrets", "")
    names = {secret.partition("=")[0] for secret in secrets.split(",") if secret}
    assert secrets == ",".join(f"{secret}={secret}:latest" for secret in sorted(names))
    required = {secret for group in FUNCTIONS[name].needs for secret in SECRETS.get(group, ())}
    assert required <= names <= ALL_SECRETS


def test_every_required_setting_comes_as_a_secret_or_in_the_file() -> None:
    required = {name for names in REQUIRED.values() for name in names}
    plain = {"SUPABASE_URL", "PRINTIFY_SHOP_ID", "SMTP_HOST"}
    assert required == {*(name for names in SECRETS.values() for name in names), *plain}


def test_optional_secrets_are_named_only_where_the_shop_has_them() -> None:
    bare = {name: value for name, value in OWNER.items() if name not in ("SMTP_PASS", "SUPABASE_SECRET_KEY")}
    (command,) = deploy(["sweep"], "--dry-run", environ=bare).stdout.splitlines()
    assert "SMTP_PASS" not in command
    assert "SUPABASE_SECRET_KEY" not in command
    assert "AUTOMATION_WEBHOOK_SECRET=AUTOMATION_WEBHOOK_SECRET:latest" in command


def test_timeouts_are_longer_than_the_functions_patience(commands: dict[str, list[str]]) -> None:
    run = replicate_api._PATIENCE_SECONDS + replicate_api._HOLD_SECONDS + 15
    printer = printify._TIMEOUT.read
    assert printer is not None
    assert PICTURE.patience >= 2 * run + 15
    assert PRINT.patience >= run + 30 + 4 * printer
    assert SWEEP.patience >= sweep._BUDGET_SECONDS + 2 * printer
    assert CONTAINER.patience == max(function.limits.patience for function in FUNCTIONS.values())
    for name, command in commands.items():
        limits = CONTAINER if name == "container" else FUNCTIONS[name].limits
        # 3,600 seconds is the platform's most
        assert limits.patience < int(options_of(command)["--timeout"].removesuffix("s")) <= 3600
        assert options_of(command)["--concurrency"] == str(limits.threads)


def test_settings_file_holds_what_functions_read_as_they_read_it() -> None:
    lines = dict(line.split(": ", 1) for line in settings_text("sweep", OWNER).splitlines())
    settings = {name: json.loads(value) for name, value in lines.items()}
    read = read_settings(settings, ())
    assert read.mail_from == OWNER["MAIL_FROM"]
    assert read.site_url == "https://shop.example"
    assert settings["FUNCTIONS_CORS_ORIGIN"] == "https://shop.example"
    assert settings["THREADS"] == str(SWEEP.threads)
    # the trace of a log line names it
    assert settings["GOOGLE_CLOUD_PROJECT"] == "my-shop"


@pytest.fixture
def gcloud(tmp_path: Path) -> Path:
    """A gcloud that notes how it is called; it fails where the arguments name what is in the file `fails`."""
    program = tmp_path / "gcloud"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n'
        f'if [ -f {tmp_path}/fails ] && [ "$3" = "$(cat {tmp_path}/fails)" ]; then exit 7; fi\n'
    )
    program.chmod(0o755)
    return tmp_path


def test_functions_are_deployed_one_after_the_other_until_one_fails(gcloud: Path) -> None:
    path = f"{gcloud}:{os.environ['PATH']}"
    done = deploy(["lookup-zip-code", "sweep"], environ=OWNER, path=path)
    assert (done.returncode, done.stdout) == (0, "")
    calls = (gcloud / "calls").read_text().splitlines()
    assert [call.split()[2] for call in calls] == ["lookup-zip-code", "sweep"]
    assert (ROOT / "build" / "functions" / "sweep" / "main.py").is_file()
    assert (ROOT / "build" / "functions" / "sweep" / ".gcloudignore").is_file()
    assert environment_file("sweep").read_text() == settings_text("sweep", OWNER)

    (gcloud / "fails").write_text("lookup-zip-code")
    failed = deploy(["lookup-zip-code", "sweep"], environ=OWNER, path=path)
    assert failed.returncode == 7
    assert failed.stderr.endswith("lookup-zip-code was not deployed: gcloud ended with 7.\n")
    assert len((gcloud / "calls").read_text().splitlines()) == 3


def test_missing_settings_and_missing_gcloud_are_named(tmp_path: Path) -> None:
    done = deploy(["sweep"], environ={"SITE_URL": "https://shop.example"})
    assert done.returncode == 1
    assert done.stderr.startswith("error: Set GOOGLE_CLOUD_REGION, GOOGLE_CLOUD_PROJECT, SUPABASE_URL in the")
    done = deploy(["sweep"], environ=OWNER, path=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("error: gcloud is not installed.")


def test_unknown_function_is_refused_with_the_known_ones() -> None:
    done = deploy(["nonsense"], "--dry-run", environ=OWNER)
    assert done.returncode == 2
    assert "lookup-zip-code" in done.stderr


# Without site-packages, which take most of its start.
SECRET_MANAGER = """#!{python} -IS
import json, pathlib, sys
state = pathlib.Path({folder!r}) / "state.json"
kept = json.loads(state.read_text()) if state.exists() else {{"accounts": [], "secrets": {{}}, "calls": []}}
words = [word for word in sys.argv[1:] if not word.startswith("--")]
kept["calls"].append(sys.argv[1:])
if words[:3] == ["iam", "service-accounts", "describe"]:
    failed = words[3] not in kept["accounts"]
elif words[:3] == ["iam", "service-accounts", "create"]:
    kept["accounts"].append(words[3] + "@my-shop.iam.gserviceaccount.com")
    failed = False
elif words[:2] == ["secrets", "describe"]:
    failed = words[2] not in kept["secrets"]
elif words[:2] == ["secrets", "create"]:
    kept["secrets"][words[2]] = [sys.stdin.read()]
    failed = False
elif words[:3] == ["secrets", "versions", "add"]:
    kept["secrets"][words[3]].append(sys.stdin.read())
    failed = False
elif words[:4] == ["secrets", "versions", "access", "latest"]:
    name = next(word.partition("=")[2] for word in sys.argv if word.startswith("--secret="))
    sys.stdout.write(kept["secrets"][name][-1])
    failed = False
else:
    failed = words[:2] != ["secrets", "add-iam-policy-binding"]
state.write_text(json.dumps(kept))
sys.exit("ERROR: NOT_FOUND" if failed else 0)
"""


@pytest.fixture
def secret_manager(tmp_path: Path) -> Path:
    """A gcloud with accounts and secrets in a file; it also notes its command lines there."""
    program = tmp_path / "gcloud"
    program.write_text(SECRET_MANAGER.format(python=sys.executable, folder=str(tmp_path)))
    program.chmod(0o755)
    return tmp_path


def put_secrets(folder: Path, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deploy", "secrets"], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**clean_environ({}), **environ, "PATH": f"{folder}:{os.environ['PATH']}"},
    )  # fmt: skip


def test_secrets_are_stored_once_and_never_on_a_command_line(secret_manager: Path) -> None:
    first = put_secrets(secret_manager, OWNER)
    assert (first.returncode, first.stderr) == (0, "")
    state = json.loads((secret_manager / "state.json").read_text())
    assert state["accounts"] == ["teesmith-functions@my-shop.iam.gserviceaccount.com"]
    assert state["secrets"] == {name: [value] for name, value in KEYS.items()}
    granted = [call[2] for call in state["calls"] if call[1] == "add-iam-policy-binding"]
    assert granted == sorted(ALL_SECRETS)

    changed = put_secrets(secret_manager, {**OWNER, "STRIPE_SECRET_KEY": "secret-rotated"})
    assert changed.returncode == 0
    kept = [line for line in changed.stdout.splitlines() if not line.startswith("secret STRIPE_SECRET_KEY: ")]
    others = sorted({*ALL_SECRETS} - {"STRIPE_SECRET_KEY"})
    assert kept == [f"secret {name}: nothing to change" for name in others]
    state = json.loads((secret_manager / "state.json").read_text())
    assert state["secrets"]["STRIPE_SECRET_KEY"] == [KEYS["STRIPE_SECRET_KEY"], "secret-rotated"]
    assert len(state["secrets"]["SMTP_PASS"]) == 1
    assert not re.search("secret-[a-z]", json.dumps(state["calls"]) + first.stdout + changed.stdout)


def test_secrets_that_are_missing_are_named_before_any_is_stored(secret_manager: Path) -> None:
    lacking = {name: value for name, value in OWNER.items() if name not in ("STRIPE_SECRET_KEY", "SMTP_PASS")}
    done = put_secrets(secret_manager, lacking)
    assert done.returncode == 1
    assert done.stderr.startswith("error: Set STRIPE_SECRET_KEY in the environment")
    assert not (secret_manager / "state.json").exists()
