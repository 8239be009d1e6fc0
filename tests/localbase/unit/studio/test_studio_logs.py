"""Studio's view of the logs: several files as one, by time, with the lines that are no JSON."""

from __future__ import annotations

import json
from pathlib import Path

from localbase.studio import logs


def line(second: int, message: str) -> str:
    return json.dumps({"time": f"2026-01-01T00:00:{second:02}.000Z", "message": message})


def messages(folder: Path, service: str = "", search: str = "") -> list[str]:
    return [each["message"] for each in logs.lines(folder, service=service, search=search)]


def test_lines_of_all_processes_are_shown_by_time_with_tracebacks_in_their_place(tmp_path: Path) -> None:
    (tmp_path / "gateway.log").write_text(f"{line(1, 'one')}\nTraceback\n  KeyError\n{line(5, 'five')}\n")
    (tmp_path / "functions.log").write_text(f"{line(3, 'three')}\n")
    assert messages(tmp_path) == ["five", "three", "KeyError", "Traceback", "one"]
    assert messages(tmp_path, service="functions") == ["three"]
    assert messages(tmp_path, search="keyerror") == ["KeyError"]


def test_only_the_newest_lines_of_a_long_log_are_shown(tmp_path: Path) -> None:
    (tmp_path / "gateway.log").write_text("".join(f"{line(0, str(number))}\n" for number in range(2000)))
    shown = messages(tmp_path)
    assert (len(shown), shown[0], shown[-1]) == (200, "1999", "1800")
