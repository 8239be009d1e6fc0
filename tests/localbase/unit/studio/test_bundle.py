"""The files that a visitor of Studio loads, as it is built into localbase."""

from __future__ import annotations

import gzip
import re

from localbase.studio.app import PAGES

LARGEST_EDITOR = 200_000
LARGEST_START = 250_000


def compressed(name: str) -> int:
    return len(gzip.compress((PAGES / "assets" / name).read_bytes()))


def test_editor_is_a_chunk_of_its_own_that_other_pages_do_not_load() -> None:
    page = (PAGES / "index.html").read_text(encoding="utf-8")
    started = re.findall(r'(?:src|href)="/assets/([^"]+\.js)"', page)
    (editor,) = {file.name for file in (PAGES / "assets").glob("*.js")} - set(started)
    assert editor.startswith("editor-")
    assert compressed(editor) <= LARGEST_EDITOR
    assert sum(map(compressed, started)) <= LARGEST_START


def test_pages_load_nothing_from_elsewhere() -> None:
    page = (PAGES / "index.html").read_text(encoding="utf-8")
    styles = [file.read_text(encoding="utf-8") for file in (PAGES / "assets").glob("*.css")]
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page) + re.findall(r"url\(([^)]+)\)", "".join(styles))
    assert len(addresses) > 1
    assert [each for each in addresses if not each.startswith("/assets/")] == []
