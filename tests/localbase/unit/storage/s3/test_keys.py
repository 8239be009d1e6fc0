"""The S3 protocol's keys: by setting, the official CLI's by default, and none where those would be a back door."""

from __future__ import annotations

from pathlib import Path

import pytest
from localbase.core.authenticator import Authenticator
from localbase.core.configuration import read_settings
from localbase.core.settings import Settings
from localbase.postgres.service_pool import ServicePool
from localbase.storage.aws.errors import S3Error
from localbase.storage.backend.disk import DiskFiles
from localbase.storage.context import Context
from localbase.storage.images.renderer import Renderer
from localbase.storage.s3.service import find_credentials, s3_routes
from localbase.storage.upload_slots import UploadSlots

_OWN_SECRET = {"SUPABASE_AUTH_JWT_SECRET": "a secret of the project's own, which is long"}
_OWN_KEYS = {
    "SUPABASE_STORAGE_S3_PROTOCOL_ACCESS_KEY_ID": "own-key",
    "SUPABASE_STORAGE_S3_PROTOCOL_SECRET_ACCESS_KEY": "own-secret",
}


def settings_of(folder: Path, environ: dict[str, str], text: str = "") -> Settings:
    (folder / "config.toml").write_text(text)
    return read_settings(folder / "config.toml", environ)


def context_of(settings: Settings, folder: Path) -> Context:
    pool = ServicePool("postgresql://")
    files = DiskFiles(folder)
    renderer = Renderer(files, folder / "renders")
    return Context(settings, pool, files, Authenticator(settings.keys), UploadSlots(), renderer)


def test_keys_are_the_official_cli_s_by_default(tmp_path: Path) -> None:
    find = find_credentials(context_of(settings_of(tmp_path, {}), tmp_path))
    credentials = find("625729a08b95bf1b7ff351a663f3a23c", None)
    assert credentials.secret_key == "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"
    with pytest.raises(S3Error, match="Invalid Access Key"):
        find("another", None)


def test_keys_are_read_from_the_environment(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, {**_OWN_KEYS, "SUPABASE_STORAGE_S3_PROTOCOL_REGION": "here"})
    credentials = find_credentials(context_of(settings, tmp_path))("own-key", None)
    assert (credentials.secret_key, credentials.region, credentials.token) == ("own-secret", "here", None)


def test_published_keys_do_not_open_a_project_with_a_secret(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, _OWN_SECRET)
    assert settings.s3_keys is None
    with pytest.raises(S3Error, match="Missing S3 Protocol Access Key ID"):
        find_credentials(context_of(settings, tmp_path))("625729a08b95bf1b7ff351a663f3a23c", None)
    assert settings_of(tmp_path, {**_OWN_SECRET, **_OWN_KEYS}).s3_keys == ("own-key", "own-secret")


def test_half_a_pair_of_keys_is_none(tmp_path: Path) -> None:
    environ = {**_OWN_SECRET, "SUPABASE_STORAGE_S3_PROTOCOL_ACCESS_KEY_ID": "own-key"}
    assert settings_of(tmp_path, environ).s3_keys is None


@pytest.mark.parametrize("access_key", ["stub", "mine"])
def test_session_token_goes_with_the_tenant_and_the_anonymous_key(tmp_path: Path, access_key: str) -> None:
    settings = settings_of(tmp_path, {}, 'project_id = "mine"')
    credentials = find_credentials(context_of(settings, tmp_path))(access_key, "a.b.c")
    assert (credentials.secret_key, credentials.token) == (settings.keys.anon, "a.b.c")


def test_protocol_has_no_routes_where_it_is_not_enabled(tmp_path: Path) -> None:
    off = settings_of(tmp_path, {"SUPABASE_STORAGE_S3_PROTOCOL_ENABLED": "false"})
    assert s3_routes(context_of(off, tmp_path)) == []
    assert [route.path for route in s3_routes(context_of(settings_of(tmp_path, {}), tmp_path))] == [
        "/s3",
        "/s3/{rest:path}",
    ]
