"""Licences of the components of a CycloneDX document, held against the policy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from license_expression import ExpressionError, LicenseExpression, get_spdx_licensing

_SPDX = get_spdx_licensing()
_NPM_DEVELOPMENT = "cdx:npm:package:development"


@dataclass(frozen=True, slots=True)
class Policy:
    """SPDX identifiers that are allowed for what is shipped, and the further ones for what only developers run.

    `read` has the licences of packages without one in their metadata, `classifiers` the ids of trove classifiers.
    """

    runtime: frozenset[str]
    development: frozenset[str]
    read: Mapping[str, str]
    classifiers: Mapping[str, str]

    def allows(self, expression: str, *, is_runtime: bool) -> bool:
        """Tell whether an SPDX expression can be met with allowed licences alone: of `OR` one side, of `AND` both."""
        allowed = self.runtime if is_runtime else self.runtime | self.development
        try:
            parsed = _SPDX.parse(expression, validate=True)
        except ExpressionError:
            return False
        return _is_met(parsed, allowed)


def _is_met(expression: LicenseExpression, allowed: frozenset[str]) -> bool:
    if isinstance(expression, _SPDX.OR):
        return any(_is_met(part, allowed) for part in expression.args)
    if isinstance(expression, _SPDX.AND):
        return all(_is_met(part, allowed) for part in expression.args)
    return str(expression) in allowed


def canonical(name: str) -> str:
    """A Python package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def license_of(component: Mapping[str, Any], policy: Policy) -> str:
    """The component's SPDX expression; "" where its metadata have none and no person has read its files.

    An expression of the package's own counts before the classifiers, which are older and vaguer.
    """
    entries = component.get("licenses", [])
    spdx = [entry.get("expression") or entry.get("license", {}).get("id", "") for entry in entries]
    named = [policy.classifiers.get(entry.get("license", {}).get("name", ""), "") for entry in entries]
    expressions = [text for text in spdx if text] or [text for text in named if text]
    return " AND ".join(f"({text})" for text in expressions) or policy.read.get(component["name"], "")


def objections(
    document: Mapping[str, Any], policy: Policy, runtime: frozenset[str] | None = None
) -> list[str]:
    """A sentence for each component under a licence that is not allowed.

    `runtime` has the canonical names of the components that are shipped; where it is None, the document marks the
    others, as npm's does.
    """
    sentences = []
    for component in document["components"]:
        is_runtime = (
            canonical(component["name"]) in runtime if runtime is not None else not _is_development(component)
        )
        expression = license_of(component, policy)
        if not policy.allows(expression, is_runtime=is_runtime):
            use = "is shipped" if is_runtime else "is for developers"
            sentences.append(
                f"{component['name']} {component.get('version', '')} {use}: {expression or 'no licence named'}"
            )
    return sorted(sentences)


def _is_development(component: Mapping[str, Any]) -> bool:
    return any(each["name"] == _NPM_DEVELOPMENT for each in component.get("properties", []))
