"""The wheels of functions' locks; `python -m tests.support.functions.wheels` downloads them where they are missing.

The environment of the largest lock is made of them, without the network: pip takes files of the lock's hashes and no
others. Another lock's environment holds links to its packages there: what they are is installed and compiled once.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import distributions
from pathlib import Path

from localbase.cli.terminal import Progress
from packaging.utils import canonicalize_name

from tests.support.stacks import ROOT
from tools.setup import locked

LOCKS = ROOT / "functions" / "requirements"
# holds what any other lock holds
LARGEST = LOCKS / "container.txt"
_ENVIRONMENTS = ROOT / ".localbase" / "environments"
_PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def wheelhouse() -> Path:
    """The folder of this lock's wheels for this Python, which may not be there yet."""
    digest = hashlib.sha256(LARGEST.read_bytes()).hexdigest()[:16]
    return ROOT / ".localbase" / "wheels" / f"{sys.implementation.cache_tag}-{digest}"


def download_wheels() -> Path:
    """Downloads what is missing. Ends the program with advice where that does not work."""
    target = wheelhouse()
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=target.parent))
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    done = subprocess.run(
        [*_PIP, "download", *options, "--dest", str(folder), "--requirement", str(LARGEST)], check=False
    )
    if done.returncode:
        shutil.rmtree(folder)
        sys.exit("error: the functions' packages could not be downloaded.\n  → Check the network connection.")
    if target.is_dir():  # another process was first
        shutil.rmtree(folder)
    else:
        folder.rename(target)
    return target


def environment_of(lock: Path) -> Path:
    """A virtual environment of what `lock` names and of nothing else: its `bin` folder.

    It is made once for each text of a lock, and stays from run to run with what Python has compiled of it. The largest
    lock must hold what `lock` names (tests/shop/unit/functions/test_requirements.py).
    """
    digest = hashlib.sha256(lock.read_bytes() + os.fsencode(_ENVIRONMENTS)).hexdigest()[:16]
    folder = _ENVIRONMENTS / f"{sys.implementation.cache_tag}-{digest}"
    made = folder / "made"
    with locked(_ENVIRONMENTS / f"{folder.name}.lock", sys.stdout):
        if not made.exists():
            shutil.rmtree(folder, ignore_errors=True)
            if lock.read_bytes() == LARGEST.read_bytes():
                install(lock, folder)
            else:
                _link(lock, folder)
            made.touch()
    return folder / "bin"


def install(lock: Path, folder: Path) -> None:
    """Installs what `lock` names into a new environment.

    Raises `CalledProcessError` with pip's words where the lock lacks a package that another one needs.
    """
    venv.create(folder, symlinks=True, with_pip=False)
    options = ["--quiet", "--isolated", "--no-index", "--no-compile", "--require-hashes"]
    subprocess.run(
        [
            *(*_PIP, "--python", str(folder / "bin" / "python"), "install", *options),
            *("--find-links", str(download_wheels()), "--requirement", str(lock)),
        ],
        check=True,
        capture_output=True,
        text=True,
    )


def _link(lock: Path, folder: Path) -> None:
    """Makes an environment that has the packages of `lock` from that of the largest one."""
    largest = environment_of(LARGEST).parent
    venv.create(folder, symlinks=True, with_pip=False)
    (packages,) = largest.glob("lib/*/site-packages")
    target = folder / packages.relative_to(largest)
    names = {canonicalize_name(name) for name in re.findall(r"(?m)^([\w.-]+)==", lock.read_text())}
    for package in distributions(path=[str(packages)]):
        if canonicalize_name(package.metadata["Name"]) not in names:
            continue
        files = package.files or []
        for name in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            (target / name).symlink_to(packages / name)
        for script in (folder / "bin" / file.name for file in files if file.parent.name == "bin"):
            # Its first line names its environment's interpreter.
            text = (largest / "bin" / script.name).read_text()
            script.write_text(text.replace(str(largest), str(folder)))
            script.chmod(0o755)


if __name__ == "__main__":
    if not wheelhouse().is_dir():
        with Progress().step("downloading the functions' packages"):
            download_wheels()
