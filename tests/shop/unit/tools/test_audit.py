"""`make audit`: what is objected to in a document of components, and what counts of the services' responses."""

from __future__ import annotations

import datetime
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tools.audit.__main__ import last_lines
from tools.audit.advisories import (
    Advisory,
    NotAnsweredError,
    agreeing,
    from_npm,
    from_pip_audit,
    split_accepted,
)
from tools.audit.licenses import Policy, objections

POLICY = Policy(
    runtime=frozenset({"MIT", "Apache-2.0"}),
    development=frozenset({"BlueOak-1.0.0"}),
    read={"silent": "MIT"},
    classifiers={"License :: OSI Approved :: MIT License": "MIT"},
)


def component(name: str, *licenses: dict[str, Any], development: bool = False) -> dict[str, Any]:
    properties = [{"name": "cdx:npm:package:development", "value": "true"}] if development else []
    return {"name": name, "version": "1.0", "licenses": list(licenses), "properties": properties}


@pytest.mark.parametrize(
    ("entry", "objection"),
    [
        (component("a", {"license": {"id": "MIT"}}), []),
        (component("a", {"license": {"id": "GPL-3.0-only"}}), ["a 1.0 is shipped: (GPL-3.0-only)"]),
        (component("a", {"expression": "GPL-3.0-only OR MIT"}), []),
        (
            component("a", {"expression": "GPL-3.0-only AND MIT"}),
            ["a 1.0 is shipped: (GPL-3.0-only AND MIT)"],
        ),
        (
            component("a", {"license": {"id": "MIT"}}, {"license": {"id": "GPL-2.0-only"}}),
            ["a 1.0 is shipped: (MIT) AND (GPL-2.0-only)"],
        ),
        (component("a", {"license": {"name": "License :: OSI Approved :: MIT License"}}), []),
        (component("a", {"license": {"name": "Our own terms"}}), ["a 1.0 is shipped: no licence named"]),
        (component("a", {"license": {"id": "BlueOak-1.0.0"}}), ["a 1.0 is shipped: (BlueOak-1.0.0)"]),
        (component("a", {"license": {"id": "BlueOak-1.0.0"}}, development=True), []),
        (
            component("a", {"license": {"id": "GPL-3.0-only"}}, development=True),
            ["a 1.0 is for developers: (GPL-3.0-only)"],
        ),
        (component("a"), ["a 1.0 is shipped: no licence named"]),
        (component("silent"), []),
    ],
)
def test_licence_is_held_against_the_policy(entry: dict[str, Any], objection: list[str]) -> None:
    assert objections({"components": [entry]}, POLICY) == objection


def test_python_packages_are_shipped_if_the_runtime_lock_names_them() -> None:
    document = {
        "components": [
            component("Ship.ped", {"license": {"id": "BlueOak-1.0.0"}}),
            component("helper", {"license": {"id": "BlueOak-1.0.0"}}),
        ]
    }
    assert objections(document, POLICY, frozenset({"ship-ped"})) == [
        "Ship.ped 1.0 is shipped: (BlueOak-1.0.0)"
    ]


def test_advisories_of_pip_audit_name_package_and_mended_version() -> None:
    output = json.dumps(
        {
            "dependencies": [
                {
                    "name": "flask",
                    "version": "1.0",
                    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}],
                },
                {"name": "httpx", "version": "2.0", "vulns": []},
            ]
        }
    )
    advisories = from_pip_audit(output, "", {"flask": "1.0", "httpx": "2.0"})
    assert [str(each) for each in advisories] == ["flask 1.0: PYSEC-1 (mended in 1.1, 2.0)"]


def test_lock_has_the_advisories_of_its_own_packages_alone() -> None:
    output = json.dumps(
        {
            "dependencies": [
                {"name": "Flask", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": []}]},
                {"name": "httpx", "version": "2.0", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
                {"name": "unheard-of", "skip_reason": "not found"},
            ]
        }
    )
    assert [each.id for each in from_pip_audit(output, "", {"flask": "1.0"})] == ["PYSEC-1"]


def test_packages_that_the_service_does_not_know_are_no_clean_ones() -> None:
    output = json.dumps({"dependencies": [{"name": "flask", "skip_reason": "not found"}]})
    with pytest.raises(NotAnsweredError, match=r"^1 of 1 packages are unknown there, e\.g\. flask$"):
        from_pip_audit(output, "", {"flask": "1.0"})


@pytest.mark.parametrize("read", [partial(from_pip_audit, pins={}), from_npm])
def test_service_that_does_not_answer_is_no_clean_one(read: Any) -> None:
    with pytest.raises(NotAnsweredError, match=r"^connection refused$"):
        read("", "Traceback\nconnection refused\n")


def test_advisories_of_npm_are_counted_once_for_the_package_they_concern() -> None:
    output = json.dumps(
        {
            "vulnerabilities": {
                "deep": {
                    "via": [{"url": "https://github.com/advisories/GHSA-1", "range": "<2"}],
                    "fixAvailable": {"name": "deep", "version": "2.0.0"},
                },
                "parent": {"via": ["deep"], "fixAvailable": False},
            }
        }
    )
    assert [str(each) for each in from_npm(output, "")] == ["deep <2: GHSA-1 (mended in deep 2.0.0)"]


def test_accepted_advisory_counts_again_after_its_day() -> None:
    advisories = [Advisory("A-1", "flask 1.0", "")]
    accepted = [{"id": "A-1", "reason": "not reached", "until": "2026-03-31"}]
    assert split_accepted(advisories, accepted, datetime.date(2026, 3, 31)) == ([], advisories)
    assert split_accepted(advisories, accepted, datetime.date(2026, 4, 1)) == (advisories, [])


def test_locks_of_one_group_agree_about_every_version() -> None:
    shop, function, tool = Path("shop"), Path("function"), Path("tool")
    pins = {
        shop: {"flask": "1.0", "httpx": "2.0"},
        tool: {"flask": "1.0", "httpx": "3.0"},
        function: {"httpx": "2.0", "pillow": "4.0"},
    }
    assert agreeing(pins) == [[shop, function], [tool]]


@pytest.mark.parametrize(
    ("to_do", "unknown", "strict", "code", "last"),
    [
        ([], [], True, 0, "nothing to do, and everything was learnt"),
        (
            [],
            ["advisories of a.txt: away"],
            False,
            0,
            "1 not known, which only --strict takes for a failure: ask again",
        ),
        ([], ["advisories of a.txt: away"], True, 1, "1 not known: ask again"),
        (["react: GHSA-1"], [], False, 1, "to do: react: GHSA-1"),
        (["react: GHSA-1"], ["advisories of a.txt: away"], False, 1, "1 not known, which"),
    ],
)
def test_audit_ends_with_what_is_to_do_and_what_it_could_not_learn(
    to_do: list[str], unknown: list[str], strict: bool, code: int, last: str
) -> None:
    lines, ended = last_lines(to_do, unknown, strict=strict)
    assert (ended, lines[-1][: len(last)]) == (code, last)
    assert {f"not known: {each}" for each in unknown} | {f"to do: {each}" for each in to_do} <= set(lines)
