"""`make audit` (ARGS="--strict"): advisories for every lock, licences against policy.toml, and an SBOM of each half.

Runs in an environment of its own (requirements.txt beside it), so that the project's shows what the project installs.
Ends with 1 when there is something to do. What could not be learnt stands at the end, and ends with 1 only with
--strict, as the weekly workflow has it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tools.audit.advisories import (
    Advisory,
    NotAnsweredError,
    agreeing,
    from_npm,
    from_pip_audit,
    split_accepted,
)
from tools.audit.licenses import Policy, canonical, objections

ROOT = Path(__file__).resolve().parents[2]
_SBOM = ROOT / "build" / "sbom"
_PYTHON = ROOT / ".venv" / "bin" / "python"
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
_SECONDS = 300


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    words = [str(part) for part in command]
    try:
        return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, "", f"no answer within {_SECONDS} seconds")


def python_locks() -> list[Path]:
    """Every lock with hashes that the project installs from."""
    paths = [*ROOT.glob("requirements*.txt"), *ROOT.glob("tools/audit/requirements.txt")]
    paths += [*ROOT.glob("functions/**/requirements*.txt")]
    return sorted(path for path in paths if "--hash=" in path.read_text())


def _pins(lock: Path) -> dict[str, str]:
    """Versions by canonical names."""
    return {canonical(name): version for name, version in _PINNED.findall(lock.read_text())}


def _pip_audit(locks: Sequence[Path]) -> subprocess.CompletedProcess[str]:
    """Looks up all packages of locks that agree about versions, those of several once."""
    service = os.environ.get("AUDIT_OSV_URL")
    chosen = ("-s", "osv", "--osv-url", service) if service else ()
    files = [part for lock in locks for part in ("-r", lock)]
    return _run(
        *(sys.executable, "-m", "pip_audit", *files, "--disable-pip", "--require-hashes"),
        *("-f", "json", "--progress-spinner", "off", *chosen),
    )


def _advisories_of_npm() -> list[Advisory]:
    done = _run("npm", "audit", "--json", "--package-lock-only")
    return from_npm(done.stdout, done.stderr)


def _python_document() -> dict[str, Any]:
    path = _SBOM / "python.cdx.json"
    done = _run(sys.executable, "-m", "cyclonedx_py", "environment", _PYTHON, "--of", "JSON", "-o", path)
    done.check_returncode()
    return dict(json.loads(path.read_text()))


def _web_document() -> dict[str, Any]:
    done = _run("npm", "sbom", "--package-lock-only", "--sbom-format", "cyclonedx")
    done.check_returncode()
    (_SBOM / "web.cdx.json").write_text(done.stdout)
    return dict(json.loads(done.stdout))


def _policy(text: Mapping[str, Any]) -> Policy:
    licenses = text["licenses"]
    return Policy(
        frozenset(licenses["runtime"]),
        frozenset(licenses["development"]),
        licenses["read"],
        licenses["classifiers"],
    )


def _license_lines(policy: Policy) -> list[str]:
    _SBOM.mkdir(parents=True, exist_ok=True)
    shipped = frozenset(_pins(ROOT / "requirements.txt"))
    documents = {"Python": (_python_document(), shipped), "npm": (_web_document(), None)}
    lines = []
    for title, (document, runtime) in documents.items():
        wrong = objections(document, policy, runtime)
        print(
            f"  {title}: {len(document['components'])} packages, {len(wrong)} with a licence that is not allowed"
        )
        lines += wrong
    return lines


def _advisories_by_lock() -> Iterator[tuple[str, list[Advisory] | NotAnsweredError]]:
    """Each lock's advisories, or why they are not known."""
    pins = {lock: _pins(lock) for lock in python_locks()}
    for locks in agreeing(pins):
        done = _pip_audit(locks)
        for lock in locks:
            advisories = _advisories_or_error(partial(from_pip_audit, done.stdout, done.stderr, pins[lock]))
            yield str(lock.relative_to(ROOT)), advisories
    yield "package-lock.json", _advisories_or_error(_advisories_of_npm)


def _advisories_or_error(read: Callable[[], list[Advisory]]) -> list[Advisory] | NotAnsweredError:
    try:
        return read()
    except NotAnsweredError as error:
        return error


def last_lines(to_do: Sequence[str], unknown: Sequence[str], *, strict: bool) -> tuple[list[str], int]:
    """What a person has to do and what nobody knows, and the exit code."""
    lines = [f"to do: {each}" for each in to_do] + [f"not known: {each}" for each in unknown]
    if unknown:
        ending = "" if strict else ", which only --strict takes for a failure"
        lines.append(f"{len(unknown)} not known{ending}: ask again where the service of advisories answers")
    elif not to_do:
        lines.append("nothing to do, and everything was learnt")
    return lines, int(bool(to_do) or (strict and bool(unknown)))


def main(arguments: list[str]) -> int:
    """Prints what was found; 1 when a person has something to do."""
    parser = argparse.ArgumentParser(prog="make audit", description=__doc__)
    parser.add_argument("--strict", action="store_true", help="fail where something could not be learnt")
    strict = parser.parse_args(arguments).strict
    policy = tomllib.loads((ROOT / "tools" / "audit" / "policy.toml").read_text())
    print("Licences (documents in build/sbom)")
    to_do = _license_lines(_policy(policy))
    unknown: list[str] = []
    print("Advisories")
    today = datetime.datetime.now(datetime.UTC).date()
    for title, advisories in _advisories_by_lock():
        if isinstance(advisories, NotAnsweredError):
            print(f"  {title}: not known")
            unknown.append(f"advisories of {title}: the service did not answer ({advisories})")
            continue
        open_advisories, accepted = split_accepted(advisories, policy.get("accepted", []), today)
        print(f"  {title}: {len(open_advisories)}" + (f", and {len(accepted)} accepted" if accepted else ""))
        to_do += [f"{title}: {advisory}" for advisory in open_advisories]
    lines, code = last_lines(to_do, unknown, strict=strict)
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
