"""localbase's wheel, alone in an empty environment, runs any project."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject
from tests.localbase.integration.wheel_build import build_wheel
from tests.support.project_files import ProjectFiles
from tests.support.stacks import ROOT, clean_environ, run
from tests.support.tracked_files import tracked

FUNCTION = """
import flask
import functions_framework

@functions_framework.http
def hello(request: flask.Request) -> flask.typing.ResponseReturnValue:
    return {"hello": request.get_json()["name"]}
"""


def test_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Path) -> None:
    tracked = run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "localbase"], os.environ,
                  cwd=ROOT / "supabase")  # fmt: skip
    present = {name for name in tracked.stdout.splitlines() if (ROOT / "supabase" / name).is_file()}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        information = f"{wheel.name.removesuffix('-py3-none-any.whl')}.dist-info"
        assert archive.read(f"{information}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        assert archive.read(f"{information}/entry_points.txt").decode().split() == [
            *("[console_scripts]", "localbase=localbase.__main__:run"),
            *("[pytest11]", "localbase=localbase.testing.pytest_plugin"),
        ]
    # Studio's pages are built, not tracked.
    pages = {name for name in names if name.startswith("localbase/studio/pages/")}
    assert "localbase/studio/pages/index.html" in pages
    assert {name for name in names if not name.startswith(information)} == present | pages


def test_wheel_and_pages_are_built_where_there_is_no_shop(tmp_path: Path) -> None:
    for name in tracked(
        "supabase/localbase",
        "supabase/studio",
        "supabase/*.md",
        "supabase/pyproject.toml",
        "supabase/LICENSE",
    ):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    vite = str(ROOT / "node_modules" / ".bin" / "vite")
    run([vite, "build", "--logLevel", "error"], os.environ, cwd=tmp_path / "supabase" / "studio")
    with zipfile.ZipFile(build_wheel(tmp_path / "supabase", tmp_path / "wheel")) as archive:
        page = archive.read("localbase/studio/pages/index.html").decode()
        (script,) = re.findall(r'src="/(assets/[^"]+\.js)"', page)
        assert archive.getinfo(f"localbase/studio/pages/{script}").file_size > 100_000


@pytest.fixture
def project(tmp_path: Path, localbase: Path) -> Iterator[SmallProject]:
    files = ProjectFiles("[functions.hello]\nverify_jwt = false\n", functions={"hello": FUNCTION})
    with SmallProject(tmp_path / "elsewhere", files, command=localbase) as made:
        yield made


def test_wheel_alone_runs_a_foreign_project(project: SmallProject, localbase: Path) -> None:
    completed = subprocess.run(
        [localbase.with_name("python"), "-c", "import localbase; print(localbase.__file__)"],
        cwd=project.root,
        env=clean_environ({}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(completed.stdout.strip()).is_relative_to(localbase.parent.parent)
    assert f"http://127.0.0.1:{PORT}" in project.start()
    response = project.things()
    assert (response.status_code, response.headers["content-range"], response.json()) == (
        200,
        "0-0/*",
        [{"id": 1, "name": "first"}],
    )
    called = httpx.post(f"http://127.0.0.1:{PORT}/functions/v1/hello", json={"name": "Ada"}, timeout=20)
    assert (called.status_code, called.json()) == (200, {"hello": "Ada"})
    assert project.status_values()["API_URL"] == f"http://127.0.0.1:{PORT}"
    stopped = project.run("stop")
    assert (stopped.returncode, "its data is kept" in stopped.stderr) == (0, True)
    again = project.run("status", "-o", "env")
    assert (again.returncode, "is not running" in again.stderr) == (1, True)
