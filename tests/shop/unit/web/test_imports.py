"""The web client's import directions: app → features → components → shop → lib → types, features apart.

oxlint says so while one types, but reads an import as text: `../studio/x` in a feature looks like a file of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stacks import ROOT

SOURCES = ROOT / "web" / "src"
# Each imports itself and what comes after it. Files at the top (main, prerender) stand before all.
ZONES = ("", "app", "features", "components", "shop", "lib", "types")
_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")


def zone_of(path: Path) -> str:
    parts = path.relative_to(SOURCES).parts
    return parts[0] if len(parts) > 1 else ""


def imports(path: Path, source: str) -> Iterator[Path]:
    """The files of the client that a file imports, as paths without their ending."""
    for name in _IMPORT.findall(source):
        if name.startswith(("@/", ".")):
            own = SOURCES / name[2:] if name.startswith("@/") else (path.parent / name).resolve()
            if own.is_relative_to(SOURCES):
                yield own


def is_allowed(importer: Path, imported: Path) -> bool:
    if zone_of(importer) == "testing" or ".test." in importer.name:
        return True
    if zone_of(imported) == "testing":
        return False
    if zone_of(importer) == zone_of(imported) == "features":
        return importer.relative_to(SOURCES).parts[1] == imported.relative_to(SOURCES).parts[1]
    return ZONES.index(zone_of(importer)) <= ZONES.index(zone_of(imported))


def test_web_imports_go_one_way() -> None:
    checked, wrong = 0, []
    for path in sorted(SOURCES.rglob("*.ts*")):
        for imported in imports(path, path.read_text(encoding="utf-8")):
            checked += 1
            if not is_allowed(path, imported):
                wrong.append(f"{path.relative_to(SOURCES)} imports {imported.relative_to(SOURCES)}")
    assert checked > 500
    assert wrong == []


@pytest.mark.parametrize(
    ("importer", "name"),
    [
        ("features/landing/hero.tsx", "../studio/routes"),
        ("features/landing/api/hero.ts", "@/features/design/routes"),
        ("features/landing/hero.tsx", "../../app/routes"),
        ("components/ui/button.tsx", "../../features/design/routes"),
        ("components/page-title.tsx", "@/testing/backend"),
        ("shop/catalog/pricing.ts", "../../components/price-tag"),
        ("lib/session/use-user.ts", "../../shop/pricing"),
        ("types/database.ts", "@/lib/env"),
    ],
)
@pytest.mark.parametrize(
    "form", ['import {{ x }} from "{}";', 'const x = lazy(() => import("{}"));', 'import "{}";']
)
def test_web_import_against_the_direction_is_found(importer: str, name: str, form: str) -> None:
    path = SOURCES / importer
    (imported,) = imports(path, form.format(name))
    assert not is_allowed(path, imported)
