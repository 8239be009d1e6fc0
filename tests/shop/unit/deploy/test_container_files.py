"""The container's Dockerfile, and the file that puts it into self-hosted Supabase."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from tests.support.stacks import ROOT

DOCKERFILE = (ROOT / "deploy" / "container" / "Dockerfile").read_text()
OVERRIDE = ROOT / "deploy" / "self_hosted" / "compose.override.yml"
# what upstream's compose file gives its functions container (supabase/supabase, docker/docker-compose.yml)
UPSTREAM = {
    *("JWT_SECRET", "SUPABASE_URL", "SUPABASE_PUBLIC_URL", "SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY"),
    *("SUPABASE_DB_URL", "VERIFY_JWT"),
}
# and the names of its .env that the file below uses
UPSTREAM_DOTENV = {
    *("ANON_KEY", "SERVICE_ROLE_KEY", "SUPABASE_PUBLIC_URL", "SUPABASE_SECRET_KEY", "SITE_URL"),
    *("SMTP_HOST", "SMTP_PORT", "SMTP_USER", "SMTP_PASS"),
}


class ComposeLoader(yaml.SafeLoader):  # type: ignore[misc, unused-ignore]
    """Reads compose's tag `!override`: the value replaces the other file's."""


ComposeLoader.add_constructor("!override", lambda loader, node: loader.construct_sequence(node))


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    services = yaml.load(OVERRIDE.read_text(), ComposeLoader)["services"]  # noqa: S506 - a safe loader
    assert list(services) == ["functions"]
    definition: dict[str, Any] = services["functions"]
    return definition


def instructions(name: str) -> list[str]:
    return re.findall(rf"(?m)^{name} (.*)$", DOCKERFILE.replace("\\\n", ""))


def test_image_installs_by_hashes_and_runs_without_rights() -> None:
    (base,) = instructions("FROM")
    assert re.fullmatch(r"python:3\.12-slim-\w+", base)
    install, _compile = instructions("RUN")
    assert "--require-hashes" in install
    assert "--requirement requirements.txt" in install
    (user,) = instructions("USER")
    assert user == "65534:65534"


def test_service_replaces_upstreams_under_its_name_and_port(service: dict[str, Any]) -> None:
    (command,) = instructions("CMD")[-1:]
    assert service["command"] == json.loads(command)
    assert service["volumes"] == []
    assert service["environment"]["PORT"] == "9000"
    assert instructions("EXPOSE") == ["9000"]
    assert service["build"]["context"].endswith("/build/functions/container")


def test_service_has_upstreams_names_and_no_others_of_its_environment(service: dict[str, Any]) -> None:
    environment = service["environment"]
    assert {name for name in environment if name.startswith(("SUPABASE_", "JWT"))} <= UPSTREAM | {
        "SUPABASE_SECRET_KEY"
    }
    used = set(re.findall(r"\$\{(\w+)", json.dumps(environment)))
    assert used <= UPSTREAM_DOTENV
    # the gateway adds these headers; twice breaks browsers
    assert "FUNCTIONS_CORS_ORIGIN" not in environment


def test_platform_waits_longer_than_the_server_does_for_running_requests(service: dict[str, Any]) -> None:
    conf = (ROOT / "deploy" / "container" / "gunicorn.conf.py").read_text()
    default = re.search(r'"GRACE_SECONDS", "(\d+)"', conf)
    assert default
    assert service["environment"]["GRACE_SECONDS"] == default[1]
    assert int(service["stop_grace_period"].removesuffix("s")) > int(default[1])


def has_compose() -> bool:
    docker = shutil.which("docker")
    return docker is not None and not subprocess.run([docker, "compose", "version"], check=False).returncode


@pytest.mark.skipif(not has_compose(), reason="Docker Compose is not installed")
def test_docker_reads_the_override(tmp_path: Path) -> None:
    upstream = tmp_path / "docker-compose.yml"
    upstream.write_text(
        "services:\n  functions:\n    image: edge-runtime\n    command: [start]\n    volumes: [./x:/y]\n"
        "    environment: {VERIFY_JWT: 'true'}\n"
    )
    (tmp_path / ".env").touch()
    done = subprocess.run(
        ["docker", "compose", "-f", str(upstream), "-f", str(OVERRIDE), "config", "--format", "json"],
        env={**os.environ, "TEESMITH": str(tmp_path)},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    merged = json.loads(done.stdout)["services"]["functions"]
    assert "volumes" not in merged
    assert merged["environment"]["VERIFY_JWT"] == "true"
