"""One Postgres cluster of a project: made, described as a command to run, reached.

Postgres refuses to run as root. Then it runs as `nobody`, with its data where that user can reach it: in the project's
state folder if the path allows it, else below /var/lib/localbase.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import pwd
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from localbase.core.database_address import PROJECT_ROLE, url_of
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.account_files import has_name, made_folder, open_folder, write_file
from localbase.postgres.allowlist import ALLOWLIST_FILE, allowlist
from localbase.postgres.binaries import Binaries, copy_embedded, find_binaries
from localbase.postgres.extensions import trusted_controls

SUPERUSER = "supabase_admin"
PASSWORD = "postgres"  # noqa: S105 - the official CLI's, for a server that listens on loopback only
_ROOT_HOME = Path("/var/lib/localbase")
_RUN_AS = "nobody"
# An abstract socket: no file, so no path that is too long or that another user cannot reach. Its name is that of the
# data, so that whoever connects there reaches this cluster and no other, whatever has its port. The password guards it
# as it guards TCP.
_HAS_ABSTRACT_SOCKETS = sys.platform == "linux"
# Extensions that localbase brings, and the folder in a cluster's data where it lays them.
EXTENSIONS, OWN_FOLDER = Path(__file__).parent / "extension", "localbase"
# The oldest Postgres that looks for extensions in other folders than its own.
_HAS_PATH = 18
VAULT_KEY = "vault.key"
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, slots=True)
class Account:
    """The operating system's user that Postgres runs as, when it is not the caller's own."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """A data folder with the programs that serve it on one port of 127.0.0.1."""

    binaries: Binaries
    data: Path
    port: int
    account: Account | None
    # The folder of the socket of a server apart, which does not listen on TCP.
    folder: str = ""
    # The address of a Postgres that the owner runs: then nothing is made in `data`, and no server is started.
    external: str = field(default="", repr=False)

    @property
    def identity(self) -> str:
        """The name that tells this cluster from all others of the machine."""
        return hashlib.sha256(str(self.data).encode()).hexdigest()[:16]

    @property
    def socket(self) -> str:
        """The folder of the server's local socket, or its abstract name; "" for none."""
        # psycopg looks a host up unless it begins with a slash, or has a colon in second place as a drive's path has.
        return self.folder or (f"@:localbase-{self.identity}" if _HAS_ABSTRACT_SOCKETS else "")

    def url(self, role: str = "") -> str:
        """A libpq address for `role`, as programs of all kinds reach it: by TCP. The roles share a password.

        Without one it is for the platform's role: the superuser, or on a Postgres of the owner's own the project's.
        """
        if self.external:
            return url_of(self.external, role or PROJECT_ROLE)
        role = role or SUPERUSER
        return f"postgresql://{role}:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def near_url(self, role: str = "") -> str:
        """The address for localbase's own processes: the socket, which is this cluster's, and costs less than TCP."""
        if self.external or not self.socket:
            return self.url(role)
        role = role or SUPERUSER
        host = quote(self.socket, safe="")
        return f"postgresql://{role}:{PASSWORD}@/postgres?host={host}&port={self.port}"

    def at(self, data: Path) -> Cluster:
        """One of localbase's own with another data folder."""
        return replace(self, data=data, external="")

    def apart(self, folder: Path) -> Cluster:
        """The same, beside a server that may have its port: reached by a socket in `folder`, which becomes its own."""
        self._own(folder)
        return replace(self, folder=str(folder))

    def command(self, *, level: str = "fatal") -> list[str]:
        """The server in the foreground; it logs what is of `level` or worse.

        Logical decoding is on, for Realtime. The settings are the command's: a cluster of an earlier version has them
        as soon as it starts.
        """
        settings = {
            "port": str(self.port),
            "listen_addresses": "" if self.folder else "127.0.0.1",
            "unix_socket_directories": self.socket,
            # What a connection by TCP can ask (`migrate.connect`).
            "cluster_name": self.identity,
            "wal_level": "logical",
            # Two slots of Realtime, which end with their connections, and a few of a project's own. One that its
            # consumer has left behind is given up before it fills the disk.
            "max_wal_senders": "10",
            "max_replication_slots": "10",
            "max_slot_wal_keep_size": "1GB",
            # Larger transactions are decoded from disk: Postgres's own 64 MB would be for each of them.
            "logical_decoding_work_mem": "8MB",
            "max_connections": "120",
            "shared_buffers": "64MB",
            # A rejected statement concerns its caller only; the log is for what concerns the server.
            "log_min_messages": level,
            "log_line_prefix": "%m [%p] ",
            "timezone": "UTC",
            # The command puts its lines in order with those of the other processes.
            "log_timezone": "UTC",
        }
        # As hosted projects have it; `supabase inspect db` of the official command line reads the first. A system's
        # Postgres may bring the real ones of the others.
        preloaded = ("pg_stat_statements", "pg_cron", "pg_net")
        libraries = [name for name in preloaded if self.binaries.has_extension(name)]
        if libraries:
            settings["shared_preload_libraries"] = ",".join(libraries)
        if "pg_cron" in libraries:
            settings["cron.use_background_workers"] = "on"
        if self.binaries.major >= _HAS_PATH:
            settings["extension_control_path"] = f"{self.data / OWN_FOLDER}:$system"
            # As Postgres 17 reads. Three processes that read ahead would be a twentieth of a small stack's memory.
            settings["io_method"] = "sync"
            # What each connection may have under way; so few are enough for reads that are waited for.
            settings["io_max_concurrency"] = "8"
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [self.binaries.path("postgres"), "-D", str(self.data), *options]

    def make_parent(self) -> None:
        """Makes the folder that the data folder lies in, where the account can reach it. Raises `UserError`."""
        with _rights_checked():
            self.data.parent.mkdir(parents=True, exist_ok=True)
            self.data.parent.chmod(0o755)

    def initialise(self) -> None:
        """Makes the data folder with `initdb`. It must not be there, or be empty."""
        self.make_parent()
        self._make_folder()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            secret = Path(folder) / "password"
            secret.write_text(PASSWORD)
            self._own(secret)
            command = [
                *(self.binaries.path("initdb"), "-D", str(self.data), "-U", SUPERUSER),
                *("-A", "scram-sha-256", "--pwfile", str(secret)),
                *("-E", "UTF8", "--locale=C.UTF-8", "--no-sync"),
            ]
            done = self.run(command)
        if done.returncode:
            shutil.rmtree(self.data, ignore_errors=True)
            raise UserError(
                f"initdb failed:\n{done.stderr.strip() or done.stdout.strip()}",
                f"Check the free space on the disk, and the rights on {self.data.parent}.",
            )
        self.install_extensions()

    def install_extensions(self) -> None:
        """Lays the extensions that localbase brings beside the data, those of this version also for older data."""
        owner = (self.account.uid, self.account.gid) if self.account else None
        with (
            _rights_checked(),
            # A person may have left a link to another disk. The folder that this lies in is not the account's.
            open_folder(self.data.resolve()) as data,
            made_folder(data, OWN_FOLDER, owner) as own,
            made_folder(own, "extension", owner) as extensions,
        ):
            files = {path.name: path.read_bytes() for path in EXTENSIONS.iterdir()}
            if self.binaries.major >= _HAS_PATH:
                # One that the installation brings comes before ours.
                files |= trusted_controls(self.binaries.extensions)
            for name, content in files.items():
                write_file(extensions, name, content, owner)
            write_file(own, ALLOWLIST_FILE, json.dumps(allowlist()).encode(), owner)
            if not has_name(own, VAULT_KEY):
                # No dump holds it; a copy of the data, as a snapshot, does.
                write_file(own, VAULT_KEY, secrets.token_bytes(32), owner, 0o600)

    def write_own(self, name: str, content: bytes) -> None:
        """A file for the server alone, in the folder of ours beside its data."""
        owner = (self.account.uid, self.account.gid) if self.account else None
        with open_folder(self.data.resolve()) as data, open_folder(OWN_FOLDER, data) as own:
            write_file(own, name, content, owner, 0o600)

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """A Postgres program, run to its end as the cluster's account."""
        account = self.account
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )

    def _make_folder(self) -> None:
        with _rights_checked():
            self.data.mkdir(exist_ok=True)
            self.data.chmod(0o700)
            self._own(self.data)

    def _own(self, path: Path) -> None:
        if self.account is not None:
            os.chown(path, self.account.uid, self.account.gid)


