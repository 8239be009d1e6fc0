"""Real stacks for tests: the shop as `make start` starts it, and any other project, each with ports of its own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from localbase.core.project import STATE, open_project
from localbase.core.settings import LOCAL_S3_KEYS

from tests.support.command_host import prepared_command
from tests.support.ports import WORKER, ports_of
from tests.support.project_files import ProjectFiles
from tests.support.temporary_root import temporary_root

ROOT = Path(__file__).resolve().parents[2]
# The installed command. Where its start is not the subject, tests take the one that is prepared.
SUPABASE = ROOT / ".venv" / "bin" / "supabase"


# All users of the tests have one address. Tests of the limits set their own.
_NO_RATE_LIMITS = {
    f"SUPABASE_AUTH_RATE_LIMIT_{name}": "1000000"
    for name in (
        "SIGN_IN_SIGN_UPS",
        "TOKEN_REFRESH",
        "TOKEN_VERIFICATIONS",
        "ANONYMOUS_USERS",
        "EMAIL_SENT",
        "SMS_SENT",
    )
}

# Beside a stack that the developer runs, with data of its own.
SHOP_ENVIRON = {
    "SUPABASE_PROJECT_ID": f"teesmith-test-{WORKER}",
    # a user of the tests orders more than a shopper would
    "ORDERS_PER_HOUR": "1000",
    "ORDERS_PER_DAY": "2000",
    **ports_of("shop"),
}
# A shop of another project, with data of its own and a print shop at five hundred times its pace: a backup of the first
# is restored into it. Its sweep runs when a test calls it.
SPARE_ENVIRON = {
    "SUPABASE_PROJECT_ID": f"teesmith-spare-{WORKER}",
    "EMULATORS_SPEED": "500",
    "SWEEP_SECONDS": "3600",
    **ports_of("spare"),
}


# What the tests of a project want beyond its config.toml. That file is as the official command line takes it, which
# warns of settings that are localbase's own.
_PROJECT_ENVIRON: Mapping[str, Mapping[str, str]] = {
    "services": {
        "TEST_GREETING": "Good day",
        "SUPABASE_EDGE_RUNTIME_MEMORY_LIMIT": "300MiB",
        "SUPABASE_EDGE_RUNTIME_CPU_LIMIT": "1s",
        "SUPABASE_EDGE_RUNTIME_WALL_CLOCK_LIMIT": "8s",
        "SUPABASE_EDGE_RUNTIME_CONCURRENCY": "8",
    },
    # Tests send more than people do. Those of the limits set their own.
    "realtime": {
        "SUPABASE_REALTIME_MAX_EVENTS_PER_SECOND": "10000",
        "SUPABASE_REALTIME_MAX_JOINS_PER_SECOND": "10000",
        "SUPABASE_REALTIME_MAX_CLIENT_PRESENCE_EVENTS_PER_WINDOW": "1000",
    },
}


@dataclass(frozen=True, slots=True)
class Stack:
    """A running stack's addresses and keys."""

    api_url: str
    db_url: str
    anon_key: str
    service_role_key: str
    publishable_key: str
    secret_key: str
    jwt_secret: str
    mailbox_url: str
    site_url: str
    emulators_url: str
    root: Path
    environ: Mapping[str, str]

    @property
    def admin_db_url(self) -> str:
        """The database as the platform's own role: for what belongs to the services."""
        return self.db_url.replace("//postgres:", "//supabase_admin:")

    @property
    def studio_url(self) -> str:
        """Studio, where it is switched on."""
        return f"http://127.0.0.1:{self.environ['SUPABASE_STUDIO_PORT']}"

    @property
    def state(self) -> Path:
        """The folder of the stack's data and logs."""
        return open_project(self.root, self.environ).state


def clean_environ(extra: Mapping[str, str]) -> dict[str, str]:
    """This process's environment without what would point a stack elsewhere."""
    prefixes = ("SUPABASE_", "STRIPE_", "PRINTIFY_", "REPLICATE_", "SMTP_", "EMULATORS_", "PG_BIN")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    # `make test` is a make of its own; the one that a test calls must not take its flags for this one's.
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        environ.pop(name, None)
    # The developer's pages are a process more in each stack; their tests switch them on.
    return {**environ, "SUPABASE_STUDIO_ENABLED": "false", **_NO_RATE_LIMITS, **extra}


