"""The means to measure a peer: its packages with their platforms and sizes, and when its API answers."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

import httpx
from packaging.requirements import Requirement

from bench.tools import npm_tool

API = "http://127.0.0.1:54321"
_HOME = Path(__file__).resolve().parents[2] / ".localbase"
_START_SECONDS = 300
# `@supabase/cli-linux-arm64-musl`: a build for one platform.
_BUILD = re.compile(r"-((?:darwin|linux|windows|win32)-\w+(?:-musl)?)$")
_LONGEST_REASON = 160


class Unmeasured(Exception):
    """A reason not to measure a peer, or one of its figures, here."""


def home(name: str) -> Path:
    """Return where a peer of the npm registry is installed."""
    return _HOME / name


def installed(name: str, *packages: str) -> Path:
    """Its folder, with the packages. Raises `Unmeasured`."""
    folder = npm_tool(name, *packages)
    if folder is None:
        raise Unmeasured("needs the npm registry")
    return folder


def has(program: str) -> bool:
    """Tell whether the program is on the path."""
    return shutil.which(program) is not None


def npm_platforms(manifest: Path) -> str:
    """The platforms that a package names: `os`, `cpu`, and the builds among its optional dependencies."""
    if not manifest.exists():
        return ""
    package = json.loads(manifest.read_text(encoding="utf-8"))
    builds = [match[1] for name in package.get("optionalDependencies", {}) if (match := _BUILD.search(name))]
    named = [*package.get("os", []), *package.get("cpu", []), *builds]
    node = str(package.get("engines", {}).get("node", ""))
    if named:
        return ", ".join(map(str, named))
    return f"wherever Node {node.replace(' ||', ',')} runs" if node else "wherever Node runs"


def reason(output: str) -> str:
    """Return what a failed program said, as short as a table wants it.

    Its first line with an error, or its last line.
    """
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip(" │■◇●") for line in output.splitlines()]
    lines = [line for line in lines if line]
    # Addresses that were not reached say more than the sentence around them.
    unreachable = re.search(
        r"(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|make request to https:/)[ /]([\w.:-]+)", output
    )
    if unreachable:
        return f"needs {unreachable[1]}"
    errors = [line for line in lines if re.search(r"error|cannot|fail|not found", line, re.IGNORECASE)]
    message = (errors or lines[-1:] or ["it said nothing"])[0]
    return message if len(message) <= _LONGEST_REASON else f"{message[: _LONGEST_REASON - 1]}…"


def key_of(status: str) -> str:
    """The publishable key in what `status -o env` prints, or the anonymous one."""
    values: dict[str, str] = dict(re.findall(r'^(\w+)="?([^"\n]*)', status, re.MULTILINE))
    return values.get("PUBLISHABLE_KEY") or values.get("ANON_KEY", "")


def seconds_until_served(key: str, check: Callable[[], None] = lambda: None) -> float:
    """From now until somebody has signed up and has a row of the example's table. Raises `Unmeasured`."""
    began = time.monotonic()
    person = {"email": f"{began}@example.com", "password": f"secret-{began}"}
    signed_up = wait_for(f"{API}/auth/v1/signup", {"apikey": key}, check, _has_succeeded, json=person)
    headers = {
        "apikey": key,
        "authorization": f"Bearer {signed_up.json()['access_token']}",
        "prefer": "return=representation",
    }
    # An empty list is shown before, too.
    wait_for(f"{API}/rest/v1/todos", headers, check, _has_succeeded, json={"title": "first"})
    return time.monotonic() - began


def _has_succeeded(response: httpx.Response) -> bool:
    return response.is_success


def wait_for(
    url: str,
    headers: dict[str, str],
    check: Callable[[], None],
    accepts: Callable[[httpx.Response], bool] = lambda response: response.status_code < 500,
    json: object = None,
) -> httpx.Response:
    """The first answer that is accepted, to `json` where it is given; `check` raises when there is none to come."""
    deadline = time.monotonic() + _START_SECONDS
    said = "nothing"
    while time.monotonic() < deadline:
        check()
        try:
            method = "GET" if json is None else "POST"
            response = httpx.request(method, url, headers=headers, json=json, timeout=30)
        except httpx.TransportError as error:
            said = str(error)
        else:
            if accepts(response):
                return response
            said = f"{response.status_code} {response.text[:80]}"
        time.sleep(0.02)
    raise Unmeasured(f"{url} did not answer within {_START_SECONDS} s: {said}")


def tree_size(folder: Path) -> int:
    """The bytes that a folder takes on the disk."""
    return sum(file_size(path) for path in folder.rglob("*"))


def file_size(path: Path) -> int:
    """The bytes of a file on the disk; none of a link or of one that has gone."""
    try:
        return path.lstat().st_blocks * 512 if path.is_file() and not path.is_symlink() else 0
    except FileNotFoundError:
        return 0


def python_files(name: str) -> set[Path]:
    """The files of a distribution and of all that it requires."""
    distributions: dict[str, Distribution] = {}
    _add(name, distributions)
    return {Path(str(each.locate_file(file))) for each in distributions.values() for file in each.files or ()}


def _add(name: str, distributions: dict[str, Distribution]) -> None:
    if name.lower() in distributions:
        return
    distributions[name.lower()] = distribution(name)
    for requirement in _requirements(distributions[name.lower()].requires or ()):
        _add(requirement.name, distributions)


def _requirements(lines: Iterable[str]) -> Iterable[Requirement]:
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement
