"""The example `examples/files`: two accounts, by its own command."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.support.stacks import Stack, clean_environ, running_example


@pytest.fixture(scope="module")
def files() -> Iterator[Stack]:
    with running_example("files") as running:
        yield running


@dataclass(frozen=True)
class Account:
    """A person's entries."""

    stack: Stack
    name: str

    def run(self, *arguments: str) -> str:
        """The command's output, with its errors."""
        settings = {
            "SUPABASE_URL": self.stack.api_url,
            "SUPABASE_KEY": self.stack.publishable_key,
            "SHARE_EMAIL": f"{self.name}@example.com",
            "SHARE_PASSWORD": f"correct-horse-{self.name}",
        }
        command = [sys.executable, str(self.stack.root / "share.py"), *arguments]
        done = subprocess.run(
            command, env=clean_environ(settings), capture_output=True, text=True, check=False, timeout=60
        )
        return (done.stdout + done.stderr).strip()


def end_of(link: str) -> float:
    """The moment after which an address opens nothing (seconds of Unix time), as its token says."""
    payload = parse_qs(urlsplit(link).query)["token"][0].split(".")[1]
    return float(json.loads(base64.urlsafe_b64decode(payload + "=="))["exp"])


def test_file_is_shared_by_a_link_that_ends(files: Stack, tmp_path: Path) -> None:
    ada, ben = Account(files, "ada"), Account(files, "ben")
    note = tmp_path / "note.txt"
    note.write_text("from Ada")
    assert ada.run("list") == "nothing yet"
    assert ada.run("put", str(note)) == "stored note.txt"
    note.write_text("from Ada, later")
    assert ada.run("put", str(note)) == "stored note.txt"
    assert ada.run("list") == "note.txt"
    assert ben.run("list") == "nothing yet"
    assert ben.run("link", "note.txt").startswith("error: ")
    assert ben.run("remove", "note.txt") == "there is no such file"

    link = ada.run("link", "note.txt", "--minutes", "1")
    response = httpx.get(link)
    assert (response.status_code, response.text) == (200, "from Ada, later")
    assert 0 < end_of(link) - time.time() <= 60
    assert ada.run("link", "note.txt", "--minutes", "0").startswith("error: ")
    assert ada.run("remove", "note.txt") == "deleted"
    assert ada.run("list") == "nothing yet"


def test_file_that_is_too_large_is_refused(files: Stack, tmp_path: Path) -> None:
    large = tmp_path / "large.bin"
    large.write_bytes(bytes(5 * 1024 * 1024 + 1))
    assert "exceeded the maximum allowed size" in Account(files, "ada").run("put", str(large))