def run(command: list[str], environ: Mapping[str, str], cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs a command; its output is shown when it fails."""
    done = subprocess.run(command, cwd=cwd, env=dict(environ), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise AssertionError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def supabase(*arguments: str | Path) -> list[str]:
    """The command with these arguments, prepared: it imports nothing (`command_host`)."""
    return [*prepared_command(str(SUPABASE), "localbase"), *map(str, arguments)]


def start_shop() -> Stack:
    """Starts the whole shop with fresh data, as a newcomer does, but with the prepared command."""
    environ = _shop_environ(SHOP_ENVIRON)
    run(_make("reset"), environ)
    return read_stack(ROOT, environ)


def stop_shop() -> None:
    """Stops it."""
    run(_make("stop"), _shop_environ(SHOP_ENVIRON))


def _shop_environ(own: Mapping[str, str]) -> dict[str, str]:
    """The environment of a shop of this checkout, whose state lies with all that the tests make."""
    states = temporary_root() / "states"
    states.mkdir(mode=0o755, exist_ok=True)
    return clean_environ({STATE: str(states), **own})


def _make(target: str) -> list[str]:
    command = shlex.join([sys.executable, "-m", "emulators", "run", "--", *supabase()])
    return ["make", target, f"SUPABASE={command}"]


def run_spare_shop(verb: str, extra: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """`supabase VERB` for the spare shop, with its emulators; its environment. Nothing is built, and nothing drawn."""
    environ = _shop_environ({**SPARE_ENVIRON, **(extra or {})})
    command = [sys.executable, "-m", "emulators", "run", "--", *supabase(*verb.split())]
    run(command, environ)
    return environ


def start_project(root: Path, extra: Mapping[str, str] | None = None) -> Stack:
    """Another project's `supabase/` folder, with fresh data."""
    environ = clean_environ(extra or {})
    run(supabase("db", "reset", "--workdir", root), environ)
    return read_stack(root, environ)


def stop_project(root: Path, extra: Mapping[str, str] | None = None) -> None:
    """Stops it and deletes its data."""
    run(supabase("stop", "--workdir", root), clean_environ(extra or {}))
    shutil.rmtree(root / "supabase" / ".localbase", ignore_errors=True)


@contextmanager
def running_project(
    name: str, extra: Mapping[str, str] | None = None, stack: str | None = None
) -> Iterator[Stack]:
    """A project below `tests/projects/`, with fresh data: a copy of this worker's own, which a test may edit.

    `stack` is its name among `ports.STACKS`, where a second one of the project may run beside it.
    """
    source = ROOT / "tests" / "projects" / name
    environ = {**project_environ(name, stack or name), **(extra or {})}
    with _running(f"{stack or name}/{name}", partial(shutil.copytree, source), environ) as running:
        yield running


def project_environ(name: str, stack: str) -> dict[str, str]:
    """The environment of a project below `tests/projects/` that runs as `stack`."""
    ports = ports_of(stack)
    # Browsers take no keys for an IP address.
    site = ports["SUPABASE_AUTH_SITE_URL"].replace("127.0.0.1", "localhost")
    origins = {"SUPABASE_AUTH_WEBAUTHN_RP_ORIGINS": site}
    return {**ports, **(origins if name == "auth" else {}), **_PROJECT_ENVIRON.get(name, {})}


@contextmanager
def running_example(name: str) -> Iterator[Stack]:
    """A project below `examples/`, likewise."""
    source = ROOT / "examples" / name
    with _running(f"{name}/{name}", partial(shutil.copytree, source), ports_of(name)) as running:
        yield running


@contextmanager
def running_written(
    stack: str, files: ProjectFiles, extra: Mapping[str, str] | None = None
) -> Iterator[Stack]:
    """A project that the test writes, likewise. It is called as its stack, one of `ports.STACKS`."""
    named = replace(files, config=f'project_id = "{stack}"\n{files.config}')
    with _running(f"{stack}/{stack}", named.write, {**ports_of(stack), **(extra or {})}) as running:
        yield running


@contextmanager
def _running(folder: str, write: Callable[[Path], object], environ: Mapping[str, str]) -> Iterator[Stack]:
    root = temporary_root() / "projects" / str(WORKER) / folder
    if root.exists():
        # left behind by a run that was killed
        stop_project(root, environ)
        shutil.rmtree(root)
    write(root)
    try:
        yield start_project(root, environ)
    finally:
        stop_project(root, environ)
        shutil.rmtree(root)


def bytes_settings(endpoint: str) -> dict[str, str]:
    """The settings, as environment, that put a project's bytes there."""
    return {
        f"SUPABASE_STORAGE_BYTES_{name}": value
        for name, value in {
            "BACKEND": "s3",
            "ENDPOINT": endpoint,
            "BUCKET": "bytes",
            "REGION": "local",
            "ACCESS_KEY_ID": LOCAL_S3_KEYS[0],
            "SECRET_ACCESS_KEY": LOCAL_S3_KEYS[1],
            "PREFIX": "storage",
        }.items()
    }


def read_stack(root: Path, environ: Mapping[str, str]) -> Stack:
    """The addresses and keys of a running stack, from its own command."""
    shown = run(supabase("status", "-o", "json", "--workdir", root), environ)
    values = json.loads(shown.stdout)
    return Stack(
        api_url=values["API_URL"],
        db_url=values["DB_URL"],
        anon_key=values["ANON_KEY"],
        service_role_key=values["SERVICE_ROLE_KEY"],
        publishable_key=values["PUBLISHABLE_KEY"],
        secret_key=values["SECRET_KEY"],
        jwt_secret=values["JWT_SECRET"],
        mailbox_url=values["MAILPIT_URL"],
        site_url=values["SITE_URL"],
        emulators_url=f"http://127.0.0.1:{environ.get('EMULATORS_PORT', '54330')}",
        root=root,
        environ=environ,
    )
