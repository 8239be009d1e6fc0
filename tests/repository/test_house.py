"""The project's own rules: file sizes, documented commands and settings, and tests behind the documents' claims."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support.stacks import ROOT
from tests.support.tracked_files import tracked

_LONGEST = 400
_MOST_SOURCES, _MOST_TESTS = 20, 25
_SOURCES = ("*.py", "*.ts", "*.tsx", "*.js", "*.sql")
_OTHERS = ("sql/seed/", "types/database", "components/ui/", "extension/pgtap--")


def test_files_have_at_most_400_lines() -> None:
    long = {
        name: count
        for name in tracked(*_SOURCES)
        if not any(part in name for part in _OTHERS)
        and (count := len((ROOT / name).read_text(encoding="utf-8").splitlines())) > _LONGEST
    }
    assert long == {}


def test_folders_have_at_most_20_sources_or_25_tests() -> None:
    folders = Counter(
        str(Path(name).parent)
        for name in tracked("*.py", "*.ts", "*.tsx", "*.js")
        if "/" in name and not name.startswith("tests/projects/") and Path(name).stem != "__init__"
    )
    full = {
        folder: count
        for folder, count in folders.items()
        if count > (_MOST_TESTS if folder.startswith("tests/") else _MOST_SOURCES)
    }
    assert full == {}


def test_supabase_folder_is_not_a_package() -> None:
    # It would shadow the official client: its package has the same name.
    assert not (ROOT / "supabase" / "__init__.py").exists()


def test_both_commands_read_the_same_files() -> None:
    assert (ROOT / "supabase" / "config.toml").resolve() == ROOT / "supabase-config.toml"
    assert (ROOT / "supabase" / "migrations").resolve() == ROOT / "sql" / "migrations"


def test_lock_file_lets_npm_verify_every_package() -> None:
    # A package without a digest is installed unverified. Bundled ones come inside another's verified archive.
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    unverified = [
        name
        for name, entry in packages.items()
        if "node_modules/" in name and not entry.keys() & {"integrity", "inBundle", "link"}
    ]
    assert unverified == []


def test_every_make_target_is_explained() -> None:
    makefile = (ROOT / "Makefile").read_text()
    readme = (ROOT / "README.md").read_text()
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony
    internal = {"setup-dev", "setup", "format", "requirements"}
    # halves of `make check` and `make test`, which .ci/run runs side by side
    internal |= {"check-python", "check-web", "test-python", "test-web", "test-studio"}
    for target in set(phony[1].split()) - internal:
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE), f"make {target} is not in `make help`"
        assert f"`make {target}`" in readme, f"make {target} is not in README.md"


def test_every_setting_of_the_functions_is_in_env_example() -> None:
    source = (ROOT / "functions" / "_shared" / "core" / "settings.py").read_text()
    example = (ROOT / ".env.example").read_text()
    names = set(re.findall(r'"([A-Z][A-Z0-9_]{3,})"', source))
    given_by_the_stack = {name for name in names if name.startswith("SUPABASE_")} | {"SITE_URL", "JWT_SECRET"}
    missing = {name for name in names - given_by_the_stack if name not in example}
    assert missing == set()


def test_documents_link_to_existing_files() -> None:
    for name in tracked("*.md"):
        text = (ROOT / name).read_text()
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#]+)", text):
            assert ((ROOT / name).parent / target).exists(), f"{name} links to {target}"


def _patterns(tree: ast.Module) -> Iterator[str | bytes]:
    """The patterns that a module hands to `re`, as far as they are constants."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re")),
                args=[ast.Constant(value=str() | bytes() as text), *_],
            ):
                yield text


def _operations(pattern: Iterable[object]) -> Iterator[str]:
    for item in pattern:
        if isinstance(item, Iterable) and not isinstance(item, str | bytes):
            yield from _operations(item)
        else:
            yield str(item)


def test_patterns_mean_the_same_in_every_python() -> None:
    """Possessive quantifiers and atomic groups are wrong in Python before 3.11.5 (gh-106052), as Debian 12 has it."""
    folders = ("supabase/localbase", "functions", "emulators", "deploy", "tools", "web")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    patterns = [text for path in paths for text in _patterns(ast.parse(path.read_text(encoding="utf-8")))]
    assert len(patterns) > 100
    meant = {text: set(_operations(re._parser.parse(text))) for text in (*patterns, "(a++b)*+")}  # type: ignore[attr-defined]
    assert {
        text for text, operations in meant.items() if {"POSSESSIVE_REPEAT", "ATOMIC_GROUP"} & operations
    } == {"(a++b)*+"}
