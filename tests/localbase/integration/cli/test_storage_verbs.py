"""`storage …`, `seed buckets` and `secrets …` on one running project."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject, until
from tests.support.project_files import ProjectFiles

API = f"http://127.0.0.1:{PORT}"
_CONFIG = """
[functions.shown]
verify_jwt = false
[storage.buckets.pictures]
public = true
objects_path = "./pictures"
[storage.buckets.letters]
allowed_mime_types = ["text/plain"]
"""
FUNCTION = """
import os
import functions_framework


@functions_framework.http
def shown(request):
    return {"greeting": os.environ.get("GREETING", ""), "other": os.environ.get("OTHER", "")}
"""


FILES = ProjectFiles(_CONFIG, functions={"shown": FUNCTION}, others={"pictures/a.txt": "a"})


def listed(project: SmallProject, address: str) -> list[str]:
    paths: list[str] = json.loads(project.run("storage", "ls", "-r", address, "-o", "json").stdout)
    return paths


def run(project: SmallProject, *arguments: str) -> str:
    done = project.run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder `docs` with a text, and a page in a folder of its own."""
    made = tmp_path / "docs"
    (made / "inner").mkdir(parents=True)
    (made / "text.txt").write_text("text")
    (made / "inner" / "page.html").write_text("<p>page</p>")
    return made


@pytest.fixture
def emptied(project: SmallProject) -> Iterator[SmallProject]:
    """The project; what a test leaves in its bucket goes."""
    yield project
    project.run("storage", "rm", "-r", "ss:///pictures/test")


def test_ls_lists_buckets_folders_and_objects(emptied: SmallProject, folder: Path) -> None:
    run(emptied, "storage", "cp", "-r", "-j", "2", str(folder), "ss:///pictures/test/")
    assert run(emptied, "storage", "ls").splitlines() == ["letters/", "pictures/"]
    assert run(emptied, "storage", "ls", "ss:///pic").splitlines() == ["pictures/"]
    assert run(emptied, "storage", "ls", "ss:///pictures/").splitlines() == ["a.txt", "test/"]
    assert run(emptied, "storage", "ls", "ss:///pictures/te").splitlines() == ["test/"]
    inside = ["/pictures/test/docs/inner/page.html", "/pictures/test/docs/text.txt"]
    assert listed(emptied, "ss:///pictures/test/") == inside
    assert run(emptied, "storage", "ls", "-r").splitlines() == ["/pictures/a.txt", *inside]


def test_cp_uploads_with_type_and_cache_control(emptied: SmallProject, folder: Path) -> None:
    run(emptied, "storage", "cp", str(folder / "inner" / "page.html"), "ss:///pictures/test/")
    page = httpx.get(f"{API}/storage/v1/object/public/pictures/test/page.html")
    # A page that a visitor may have uploaded is shown as its text, upstream too.
    assert (page.text, page.headers["content-type"]) == ("<p>page</p>", "text/plain")
    about = httpx.get(f"{API}/storage/v1/object/info/public/pictures/test/page.html").json()
    assert about["content_type"] == "text/html"
    assert page.headers["cache-control"] == "max-age=3600"
    source = str(folder / "text.txt")
    options = ("--content-type", "text/markdown", "--cache-control", "max-age=60")
    run(emptied, "storage", "cp", source, "ss:///pictures/test/b.md", *options)
    text = httpx.get(f"{API}/storage/v1/object/public/pictures/test/b.md")
    assert (text.headers["content-type"], text.headers["cache-control"]) == ("text/markdown", "max-age=60")
    again = emptied.run("storage", "cp", source, "ss:///pictures/test/b.md")
    assert again.returncode == 1
    assert "The resource already exists" in again.stderr


def test_cp_downloads_an_object_and_a_folder(emptied: SmallProject, folder: Path, tmp_path: Path) -> None:
    run(emptied, "storage", "cp", "-r", str(folder), "ss:///pictures/test/docs")
    run(emptied, "storage", "cp", "ss:///pictures/test/docs/text.txt", str(tmp_path / "copy.txt"))
    assert (tmp_path / "copy.txt").read_text() == "text"
    shown = json.loads(
        run(emptied, "storage", "cp", "-r", "ss:///pictures/test/docs", str(tmp_path / "down"), "-o", "json")
    )
    assert shown == [
        {"from": f"ss:///pictures/test/docs/{name}", "to": str(tmp_path / "down" / name)}
        for name in ("inner/page.html", "text.txt")
    ]
    assert (tmp_path / "down" / "inner" / "page.html").read_text() == "<p>page</p>"