@contextmanager
def _rights_checked() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            # No question of rights: the command says of any file what helps.
            raise
        raise UserError(f"Cannot make the database's folder: {error}", "Check the rights there.") from error


def cluster_of(project: Project) -> Cluster:
    """The cluster of `project`, with programs and data where the account that runs it can reach them."""
    binaries = find_binaries(project.environ)
    port = project.settings.db.port
    external = project.settings.db.external_url
    if os.geteuid() != 0:
        return Cluster(binaries, project.state / "postgres", port, None, external=external)
    entry = pwd.getpwnam(_RUN_AS)
    account = Account(entry.pw_uid, entry.pw_gid)
    if not project.environ.get("PG_BIN") and not _reachable(binaries.folder):
        binaries = copy_embedded(binaries, _ROOT_HOME)
    data = project.state / "postgres"
    if not _reachable(next(folder for folder in project.state.parents if folder.exists())):
        marker = hashlib.sha256(str(project.supabase).encode()).hexdigest()[:8]
        data = _ROOT_HOME / f"{project.settings.project_id}-{marker}"
    return Cluster(binaries, data, port, account, external=external)


def _reachable(path: Path) -> bool:
    """Tell whether any user may walk down to `path`."""
    return all(parent.stat().st_mode & 0o001 for parent in (path, *path.parents))
