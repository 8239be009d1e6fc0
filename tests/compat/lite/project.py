"""The shop on `@supabase/lite` with Postgres: its migrations and catalog there, its functions from their container.

lite is TypeScript, and no code of localbase runs here: what works does so by Supabase's protocols alone.
"""

from __future__ import annotations

import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from bench.tools import npm_tool
from tests.support.functions.container import Container
from tests.support.functions.environ import function_environ
from tests.support.plain_postgres import plain_postgres
from tests.support.processes import free_port, wait_until_open
from tests.support.stacks import ROOT, Stack, clean_environ, run

PACKAGES = ("@supabase/lite@0.10.0", "postgres@3.4.9")
_CONFIG = """
[api]
port = {port}

[db]
driver = "postgres"
url = "{url}"

[auth]
enabled = true
jwt_secret = "{secret}"
enable_signup = true
publishable_key = "env(SUPABASE_PUBLISHABLE_KEY)"
secret_key = "env(SUPABASE_SECRET_KEY)"

[auth.email]
enable_confirmations = false

[storage]
enabled = true
"""


@contextmanager
def lite_project(folder: Path) -> Iterator[Stack]:
    """A running project on Postgres 17, with the vendors' emulators beside it."""
    home = npm_tool("lite", *PACKAGES)
    assert home is not None, "npm cannot install @supabase/lite"
    program = home / "node_modules" / ".bin" / "lite"
    port, emulators = free_port(), free_port()
    keys = {
        "SUPABASE_PUBLISHABLE_KEY": f"sb_publishable_{secrets.token_urlsafe(16)}",
        "SUPABASE_SECRET_KEY": f"sb_secret_{secrets.token_urlsafe(16)}",
    }
    environ = clean_environ({**keys, "EXPERIMENTAL_STORAGE": "1", "LITE_TELEMETRY": "0", "DO_NOT_TRACK": "1"})
    with plain_postgres(17, Path(__file__).with_name("before.sql")) as cluster:
        _write_project(folder, port, cluster.url())
        subprocess.run(
            [program, "migration", "up"],
            cwd=folder,
            env=environ,
            check=True,
            capture_output=True,
            timeout=120,
        )
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            for seed in sorted((ROOT / "sql" / "seed").glob("*.sql")):
                connection.execute(seed.read_bytes())
            connection.execute(Path(__file__).with_name("after.sql").read_bytes())
        with (
            _running([str(program), "start"], folder, environ, port),
            _running(
                [sys.executable, "-m", "emulators", "serve"],
                ROOT,
                clean_environ({"EMULATORS_PORT": str(emulators), "LOCALBASE_DATA": str(folder)}),
                emulators,
            ),
        ):
            url = f"http://127.0.0.1:{port}"
            owner = {"SUPABASE_URL": url, "SUPABASE_SECRET_KEY": keys["SUPABASE_SECRET_KEY"]}
            run([sys.executable, "-m", "deploy", "buckets"], clean_environ(owner))
            yield Stack(
                api_url=url,
                db_url=cluster.url(),
                anon_key=keys["SUPABASE_PUBLISHABLE_KEY"],
                service_role_key=keys["SUPABASE_SECRET_KEY"],
                publishable_key=keys["SUPABASE_PUBLISHABLE_KEY"],
                secret_key=keys["SUPABASE_SECRET_KEY"],
                jwt_secret="",
                mailbox_url="",
                site_url="",
                emulators_url=f"http://127.0.0.1:{emulators}",
                root=folder,
                environ=environ,
            )


@contextmanager
def shop_functions(stack: Stack, folder: Path) -> Iterator[str]:
    """The address of the functions' container, which finds its database, accounts and objects at `stack`."""
    with Container(folder).running(function_environ(stack)) as container:
        yield container.url


def _write_project(folder: Path, port: int, url: str) -> None:
    supabase = folder / "supabase"
    supabase.mkdir()
    (supabase / "config.toml").write_text(
        _CONFIG.format(port=port, url=url, secret=secrets.token_urlsafe(32)), encoding="utf-8"
    )
    shutil.copytree(ROOT / "sql" / "migrations", supabase / "migrations")


@contextmanager
def _running(command: list[str], folder: Path, environ: dict[str, str], port: int) -> Iterator[None]:
    process = subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        wait_until_open(process, port)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=20)
