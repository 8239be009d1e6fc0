"""A small project; databases of the platform alone; localbase as its wheel has it, with no more than that declares."""

from __future__ import annotations

import os
import shutil
import venv
from collections.abc import Iterator
from importlib.metadata import PathDistribution, distribution
from pathlib import Path

import psycopg
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.localbase.integration.schema_cluster import SchemaCluster, schema_cluster
from tests.localbase.integration.small_project import SmallProject, open_to_postgres
from tests.localbase.integration.wheel_build import PIP, build_wheel
from tests.support.project_files import ProjectFiles
from tests.support.stacks import ROOT, run


@pytest.fixture(scope="module")
def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SmallProject]:
    """The small project, running. A module may have its `FILES`, `SCHEMAS` and the `ENVIRON` that it starts in."""
    own = vars(request.module)
    files, schemas = own.get("FILES", ProjectFiles()), own.get("SCHEMAS", ("shop",))
    with SmallProject(
        tmp_path_factory.mktemp("small") / "a folder with spaces", files, schemas=schemas
    ) as made:
        made.start(**own.get("ENVIRON", {}))
        yield made


@pytest.fixture(scope="module")
def cluster() -> Iterator[SchemaCluster]:
    """A server with the platform's schemas, which makes databases of them."""
    with schema_cluster() as made:
        yield made


@pytest.fixture
def database(cluster: SchemaCluster) -> Iterator[psycopg.Connection]:
    """A connection to a new one of its databases."""
    with cluster.database() as connection:
        yield connection


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """localbase's, with Studio's pages as they are built here."""
    return build_wheel(ROOT / "supabase", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def localbase(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command in a virtual environment of its own, which holds the wheel and what it declares.

    The declared distributions are copied from the environment of the tests instead of being downloaded; `pip check`
    then finds every requirement met.
    """
    root = tmp_path_factory.mktemp("empty")
    open_to_postgres(root)
    venv.create(root, symlinks=True)
    python = root / "bin" / "python"
    (site,) = root.glob("lib/python*/site-packages")
    run(
        [*PIP, "--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
        os.environ,
    )
    (information,) = site.glob("localbase-*.dist-info")
    for name in _required_by(PathDistribution(information).requires or []):
        _copy_distribution(name, site)
    run([*PIP, "--python", str(python), "check"], os.environ)
    return root / "bin" / "localbase"


def _required_by(lines: list[str], extras: tuple[str, ...] = (), seen: set[str] | None = None) -> set[str]:
    """Names of the distributions that these requirements need, those of their own requirements included."""
    seen = set() if seen is None else seen
    for line in lines:
        needed = Requirement(line)
        if needed.marker and not any(needed.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            continue
        name = canonicalize_name(needed.name)
        if name not in seen or needed.extras:
            seen.add(name)
            _required_by(distribution(name).requires or [], tuple(needed.extras), seen)
    return seen


def _copy_distribution(name: str, site: Path) -> None:
    for file in distribution(name).files or ():
        # Commands lie outside of site-packages; none of them is needed.
        if ".." not in file.parts and file.suffix != ".pyc":
            target = site / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(str(file.locate()), target, follow_symlinks=False)
