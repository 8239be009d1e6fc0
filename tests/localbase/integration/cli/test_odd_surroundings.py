"""Every verb of the command where nothing is as usual: streams, folders, arguments and locales.

A verb that is new to the table is called as its example says. `main` returns an exit code in each case, so that no
traceback is shown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.random_cases import TIMES
from tests.support.stacks import clean_environ

# Takes cases, one a line. Calls each verb in a fork, with descriptors, arguments and environment of the case, in a
# folder of its own. Of several streams, arguments, environments or encodings the verbs take one after the other.
DRIVER = """
import gc, importlib, json, os, shlex, signal, sys
from pathlib import Path
from localbase.cli.table import ROWS, Verb

cases, sys.argv = sys.stdin, ["supabase"]
# What starts a stack, or follows a log, needs an end of its own.
LASTING = {"start", "db start", "db reset", "migration down", "functions serve", "functions logs", "logs"}
verbs = [row for row in ROWS if isinstance(row, Verb)]
for row in verbs:
    importlib.import_module(row.module)
from localbase.cli.main import main
gc.freeze()

def run(case, verb, number, folder):
    signal.alarm(60)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(case["environs"][number % len(case["environs"])])
    if case["folder"] == "removed":
        folder.rmdir()
    encoding = case["encodings"][number % len(case["encodings"])]
    for stream, place in case["streams"][number % len(case["streams"])].items():
        stream = int(stream)
        name = ("stdin", "stdout", "stderr")[stream]
        if place is None:
            os.close(stream)
            setattr(sys, name, None)
        else:
            os.dup2(os.open(place, os.O_RDWR), stream)
            mode = "w" if stream else "r"
            setattr(sys, name, open(stream, mode, encoding=encoding, closefd=False))
    arguments = case["arguments"][number % len(case["arguments"])]
    code = main([*shlex.split(verb.example.replace("\\u2026", "")), *arguments])
    if sys.stdout is not None:
        sys.stdout.flush()
    return code

for line in cases:
    case = json.loads(line)
    root, codes = Path(case["root"]), {}
    for number, verb in enumerate(verbs):
        if case["folder"] == "stopped" and verb.words in LASTING:
            continue
        if case["verbs"] and verb.words not in case["verbs"]:
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
                code = run(case, verb, number + case["turn"], folder)
            except BaseException as error:
                (root / f"{number}.error").write_text(repr(error))
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        raised = root / f"{number}.error"
        codes[verb.words] = raised.read_text() if raised.exists() else os.waitstatus_to_exitcode(status)
    print(json.dumps(codes), flush=True)
"""
needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without /dev/full")  # noqa: PTH110
# None is a stream that is closed; on /dev/full nothing can be written.
FULL: dict[str, str | None] = {"1": "/dev/full"}
STREAMS: tuple[dict[str, str | None], ...] = (
    {},
    {"0": None},
    {"1": None},
    {"2": None},
    {"0": None, "1": None, "2": None},
    FULL,
    {"2": "/dev/full"},
)
USUAL: dict[str, str | None] = {"0": "/dev/null", "1": "/dev/null", "2": "/dev/null"}
ENDS = (0, 1, 2)
FLAGS = ("--nonsense", "--workdir", "--output=nonsense")
NO_FOLDERS = ("/dev/null", "/dev/null/below", "/proc/self/mem", "x" * 300, "\udcff")
ENCODINGS = ("ascii", "latin-1")
NO_HOMES = ("", "/dev/null", "/proc")
NO_ARGUMENTS: tuple[tuple[str, ...], ...] = ((),)


class Driver:
    """The process that calls the verbs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def codes(
        self,
        root: Path,
        streams: Sequence[Mapping[str, str | None]] = ({},),
        folder: str = "empty",
        arguments: Sequence[tuple[str, ...]] = NO_ARGUMENTS,
        environs: Sequence[Mapping[str, str]] = ({},),
        turn: int = 0,
        encodings: Sequence[str] = ("utf-8",),
        verbs: Sequence[str] = (),
    ) -> dict[str, int | str]:
        """Return what each verb returns, or the exception that it lets out.

        A verb takes one of the `streams`, `arguments`, `environs` and `encodings`; at the next `turn` the next one.
        Where `verbs` are named, only those are called.
        """
        home = {"HOME": str(root / "home"), "XDG_STATE_HOME": str(root / "home")}
        case = {
            "root": str(root),
            "streams": [{**USUAL, **each} for each in streams],
            "folder": folder,
            "arguments": arguments,
            "environs": [{**clean_environ(home), **each} for each in environs],
            "turn": turn,
            "encodings": encodings,
            "verbs": verbs,
        }
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(case) + "\n")
        self._process.stdin.flush()
        codes: dict[str, int | str] = json.loads(self._process.stdout.readline())
        assert len(codes) > 50 or codes.keys() == set(verbs)
        return codes