def test_objects_are_copied_moved_and_removed(emptied: SmallProject, folder: Path) -> None:
    run(emptied, "storage", "cp", str(folder / "text.txt"), "ss:///pictures/test/1.txt")
    run(emptied, "storage", "cp", "ss:///pictures/test/1.txt", "ss:///letters/1.txt")
    run(emptied, "storage", "mv", "ss:///pictures/test/1.txt", "ss:///pictures/test/inner/")
    assert listed(emptied, "ss:///pictures/test/") == ["/pictures/test/inner/1.txt"]
    run(emptied, "storage", "mv", "-r", "ss:///pictures/test/inner", "ss:///pictures/test/outer")
    assert listed(emptied, "ss:///pictures/test/") == ["/pictures/test/outer/1.txt"]
    run(emptied, "storage", "rm", "ss:///pictures/test/outer/1.txt", "ss:///letters/1.txt")
    assert listed(emptied, "ss:///pictures/test/") == []
    assert listed(emptied, "ss:///letters/") == []


def test_rm_of_a_bucket_takes_all_in_it_and_seed_makes_it_again(emptied: SmallProject, folder: Path) -> None:
    run(emptied, "storage", "cp", "-r", str(folder), "ss:///pictures")
    refused = emptied.run("storage", "rm", "ss:///pictures")
    assert (refused.returncode, "Add -r" in refused.stderr) == (1, True)
    run(emptied, "storage", "rm", "-r", "ss:///pictures")
    assert run(emptied, "storage", "ls").splitlines() == ["letters/"]
    made = json.loads(run(emptied, "seed", "buckets", "-o", "json"))
    assert made == [
        {"bucket": "pictures", "made": True, "objects": 1},
        {"bucket": "letters", "made": False, "objects": 0},
    ]
    assert httpx.get(f"{API}/storage/v1/object/public/pictures/a.txt").text == "a"
    # again, over what there is
    run(emptied, "seed", "buckets")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ls", "pictures"), "pictures is no address in Storage."),
        (("ls", "ss://pictures/a"), "with three slashes"),
        (("cp", "missing.txt", "ss:///pictures/a"), "There is no file missing.txt."),
        (("cp", "a", "b"), "Neither of both lies in Storage."),
        (("cp", "ss:///pictures/missing", "here"), "Object not found"),
        (("rm", "ss:///pictures/missing"), "There is nothing at ss:///pictures/missing."),
        (("rm", "-r", "ss:///"), "All of Storage cannot be removed at once."),
    ],
)
def test_storage_errors_say_what_and_where(
    project: SmallProject, arguments: tuple[str, ...], message: str
) -> None:
    done = project.run("storage", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr


def test_secret_is_seen_by_the_next_call_until_it_is_unset(project: SmallProject) -> None:
    def shown() -> dict[str, str]:
        values: dict[str, str] = httpx.post(f"{API}/functions/v1/shown", timeout=20).json()
        return values

    assert shown() == {"greeting": "", "other": ""}
    value = 'it\'s a "quoted" $value'
    run(project, "secrets", "set", f"GREETING={value}", "OTHER=1")
    assert until(lambda: shown() == {"greeting": value, "other": "1"})
    assert json.loads(run(project, "secrets", "list", "-o", "json")) == [
        {"name": "GREETING", "value": hashlib.sha256(value.encode()).hexdigest()},
        {"name": "OTHER", "value": hashlib.sha256(b"1").hexdigest()},
    ]
    assert "Would unset OTHER." in project.run("secrets", "unset", "--dry-run", "OTHER").stderr
    run(project, "secrets", "unset", "--all")
    assert run(project, "secrets", "list").splitlines() == ["NAME  DIGEST"]
    assert until(lambda: shown() == {"greeting": "", "other": ""})


def test_secrets_come_from_a_file_and_other_lines_stay(project: SmallProject, tmp_path: Path) -> None:
    path = project.root / "supabase" / "functions" / ".env"
    path.write_text("# a remark\nOTHER=2\n")
    (tmp_path / "more.env").write_text("GREETING=hello\n")
    run(project, "secrets", "set", "--env-file", str(tmp_path / "more.env"))
    assert path.read_text().splitlines() == ["# a remark", "OTHER=2", "GREETING='hello'"]
    run(project, "secrets", "unset", "--all")


def test_secret_of_the_platforms_own_name_is_refused(project: SmallProject) -> None:
    done = project.run("secrets", "set", "SUPABASE_URL=http://elsewhere", "GREETING=x")
    assert done.returncode == 1
    assert "SUPABASE_URL: names that begin with SUPABASE_ are the platform's own." in done.stderr
    assert json.loads(run(project, "secrets", "list", "-o", "json")) == []
    missing = project.run("secrets", "unset", "NEVER")
    assert (missing.returncode, "NEVER is not set." in missing.stderr) == (1, True)
