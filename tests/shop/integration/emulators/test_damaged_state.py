"""Emulators on damaged state: they start and name what was set aside; what a user must repair is one line."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from joserfc.jwk import RSAKey
from localbase.core.state_file import StateFileError

from emulators.app import Emulators, build_app
from emulators.core.settings import Settings
from emulators.zippopotam.places import Places, write_places
from tests.shop.integration.emulators.conftest import free_port
from tests.support.stacks import ROOT


def settings(data: Path, *vendors: str) -> Settings:
    return Settings(9, data, data, vendors)


def test_damaged_state_is_set_aside_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "state.sqlite"
    path.write_bytes(b"garbage" * 1000)
    build_app(settings(tmp_path, "stripe", "printify", "replicate"))
    (aside,) = tmp_path.glob("state.sqlite.damaged-*")
    assert aside.read_bytes() == b"garbage" * 1000
    assert capsys.readouterr().out == (
        f"warning: {path} is damaged (file is not a database). "
        f"It was put aside as {aside.name}, and a new one was begun.\n"
    )


def test_unreadable_state_ends_the_process_with_advice(tmp_path: Path) -> None:
    path = tmp_path / "emulators" / "state.sqlite"
    path.mkdir(parents=True)
    environ = {**os.environ, "LOCALBASE_DATA": str(tmp_path), "EMULATORS_PORT": str(free_port())}
    done = subprocess.run(
        [sys.executable, "-m", "emulators", "serve"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"error: {path} is a folder, not a file. Move it away and try again.\n"


@pytest.mark.parametrize("content", [b"", b"garbage", b"{}", b"[]", b"null", b'{"kty": "RSA"}', b"\xff"])
def test_damaged_signing_key_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "google" / "key.json"
    path.parent.mkdir()
    path.write_bytes(content)
    google = httpx.ASGITransport(build_app(settings(tmp_path, "google")))

    async def certificates() -> httpx.Response:
        async with httpx.AsyncClient(transport=google, base_url="http://127.0.0.1") as client:
            return await client.get("/google/oauth2/v3/certs")

    (public,) = asyncio.run(certificates()).json()["keys"]
    stored = RSAKey.import_key(json.loads(path.read_text()))
    assert stored.as_dict(private=False)["n"] == public["n"]


def test_signing_key_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    path = tmp_path / "google" / "key.json"
    path.mkdir(parents=True)
    with pytest.raises(StateFileError, match=f"Cannot read {path}: Is a directory. Move it away"):
        Emulators(settings(tmp_path, "google"))


@pytest.fixture(scope="module")
def zip_codes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them, written beside what a killed process of this number left."""
    path = tmp_path_factory.mktemp("places") / f"places-{version('zipcodes')}.sqlite"
    path.with_suffix(f".{os.getpid()}").write_bytes(b"half of a database")
    write_places(path)
    return path


def test_zip_codes_are_written_after_a_kill_half_way(zip_codes: Path) -> None:
    assert list(zip_codes.parent.iterdir()) == [zip_codes]


def test_damaged_zip_codes_are_replaced(tmp_path: Path, zip_codes: Path) -> None:
    path, sound = tmp_path / zip_codes.name, zip_codes.stat().st_size
    path.write_bytes(zip_codes.read_bytes()[: sound // 2])
    Places(tmp_path)
    assert path.stat().st_size == sound
