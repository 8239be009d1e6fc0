"""core.text_files: settings are read as editors write them, or one error says why not."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from localbase.core.errors import UserError
from localbase.core.project import open_project

MARKS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
CONFIG = 'project_id = "caf\u00e9"\r\n[auth]\r\nsite_url = "env(SITE)"\r\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "supabase").mkdir()
    return tmp_path


@pytest.mark.parametrize("encoding", MARKS)
def test_settings_are_read_in_every_unicode_encoding(folder: Path, encoding: str) -> None:
    for name, text in (("config.toml", CONFIG), (".env", "SITE=https://caf\u00e9.example\r\n")):
        (folder / "supabase" / name).write_bytes(MARKS[encoding] + text.encode(encoding))
    settings = open_project(folder, {}).settings
    assert settings.auth.site_url == "https://caf\u00e9.example"
    assert settings.project_id.startswith("caf")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (CONFIG.encode("cp1252"), "line 1: the byte 0xe9 is not UTF-8"),
        (CONFIG.encode("utf-16-le"), "UTF-16 without a byte-order mark"),
        (codecs.BOM_UTF16_LE + b"a", "has the byte-order mark of UTF-16-LE but is none"),
        (b'project_id = "a\0"', "holds a NUL byte"),
        (b"\x1f\x8b\x08", "compressed by gzip"),
    ],
)
@pytest.mark.parametrize("name", ["config.toml", ".env"])
def test_settings_that_are_no_text_are_one_error(folder: Path, name: str, data: bytes, said: str) -> None:
    (folder / "supabase" / name).write_bytes(data)
    with pytest.raises(UserError, match=said) as raised:
        open_project(folder, {})
    assert str(folder / "supabase" / name) in raised.value.message