@contextmanager
def driver_in(environ: Mapping[str, str]) -> Iterator[Driver]:
    """One whose interpreter begins in this environment."""
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER],
        env=clean_environ(environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Driver(process)


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    with driver_in({}) as made:
        yield made


@pytest.fixture(scope="module")
def old_driver() -> Iterator[Driver]:
    """In the locale of a system that has set none."""
    with driver_in({"LC_ALL": "C", "PYTHONUTF8": "0"}) as made:
        yield made


def turns(several: Sequence[object], ordinary: int = 1) -> pytest.MarkDecorator:
    """One, or where a run takes more cases so many that each verb takes all of them."""
    return pytest.mark.parametrize("turn", range(len(several) if TIMES > 1 else ordinary))


def require_codes(codes: Mapping[str, int | str]) -> None:
    """No verb lets an exception out, or ends with a code that no command has."""
    assert {words: code for words, code in codes.items() if code not in ENDS} == {}


@needs_full
@turns(STREAMS, 2)
def test_verb_ends_with_a_code_on_unusual_streams(driver: Driver, tmp_path: Path, turn: int) -> None:
    require_codes(driver.codes(tmp_path, STREAMS, "stopped", turn=turn))


@needs_full
@turns(STREAMS)
def test_verb_without_a_project_ends_with_a_code_on_unusual_streams(
    driver: Driver, tmp_path: Path, turn: int
) -> None:
    require_codes(driver.codes(tmp_path, STREAMS, turn=turn))


def test_result_that_cannot_be_written_is_an_error(driver: Driver, tmp_path: Path) -> None:
    codes = driver.codes(tmp_path, [FULL], verbs=("completion bash", "services"))
    assert codes == {"completion bash": 1, "services": 1}
    (tmp_path / "help").mkdir()
    assert set(driver.codes(tmp_path / "help", [FULL], arguments=[("--help",)]).values()) == {1}


def test_verb_of_a_project_with_damaged_settings_is_an_error(driver: Driver, tmp_path: Path) -> None:
    codes = driver.codes(tmp_path, folder="broken")
    require_codes(codes)
    assert (codes["start"], codes["status"]) == (1, 1)


def test_verb_in_a_folder_that_is_gone_says_so(driver: Driver, tmp_path: Path) -> None:
    codes = driver.codes(tmp_path, folder="removed")
    require_codes(codes)
    assert (codes["start"], codes["init"], codes["status"]) == (1, 1, 1)


@turns(FLAGS)
def test_flag_that_no_verb_takes_is_a_usage_error(driver: Driver, tmp_path: Path, turn: int) -> None:
    codes = driver.codes(tmp_path, arguments=[(flag,) for flag in FLAGS], turn=turn)
    assert {words: code for words, code in codes.items() if code != 2} == {}


@turns(NO_FOLDERS)
def test_workdir_that_is_no_folder_is_an_error(driver: Driver, tmp_path: Path, turn: int) -> None:
    codes = driver.codes(tmp_path, arguments=[(f"--workdir={name}",) for name in NO_FOLDERS], turn=turn)
    require_codes(codes)
    assert (codes["start"], codes["status"]) == (1, 1)


@turns(ENCODINGS)
def test_texts_are_written_in_every_locale(old_driver: Driver, tmp_path: Path, turn: int) -> None:
    require_codes(old_driver.codes(tmp_path, folder="stopped", encodings=ENCODINGS, turn=turn))


@turns(NO_HOMES)
def test_verb_without_a_home_ends_with_a_code(driver: Driver, tmp_path: Path, turn: int) -> None:
    environs = [{"HOME": home, "XDG_STATE_HOME": "", "COLUMNS": "5", "TERM": "dumb"} for home in NO_HOMES]
    codes = driver.codes(tmp_path, folder="stopped", environs=environs, turn=turn)
    require_codes(codes)
