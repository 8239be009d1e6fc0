"""Every verb of the command where nothing is as usual: streams, folders, arguments and locales.

A verb that is new to the table is called as its example says. `main` returns an exit code in each case, so that no
traceback is shown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.random_cases import TIMES
from tests.support.stacks import clean_environ

# Calls each verb in a fork, with descriptors and arguments of the case, in a folder of its own.
DRIVER = """
import gc, importlib, io, json, os, shlex, signal, sys
from pathlib import Path
from localbase.cli.table import ROWS, Verb

case = json.loads(sys.argv[1])
root = Path(sys.argv[2])
sys.argv = ["supabase"]
# What starts a stack, or follows a log, needs an end of its own.
LASTING = {"start", "db start", "db reset", "migration down", "functions serve", "functions logs", "logs"}
verbs = [row for row in ROWS if isinstance(row, Verb)]
for row in verbs:
    importlib.import_module(row.module)
from localbase.cli.main import main
gc.freeze()

def run(verb, folder):
    signal.alarm(60)
    os.chdir(folder)
    if case["folder"] == "removed":
        folder.rmdir()
    for number, place in case["streams"].items():
        number = int(number)
        name = ("stdin", "stdout", "stderr")[number]
        if place is None:
            os.close(number)
            setattr(sys, name, None)
        else:
            os.dup2(os.open(place, os.O_RDWR), number)
            setattr(sys, name, open(number, "w", encoding=case["encoding"], closefd=False))
    code = main([*shlex.split(verb.example.replace("\\u2026", "")), *case["arguments"]])
    if sys.stdout is not None:
        sys.stdout.flush()
    return code

codes = {}
for number, verb in enumerate(verbs):
    if case["folder"] == "stopped" and verb.words in LASTING:
        continue
    folder = root / str(number)
    folder.mkdir()
    if case["folder"] in ("stopped", "broken"):
        (folder / "supabase").mkdir()
        config = folder / "supabase" / "config.toml"
        config.write_text('project_id = "odd"' if case["folder"] == "stopped" else "[")
    child = os.fork()
    if not child:
        code = 99
        try:
            code = run(verb, folder)
        except BaseException as error:
            (root / f"{number}.error").write_text(repr(error))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    raised = root / f"{number}.error"
    codes[verb.words] = raised.read_text() if raised.exists() else os.waitstatus_to_exitcode(status)
(root / "codes.json").write_text(json.dumps(codes))
"""
STREAMS: dict[str, dict[str, str | None]] = {
    "as usual": {},
    "no stdin": {"0": None},
    "no stdout": {"1": None},
    "no stderr": {"2": None},
    "none": {"0": None, "1": None, "2": None},
    "stdout on a full disk": {"1": "/dev/full"},
    "stderr on a full disk": {"2": "/dev/full"},
}
EMPTY = tuple(STREAMS) if TIMES > 1 else ("as usual",)
ENDS = (0, 1, 2)


def codes_of(
    root: Path,
    streams: Mapping[str, str | None],
    folder: str = "empty",
    arguments: tuple[str, ...] = (),
    encoding: str = "utf-8",
    **environ: str,
) -> dict[str, int | str]:
    """Return what each verb returns, or the exception that it lets out."""
    case = {"streams": streams, "folder": folder, "arguments": arguments, "encoding": encoding}
    home = {"HOME": str(root / "home"), "XDG_STATE_HOME": str(root / "home")}
    subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(case), str(root)],
        env={**clean_environ(home), **environ},
        capture_output=True,
        check=True,
    )
    codes: dict[str, int | str] = json.loads((root / "codes.json").read_text())
    assert len(codes) > 50
    return codes


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")  # noqa: PTH110
@pytest.mark.parametrize(
    ("streams", "folder"),
    [
        # Without a project a verb ends before it has much to say.
        pytest.param(streams, folder, id=f"{name}-{folder}")
        for folder, names in {"empty": EMPTY, "stopped": tuple(STREAMS)}.items()
        for name, streams in STREAMS.items()
        if name in names
    ],
)
def test_verb_ends_with_a_code_on_unusual_streams(
    tmp_path: Path, streams: dict[str, str | None], folder: str
) -> None:
    codes = codes_of(tmp_path, streams, folder)
    assert {words: code for words, code in codes.items() if code not in ENDS} == {}


def test_result_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    codes = codes_of(tmp_path, {"1": "/dev/full"})
    assert (codes["completion bash"], codes["services"]) == (1, 1)
    (tmp_path / "help").mkdir()
    assert set(codes_of(tmp_path / "help", {"1": "/dev/full"}, arguments=("--help",)).values()) == {1}


def test_verb_of_a_project_with_damaged_settings_is_an_error(tmp_path: Path) -> None:
    codes = codes_of(tmp_path, {}, "broken")
    assert {words: code for words, code in codes.items() if code not in ENDS} == {}
    assert (codes["start"], codes["status"]) == (1, 1)


def test_verb_in_a_folder_that_is_gone_says_so(tmp_path: Path) -> None:
    codes = codes_of(tmp_path, {}, "removed")
    assert {words: code for words, code in codes.items() if code not in ENDS} == {}
    assert (codes["start"], codes["init"], codes["status"]) == (1, 1, 1)


@pytest.mark.parametrize("flag", ["--nonsense", "--workdir", "--output=nonsense"])
def test_flag_that_no_verb_takes_is_a_usage_error(tmp_path: Path, flag: str) -> None:
    assert set(codes_of(tmp_path, {}, arguments=(flag,)).values()) == {2}


@pytest.mark.parametrize("workdir", ["/dev/null", "/dev/null/below", "/proc/self/mem", "x" * 300, "\udcff"])
def test_workdir_that_is_no_folder_is_an_error(tmp_path: Path, workdir: str) -> None:
    codes = codes_of(tmp_path, {}, arguments=(f"--workdir={workdir}",))
    assert {words: code for words, code in codes.items() if code not in ENDS} == {}
    assert (codes["start"], codes["status"]) == (1, 1)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_texts_are_written_in_every_locale(tmp_path: Path, encoding: str) -> None:
    streams = {"1": "/dev/null", "2": "/dev/null"}
    codes = codes_of(tmp_path, streams, "stopped", encoding=encoding, LC_ALL="C", PYTHONUTF8="0")
    assert {words: code for words, code in codes.items() if code not in ENDS} == {}


@pytest.mark.parametrize("home", ["", "/dev/null", "/proc"])
def test_verb_without_a_home_ends_with_a_code(tmp_path: Path, home: str) -> None:
    codes = codes_of(tmp_path, {}, "stopped", HOME=home, XDG_STATE_HOME="", COLUMNS="5", TERM="dumb")
    assert {words: code for words, code in codes.items() if code not in ENDS} == {}
