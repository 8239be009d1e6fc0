"""The shop on all its machines, and what a client needs to know of it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import boto3
import httpx
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from tests.many import services
from tests.many.database import Pair
from tests.many.network import WORLD, Machine, Network
from tests.support.functions.container import Container
from tests.support.functions.environ import function_environ
from tests.support.stacks import ROOT, Stack, bytes_settings, clean_environ

EMULATORS_PORT = 54330
_KEYS = {"API_URL", "ANON_KEY", "SERVICE_ROLE_KEY", "PUBLISHABLE_KEY", "SECRET_KEY", "JWT_SECRET"}
# What one person of the test does is more than a shopper would.
_LIMITS = {
    f"{name}_PER_{span}": "1000000" for name in ("ORDERS", "GENERATIONS", "PRINT_PRODUCTS") for span in ("HOUR", "DAY")
} | {f"SHOP_{name}_PER_DAY": "1000000" for name in ("ORDERS", "GENERATIONS", "PRINT_PRODUCTS")}  # fmt: skip


class Many:
    """All of it. `smallest` leaves out what the short test does not look at: the pooler and the second container."""

    def __init__(self, folder: Path, *, smallest: bool = False) -> None:
        self.folder = folder
        folder.chmod(0o755)
        self.network = Network(folder)
        machine = self.network.machine
        self.database = Pair(machine("db1", 11), machine("db2", 12))
        self.gateways = [machine("gateway1", 31), machine("gateway2", 32)]
        self.functions = [machine("functions1", 51)] + ([] if smallest else [machine("functions2", 52)])
        self.s3, self.mails, self.edge = machine("s3", 61), machine("mails", 71), machine("edge", 41)
        self.pooler = None if smallest else machine("pooler", 21)
        self._world: list[subprocess.Popen[bytes]] = []
        self._container = Container(folder / "container")
        self._projects = [self._write_project(each) for each in self.gateways]
        self.stack: Stack

    @property
    def api_url(self) -> str:
        return f"http://{self.edge.address}:{services.HTTP_PORT}"

    @property
    def pooler_url(self) -> str:
        assert self.pooler is not None
        return self.database.url.replace("@" + self.database.url.split("@")[1].split("/")[0],
                                         f"@{self.pooler.address}:{services.POOL_PORT}")  # fmt: skip

    def start(self, disk_megabytes: Mapping[str, int] | None = None) -> None:
        """Starts everything. `disk_megabytes` gives machines a disk of that size, which can be filled."""
        for name, megabytes in (disk_megabytes or {}).items():
            self._mount(self.network.machines[name], megabytes)
        for machine in (self.s3, self.mails):
            (machine.folder / "disk").mkdir(exist_ok=True)
        services.start_s3(self.s3)
        services.start_mails(self.mails)
        self.database.begin()
        self.database.run_roles(self._localbase("db", "roles", "--print"))
        self.make_bucket()
        services.start_edge(self.edge, self.gateways, self.functions)
        for machine in self.gateways:
            self.start_gateway(machine)
        self.stack = self._read_stack()
        self._start_world()
        for machine in self.functions:
            self.start_functions(machine)
        if self.pooler is not None:
            services.start_pooler(self.pooler)
        self.database.join()
        self.wait_until_ready()

    def start_gateway(self, machine: Machine) -> None:
        project = self._projects[self.gateways.index(machine)]
        services.start_gateway(machine, project, self._environ())

    def start_functions(self, machine: Machine) -> None:
        services.start_functions(machine, self._container, self.function_environ())

    def starters(self) -> dict[str, Callable[[], None]]:
        """How each machine that has been killed comes back, as its owner's process manager does it."""
        ways: dict[str, Callable[[], None]] = {
            **{each.name: lambda each=each: self.start_gateway(each) for each in self.gateways},  # type: ignore[misc]
            **{each.name: lambda each=each: self.start_functions(each) for each in self.functions},  # type: ignore[misc]
            "s3": lambda: services.start_s3(self.s3),
            "mails": lambda: services.start_mails(self.mails),
            "edge": lambda: services.start_edge(self.edge, self.gateways, self.functions),
        }
        if (pooler := self.pooler) is not None:
            ways["pooler"] = lambda: services.start_pooler(pooler)
        return ways

    def function_environ(self) -> dict[str, str]:
        return {
            **function_environ(self.stack),
            **_LIMITS,
            "SUPABASE_ANON_KEY": self.stack.anon_key,
            "SUPABASE_SECRET_KEY": self.stack.secret_key,
            "SITE_URL": self.stack.site_url,
            "SMTP_HOST": self.mails.address,
            "SMTP_PORT": str(services.MAIL_PORT),
            "SWEEP_LEASE_SECONDS": "12",
            "THREADS": "16",
        }

    def wait_until_ready(self, seconds: float = 120) -> None:
        for url in (f"{self.api_url}/functions/v1/readyz", f"{self.api_url}/auth/v1/health"):
            wait_for(lambda url=url: _answers(url, self.stack.publishable_key), seconds, url)  # type: ignore[misc]

        # a file goes through every machine but the mails'
        wait_for(self._keeps_files, seconds, "Storage")

    def _keeps_files(self) -> bool:
        key = self.stack.service_role_key
        headers = {"apikey": key, "authorization": f"Bearer {key}", "x-upsert": "true"}
        path = "/storage/v1/object/print-files/ready.png"
        try:
            response = httpx.post(
                f"{self.api_url}{path}", content=b"ready", headers={**headers, "content-type": "image/png"}
            )
        except httpx.HTTPError:
            return False
        return response.status_code == 200

    def make_bucket(self) -> None:
        client = boto3.client(
            "s3",
            endpoint_url=self.s3_url,
            aws_access_key_id=services.S3_KEY,
            aws_secret_access_key=services.S3_SECRET,
            region_name="local",
            config=Config(connect_timeout=2, read_timeout=10, retries={"max_attempts": 0}),
        )

        def try_it() -> bool:
            try:
                with suppress(
                    client.exceptions.BucketAlreadyExists, client.exceptions.BucketAlreadyOwnedByYou
                ):
                    client.create_bucket(Bucket=services.BUCKET)
                client.put_object(Bucket=services.BUCKET, Key="ready", Body=b"")
            except (BotoCoreError, ClientError):
                return False
            return True

        wait_for(try_it, 60, "S3")

    @property
    def s3_url(self) -> str:
        return f"http://{self.s3.address}:{services.S3_PORT}"

    def close(self) -> None:
        for process in self._world:
            process.kill()
            process.wait()
        self.network.close()
        for disk in self.folder.glob("*/disk"):
            if disk.is_mount():
                subprocess.run(["umount", "--lazy", str(disk)], check=True)

    def _mount(self, machine: Machine, megabytes: int) -> None:
        disk = machine.folder / "disk"
        disk.mkdir(exist_ok=True)
        owner = disk.stat()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(disk)], check=True)
        os.chown(disk, owner.st_uid, owner.st_gid)

    def _write_project(self, machine: Machine) -> Path:
        """A gateway's copy of the project: its settings, its migrations, its state."""
        root = machine.folder / "project"
        (root / "supabase").mkdir(parents=True)
        config = (ROOT / "supabase-config.toml").read_text(encoding="utf-8")
        for setting, added in {
            "[db]\n": '[db]\nexternal_url = "env(MANY_DATABASE)"\n',
            "[api]\n": f'[api]\ntrusted_proxies = ["127.0.0.1", "{self.edge_address}"]\n',
        }.items():
            assert config.count(setting) == 1
            config = config.replace(setting, added)
        (root / "supabase" / "config.toml").write_text(config, encoding="utf-8")
        for name in ("migrations", "templates"):
            (root / "supabase" / name).symlink_to((ROOT / "supabase" / name).resolve())
        (root / "sql").symlink_to(ROOT / "sql")
        return root

    @property
    def edge_address(self) -> str:
        return self.edge.address

    def _environ(self) -> dict[str, str]:
        return clean_environ(
            {
                "MANY_DATABASE": self.database.url,
                "PATH": os.environ["PATH"],
                "SUPABASE_PROJECT_ID": "teesmith-many",
                "SUPABASE_EDGE_RUNTIME_ENABLED": "false",
                "SUPABASE_STUDIO_ENABLED": "false",
                "SUPABASE_AUTH_EMAIL_SMTP_ENABLED": "true",
                "SUPABASE_AUTH_EMAIL_SMTP_HOST": self.mails.address,
                "SUPABASE_AUTH_EMAIL_SMTP_PORT": str(services.MAIL_PORT),
                "SUPABASE_REALTIME_MAX_CONCURRENT_USERS": "2000",
                "GOOGLE_CLIENT_ID": "emulator.apps.googleusercontent.com",
                "GOOGLE_CLIENT_SECRET": "GOCSPX-emulator",
                "GOOGLE_ISSUER": f"http://{WORLD}:{EMULATORS_PORT}/google",
                **bytes_settings(self.s3_url),
                "SUPABASE_STORAGE_BYTES_BUCKET": services.BUCKET,
                "SUPABASE_STORAGE_BYTES_ACCESS_KEY_ID": services.S3_KEY,
                "SUPABASE_STORAGE_BYTES_SECRET_ACCESS_KEY": services.S3_SECRET,
            }
        )

    def _localbase(self, *words: str) -> str:
        command = [sys.executable, "-m", "localbase", *words, "--workdir", str(self._projects[0])]
        return self.gateways[0].run(command, self._environ())

    def _read_stack(self) -> Stack:
        values = json.loads(self._localbase("status", "-o", "json"))
        assert set(values) >= _KEYS, values
        return Stack(
            api_url=self.api_url,
            db_url=self.database.url,
            anon_key=values["ANON_KEY"],
            service_role_key=values["SERVICE_ROLE_KEY"],
            publishable_key=values["PUBLISHABLE_KEY"],
            secret_key=values["SECRET_KEY"],
            jwt_secret=values["JWT_SECRET"],
            mailbox_url="",
            site_url=f"http://{WORLD}:3000",
            emulators_url=f"http://{WORLD}:{EMULATORS_PORT}",
            root=self._projects[0],
            environ={},
        )

    def _start_world(self) -> None:
        """The vendors, and the scheduler that calls the sweep: none of them fails here."""
        listening = socket.create_server(("0.0.0.0", EMULATORS_PORT), backlog=512)
        environ = {
            "PATH": os.environ["PATH"],
            "SUPABASE_URL": self.api_url,
            "SUPABASE_SECRET_KEY": self.stack.secret_key,
            "SWEEP_SECONDS": "2",
            "EMULATORS_URL": self.stack.emulators_url,
            "EMULATORS_HOSTS": WORLD,
            "EMULATORS_SPEED": "200",
            "EMULATORS_FD": str(listening.fileno()),
            "LOCALBASE_DATA": str(self.folder / "world"),
        }
        (self.folder / "world").mkdir()
        with (self.folder / "world" / "emulators.log").open("ab") as log:
            self._world.append(
                subprocess.Popen(
                    [sys.executable, "-m", "emulators", "serve", "--sweep"],
                    cwd=ROOT,
                    env=environ,
                    pass_fds=[listening.fileno()],
                    stdout=log,
                    stderr=log,
                )
            )
        listening.close()
        wait_for(lambda: _answers(f"{self.stack.emulators_url}/health", ""), 60, "the emulators")


def wait_for(is_so: Callable[[], bool], seconds: float, what: str) -> float:
    """Returns the seconds that it took."""
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() < began + seconds, f"{what}: not after {seconds:.0f} s"
        time.sleep(0.1)
    return time.monotonic() - began


def _answers(url: str, key: str) -> bool:
    try:
        return httpx.get(url, headers={"apikey": key}, timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
