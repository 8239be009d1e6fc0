"""Ports in the place of a project's own: they hold in settings, addresses and environment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from localbase.core.moved_ports import MovedPorts, moved_file, read_moved
from localbase.core.project import Project, open_project

from tests.support.project_files import ProjectFiles

_CONFIG = """
project_id = "twin"
[api]
port = 54321
[auth]
site_url = "http://127.0.0.1:3000"
additional_redirect_urls = ["http://localhost:3000/**", "https://shop.example/**", "http://localhost:30001"]
external_url = "http://127.0.0.1:54321/auth/v1"
[auth.external.github]
enabled = true
client_id = "a"
secret = "b"
redirect_uri = "http://localhost:54321/auth/v1/callback"
[auth.rate_limit]
email_sent = 3000
"""
_MOVED = MovedPorts(
    {54321: 54421, 54322: 54422, 54324: 54424, 54325: 54425, 3000: 3100, 8500: 8600}, {"SIDE_PORT": "8600"}
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    ProjectFiles(_CONFIG).write(tmp_path)
    _MOVED.write(moved_file(tmp_path / "supabase" / ".localbase" / "twin"))
    return tmp_path


def ports(project: Project) -> tuple[int, int, int]:
    settings = project.settings
    return settings.api.port, settings.db.port, settings.local_smtp.smtp_port


def test_ports_and_addresses_of_the_settings_are_those_of_now(root: Path) -> None:
    project = open_project(root, {})
    auth = project.settings.auth
    assert ports(project) == (54421, 54422, 54425)
    assert auth.site_url == "http://127.0.0.1:3100"
    assert auth.additional_redirect_urls == (
        "http://localhost:3100/**",
        "https://shop.example/**",
        "http://localhost:30001",
    )
    assert auth.external_url == "http://127.0.0.1:54421/auth/v1"
    assert auth.external["github"].redirect_uri == "http://localhost:54421/auth/v1/callback"
    assert auth.rate_limit.email_sent == 3000


def test_environment_has_the_addresses_and_the_processes_ports(root: Path) -> None:
    environ = {
        "SIDE_API": "http://127.0.0.1:8500/api",
        "ELSEWHERE": "http://example.com:8500",
        "NUMBER": "8500",
    }
    assert open_project(root, environ).environ == {
        "SIDE_API": "http://127.0.0.1:8600/api",
        "ELSEWHERE": "http://example.com:8500",
        "NUMBER": "8500",
        "SIDE_PORT": "8600",
    }


def test_process_of_the_stack_finds_the_same_as_the_command(root: Path) -> None:
    first = open_project(root, {"SIDE_API": "http://127.0.0.1:8500/api"})
    assert open_project(root, first.environ) == first


def test_explicit_port_in_the_environment_stays(root: Path) -> None:
    project = open_project(
        root,
        {
            "SUPABASE_API_PORT": "54321",
            "SUPABASE_AUTH_SITE_URL": "http://127.0.0.1:3000",
            "SIDE_PORT": "8500",
        },
    )
    assert ports(project) == (54321, 54422, 54425)
    assert project.settings.auth.site_url == "http://127.0.0.1:3000"
    assert project.settings.auth.external_url == "http://127.0.0.1:54321/auth/v1"
    assert project.environ["SIDE_PORT"] == "8500"


def test_port_that_the_configuration_names_anew_is_not_moved(root: Path) -> None:
    config = root / "supabase" / "config.toml"
    config.write_text(config.read_text().replace("port = 54321", "port = 55555", 1))
    assert ports(open_project(root, {}))[0] == 55555


def test_other_project_id_has_ports_of_its_own(root: Path) -> None:
    assert ports(open_project(root, {"SUPABASE_PROJECT_ID": "other"})) == (54321, 54322, 54325)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", '{"ports": {"a": 1}, "environ": {}}', '{"ports": {"1": 70000}, "environ": {}}'],
)
def test_file_that_is_something_else_moves_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "twin.ports.json"
    path.write_text(text)
    assert read_moved(path) == MovedPorts()


def test_written_ports_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "twin.ports.json"
    _MOVED.write(path)
    assert read_moved(path) == _MOVED
    assert json.loads(path.read_text())["environ"] == {"SIDE_PORT": "8600"}
