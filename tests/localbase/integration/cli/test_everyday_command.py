"""A developer's first minutes: a function in a running project, state elsewhere, output into `head`."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject
from tests.support.stacks import SUPABASE, clean_environ

KEY = {"apikey": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("state")
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def environ(elsewhere: Path) -> dict[str, str]:
    return {"LOCALBASE_STATE": str(elsewhere), "SUPABASE_EDGE_RUNTIME_ENABLED": "true"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, environ: dict[str, str]) -> Iterator[SmallProject]:
    with SmallProject(tmp_path_factory.mktemp("everyday") / "project") as made:
        made.start(**environ)
        yield made


def test_state_lies_where_the_environment_says(project: SmallProject, elsewhere: Path) -> None:
    assert project.things().json() == [{"id": 1, "name": "first"}]
    assert not (project.root / "supabase" / ".localbase").exists()
    (state,) = elsewhere.glob("other-*/supervisor.json")
    assert state.is_file()


def test_function_made_in_a_running_project_answers_at_once(
    project: SmallProject, environ: dict[str, str]
) -> None:
    made = project.run("functions", "new", "hello", **environ)
    assert (made.returncode, made.stderr) == (
        0,
        f"Made {project.root / 'supabase' / 'functions' / 'hello'}.\n",
    )
    address = f"http://127.0.0.1:{PORT}/functions/v1/hello"
    response = httpx.post(address, headers=KEY, json={"name": "Ann"}, timeout=30)
    assert (response.status_code, response.json()) == (200, {"message": "Hello Ann!"})
    (project.root / "functions" / "aside").mkdir(parents=True)
    (project.root / "functions" / "aside" / "main.py").write_text("")
    listed = project.run("functions", "list", **environ)
    assert "hello" in listed.stdout
    assert f"those in {project.root / 'functions'} are not." in listed.stderr


def test_output_into_a_reader_that_leaves_ends_well(project: SmallProject, environ: dict[str, str]) -> None:
    query = "select generate_series(1, 100000)"
    command = f"set -o pipefail; {SUPABASE} db query '{query}' --workdir {project.root} | head -n 1"
    done = subprocess.run(
        ["bash", "-c", command], env=clean_environ(environ), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_command_goes_on_without_a_reader_of_its_messages(
    project: SmallProject, environ: dict[str, str]
) -> None:
    project.migration("20260102000000_more.sql", "create table shop.more ();")
    command = f"set -o pipefail; {SUPABASE} db reset --workdir {project.root} 2>&1 | head -n 1"
    done = subprocess.run(
        ["bash", "-c", command], env=clean_environ(environ), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    counted = project.run("db", "query", "select count(*) from shop.more", **environ)
    assert (counted.returncode, counted.stdout.split()[-1]) == (0, "0"), counted.stderr


def test_hints_have_the_name_that_was_typed(project: SmallProject, tmp_path: Path) -> None:
    for name in ("localbase", "supabase"):
        link = tmp_path / name
        link.write_text(SUPABASE.read_text())
        link.chmod(0o755)
        done = subprocess.run(
            [link, "status", "--workdir", str(project.root)],
            env=clean_environ({}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == f"other is not running. Start it with `{name} start`.\n"


def test_deploying_without_a_function_is_an_error(project: SmallProject, tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    done = subprocess.run(
        [SUPABASE, "functions", "deploy", "--workdir", str(tmp_path)],
        env=clean_environ({}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "There is no function to deploy." in done.stderr) == (1, True)
