"""Known vulnerabilities, from what pip-audit and `npm audit` print as JSON."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.audit.licenses import canonical


@dataclass(frozen=True, slots=True)
class Advisory:
    """One vulnerability of one package that the project installs."""

    id: str
    package: str
    fixed_in: str

    def __str__(self) -> str:
        return f"{self.package}: {self.id}" + (f" (mended in {self.fixed_in})" if self.fixed_in else "")


class NotAnsweredError(Exception):
    """The service did not answer: nothing is known."""


def from_pip_audit(output: str, errors: str, pins: Mapping[str, str]) -> list[Advisory]:
    """Those of one lock, of which `pins` are the versions by canonical names; others may have been looked up with it.

    `output` is the command's standard output, `errors` the other. Raises `NotAnsweredError`.
    """
    try:
        answered = json.loads(output)["dependencies"]
    except (ValueError, KeyError) as error:
        raise NotAnsweredError(_last_line(errors)) from error
    packages = [package for package in answered if canonical(package["name"]) in pins]
    # What the service does not know is no package without advisories: a mirror answers 404 for all of them.
    if skipped := [package["name"] for package in packages if "skip_reason" in package]:
        raise NotAnsweredError(
            f"{len(skipped)} of {len(packages)} packages are unknown there, e.g. {skipped[0]}"
        )
    return [
        Advisory(
            vulnerability["id"],
            f"{package['name']} {package['version']}",
            ", ".join(vulnerability["fix_versions"]),
        )
        for package in packages
        for vulnerability in package.get("vulns", [])
    ]


def from_npm(output: str, errors: str) -> list[Advisory]:
    """The same of `npm audit --json`: advisories, not the packages that merely depend on such."""
    try:
        report = json.loads(output)
    except ValueError as error:
        raise NotAnsweredError(_last_line(errors)) from error
    if "vulnerabilities" not in report:
        raise NotAnsweredError(str(report.get("message", "no answer")))
    packages = report["vulnerabilities"]
    return [
        Advisory(str(via["url"]).rpartition("/")[2], f"{name} {via['range']}", _fix(package))
        for name, package in packages.items()
        for via in package["via"]
        if isinstance(via, dict)
    ]


def _fix(package: Mapping[str, object]) -> str:
    fix = package.get("fixAvailable")
    return f"{fix['name']} {fix['version']}" if isinstance(fix, dict) else ""


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no answer"


def agreeing(pins: Mapping[Path, Mapping[str, str]]) -> list[list[Path]]:
    """Files in groups of which none pins a package at two versions (pip-audit refuses that), in few groups.

    `pins` are each file's versions by names.
    """
    groups: list[tuple[list[Path], dict[str, str]]] = []
    for path, versions in pins.items():
        for members, together in groups:
            if all(together.get(name, version) == version for name, version in versions.items()):
                members.append(path)
                together.update(versions)
                break
        else:
            groups.append(([path], dict(versions)))
    return [members for members, _ in groups]


def split_accepted(
    advisories: Iterable[Advisory], accepted: Iterable[Mapping[str, str]], today: datetime.date
) -> tuple[list[Advisory], list[Advisory]]:
    """Those that count, and those that a person has accepted until a day that has not passed."""
    excused = {each["id"] for each in accepted if datetime.date.fromisoformat(str(each["until"])) >= today}
    counting: list[Advisory] = []
    rest: list[Advisory] = []
    for advisory in advisories:
        (rest if advisory.id in excused else counting).append(advisory)
    return counting, rest
