"""The functions' host without a process: sources, variables, stamps of files, libraries, output."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest
from localbase.core.configuration import read_settings
from localbase.core.errors import UserError
from localbase.core.project import open_project
from localbase.functions.environment import function_environment
from localbase.functions.limits import process_limits
from localbase.functions.output import OutputLog
from localbase.functions.overrides import Overrides, overriding, read_overrides
from localbase.functions.sources import FunctionSources
from localbase.functions.watcher import WatchTimes, stamp_of, stamp_of_shared
from localbase.functions.worker import libraries_of

from tests.support.project_files import ProjectFiles


def project_at(root: Path, config: str = "") -> FunctionSources:
    ProjectFiles(config).write(root)
    return FunctionSources(open_project(root, {}))


def function(root: Path, name: str, code: str = "") -> Path:
    path = root / "supabase" / "functions" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code)
    return path


def test_function_is_a_folder_with_a_main_file(tmp_path: Path) -> None:
    sources = project_at(tmp_path)
    function(tmp_path, "one/main.py")
    function(tmp_path, "Two_2/main.py")
    function(tmp_path, "_shared/main.py")
    function(tmp_path, "none/server.ts")
    function(tmp_path, "main.py")
    assert [source.slug for source in sources.all()] == ["Two_2", "one"]
    assert sources.find("two_2") is None
    assert (deployed := sources.find("Two_2")) is not None
    assert deployed.target == "Two_2"


def test_function_is_found_although_its_folder_has_the_time_of_before(tmp_path: Path) -> None:
    sources = project_at(tmp_path)
    function(tmp_path, "one/main.py")
    seen = sources.root.stat().st_mtime_ns
    assert [source.slug for source in sources.all()] == ["one"]
    function(tmp_path, "two/main.py")
    # as both within one tick of the file system's clock
    os.utime(sources.root, ns=(seen, seen))
    assert [source.slug for source in sources.all()] == ["one", "two"]


def test_python_counts_beside_typescript_unless_the_entrypoint_is_the_other(tmp_path: Path) -> None:
    config = '[functions.named]\nentrypoint = "./functions/named/index.ts"\n'
    config += '[functions.gone]\nentrypoint = "./functions/gone/index.ts"\n'
    sources = project_at(tmp_path, config)
    for name in (
        "both/main.py",
        "both/index.ts",
        "named/main.py",
        "named/index.ts",
        "gone/main.py",
        "js/index.js",
    ):
        function(tmp_path, name)
    assert [(source.slug, source.runtime) for source in sources.all()] == [
        ("both", "python"),
        ("gone", "python"),
        ("js", "deno"),
        ("named", "deno"),
    ]


def test_function_that_is_added_or_removed_is_noticed(tmp_path: Path) -> None:
    sources = project_at(tmp_path)
    assert sources.find("late") is None
    path = function(tmp_path, "late/main.py")
    assert sources.find("late") is not None
    path.unlink()
    assert sources.find("late") is None


def test_limits_are_read_from_the_settings(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[edge_runtime]\nmemory_limit = "64MiB"\ncpu_limit = "1m"\nconcurrency = 4\n')
    limits = process_limits(read_settings(config, {}).edge_runtime)
    assert (limits.memory_bytes, limits.cpu_seconds, limits.wall_clock_seconds) == (64 << 20, 60.0, 400.0)
    assert limits.concurrency == 4


def test_limit_that_is_no_size_is_reported_by_its_name(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[edge_runtime]\nmemory_limit = "much"\n')
    with pytest.raises(
        UserError, match=r"edge_runtime\.memory_limit must be a size such as 512MiB, not 'much'"
    ):
        read_settings(config, {})


def test_file_of_variables_overrules_the_stack_but_not_the_platform(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("OWN=mine\nSECRET=of the file\nSUPABASE_URL=http://elsewhere\nsupabase_lower=fine\n")
    stack = {"SECRET": "of the stack", "SUPABASE_URL": "http://platform", "LOCALBASE_FUNCTIONS_FD": "5"}
    environ, warnings = function_environment(stack, file)
    assert environ == {
        "SECRET": "of the file",
        "SUPABASE_URL": "http://platform",
        "OWN": "mine",
        "supabase_lower": "fine",
    }
    assert warnings == ["Env name cannot start with SUPABASE_, skipping: SUPABASE_URL"]


def test_stamp_changes_with_code_only(tmp_path: Path) -> None:
    code, data = tmp_path / "main.py", tmp_path / "data.json"
    code.write_text("1")
    before = stamp_of(tmp_path)
    data.write_text("{}")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "main.py").write_text("compiled")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert stamp_of(tmp_path) == before
    code.write_text("12")
    assert stamp_of(tmp_path) != before
    (tmp_path / "dangling.py").symlink_to(tmp_path / "nowhere")
    assert stamp_of(tmp_path / "missing") == ()


def test_entry_that_cannot_be_read_counts_as_absent(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("1")
    before, before_shared = stamp_of(tmp_path), stamp_of_shared(tmp_path)
    loop = tmp_path / "loop.py"
    loop.symlink_to(loop)
    assert stamp_of(tmp_path) == before
    assert stamp_of_shared(tmp_path) == before_shared
    assert stamp_of(loop) == ()


def test_call_soon_after_a_look_causes_none() -> None:
    times = WatchTimes()
    times.watched(10.0)
    assert (times.is_due_at_call(10.24), times.is_due_at_call(10.25)) == (False, True)


def test_stamp_of_shared_code_is_of_folders_with_an_underscore(tmp_path: Path) -> None:
    (tmp_path / "_shared").mkdir()
    (tmp_path / "one").mkdir()
    before = stamp_of_shared(tmp_path)
    (tmp_path / "one" / "main.py").write_text("1")
    assert stamp_of_shared(tmp_path) == before
    (tmp_path / "_shared" / "code.py").write_text("1")
    assert stamp_of_shared(tmp_path) != before


def test_libraries_that_loading_imports_are_found_in_the_sources_without_running_them(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        "import os, flask\nimport helper\nfrom _shared import shop\nraise SystemExit\n"
        "import no_such_library\nfrom . import near\ntry:\n    import jinja2\nexcept ImportError:\n    pass\n"
    )
    (tmp_path / "later.py").write_text(
        "import typing\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    import httpcore\nelse:\n    import werkzeug\n"
        "if typing.TYPE_CHECKING:\n    import h11\n"
        "def later():\n    import idna\n"
        "class Later:\n    import click\n    async def later(self):\n        import certifi\n"
    )
    (tmp_path / "helper.py").write_text("import pytest\n")
    many = "elif os:\n    import idna\n" * 1000
    (tmp_path / "long.py").write_text(f"if os:\n    pass\n{many}words = {' + '.join(['1'] * 2000)}\n")
    (tmp_path / "broken.py").write_text("def broken(:\n")
    (tmp_path / "_shared").mkdir()
    (tmp_path / "_shared" / "shop.py").write_text("import httpx._client\n")
    assert libraries_of(tmp_path) == [
        "click",
        "flask",
        "httpx._client",
        "idna",
        "jinja2",
        "pytest",
        "werkzeug",
    ]


def test_overrides_count_only_while_they_are_held(tmp_path: Path) -> None:
    overrides = Overrides(tmp_path / "a.env", verify_jwt=False)
    with overriding(tmp_path, overrides):
        assert read_overrides(tmp_path) == overrides
    assert read_overrides(tmp_path) == Overrides()
    (tmp_path / "functions-serve.json").write_text('{"env_file": null, "verify_jwt": false}')
    assert read_overrides(tmp_path) == Overrides()


def test_output_is_logged_in_lines_at_a_bounded_pace(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("functions.talking")
    caplog.set_level(logging.INFO)
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    output = OutputLog(bytes_per_second=20_000)
    os.write(writing, b"one\ntwo\r\nhalf")
    assert output.read(log, reading, 0.0)
    os.write(writing, b" and half\n" + b"x" * 20_000)
    assert not output.read(log, reading, 0.1)
    assert not output.may_go_on(reading, 0.9)
    assert output.may_go_on(reading, 1.1)
    os.close(writing)
    output.finish(log, reading)
    os.close(reading)
    texts = [record.getMessage() for record in caplog.records]
    assert texts[:3] == ["one", "two", "half and half"]
    assert [len(text) for text in texts[3:]] == [8192, 8192, 3616]


def test_code_is_looked_at_often_while_requests_come_and_once_a_second_at_rest() -> None:
    times = WatchTimes()
    assert times.is_due_at_call(100.0)
    times.watched(100.0)
    assert times.next == 100.25
    assert not times.is_due_at_call(100.2)
    times.watched(102.0)
    assert times.next == 102.25
    times.watched(102.5)
    assert times.next == 103.5


def test_first_request_after_a_rest_finds_the_code_of_now() -> None:
    times = WatchTimes()
    times.watched(111.0)
    assert times.is_due_at_call(111.9)
    times.watched(111.9)
    assert times.next == 112.15
