"""`init`: a project to begin with, whose configuration is the defaults."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from localbase.core.configuration import read_settings
from localbase.core.settings import Settings

from tests.support.stacks import clean_environ, supabase


def init(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        supabase("init", *arguments),
        cwd=folder,
        env=clean_environ({}),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "my shop"
    made.mkdir()
    return made


def test_init_makes_a_project_with_the_defaults(folder: Path) -> None:
    done = init(folder)
    assert (done.returncode, done.stdout) == (0, "")
    made = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
    assert made == [
        "supabase",
        "supabase/.gitignore",
        "supabase/config.toml",
        "supabase/migrations",
        "supabase/seed.sql",
    ]
    settings = read_settings(folder / "supabase" / "config.toml", {})
    defaults = Settings(project_id="my_shop")
    assert replace(settings, auth=defaults.auth) == defaults
    assert {".localbase", ".temp", ".env.local", "signing_keys.json"} <= set(
        (folder / "supabase" / ".gitignore").read_text().splitlines()
    )


def test_init_leaves_a_configuration_alone_unless_forced(folder: Path) -> None:
    init(folder)
    config, seed = folder / "supabase" / "config.toml", folder / "supabase" / "seed.sql"
    config.write_text('project_id = "mine"\n')
    seed.write_text("select 1;\n")
    done = init(folder)
    assert done.returncode == 1
    assert "config.toml exists already" in done.stderr
    assert config.read_text() == 'project_id = "mine"\n'
    assert init(folder, "--force").returncode == 0
    assert read_settings(config, {}).project_id == "my_shop"
    assert seed.read_text() == "select 1;\n"


def test_init_below_a_project_makes_another_one(folder: Path) -> None:
    init(folder)
    inner = folder / "inner"
    inner.mkdir()
    assert init(inner, "-o", "json").stdout.startswith("{")
    assert read_settings(inner / "supabase" / "config.toml", {}).project_id == "inner"


def test_init_says_what_has_no_meaning_here(folder: Path) -> None:
    done = init(folder, "--use-orioledb", "-i")
    assert done.returncode == 0
    assert "There is no OrioleDB here" in done.stderr
    assert "Editors need no settings" in done.stderr
