"""print_files: one file a run is made anew, within the sweep's time; a failure is repeated."""

from __future__ import annotations

from typing import Any

import pytest
from _shared.core.clock import Clock
from _shared.core.errors import unavailable
from _shared.designs.designs import Design, Designs
from _shared.designs.print_files import PrintFiles

from tests.shop.unit.functions.log_lines import captured_lines

DESIGN = "11111111-1111-4111-8111-111111111111"
FILE = f"{DESIGN}-2.png"
BACK_OF_A_VERSION = f"{DESIGN}-back-2.png"


class Queue:
    """The database: one task, one design, and what became of them."""

    def __init__(self, *, has_design: bool = True, file: str = FILE) -> None:
        self.ends: list[tuple[str, Any]] = []
        self._file = file
        self._has_design = has_design

    def row(self, _table: str, _columns: str, where: dict[str, Any]) -> dict[str, Any] | None:
        assert where == {"id": DESIGN}
        named: dict[str, Any] = {
            "id": DESIGN,
            "user_id": "u",
            "name": "Dragon",
            "image_data": "",
            "image_url": "u/d/picture.png",
            "selected_colors": [],
            "current_version": None,
            "has_back": False,
        }
        return named | {"printify_product_id": "product"} if self._has_design else None

    def call(self, function: str, _arguments: Any) -> list[dict[str, Any]]:
        assert function == "claim_print_file"
        return [{"id": 7, "name": self._file}]

    def value(self, function: str, arguments: Any) -> object:
        self.ends.append((function, arguments))
        return 3


class Maker:
    def __init__(self, *, fails: bool = False) -> None:
        self.made: list[tuple[str, str]] = []
        self._fails = fails

    def make_file_again(self, design: Design, name: str) -> None:
        if self._fails:
            raise unavailable("artist_unavailable", "Not now.", "no answer")
        self.made.append((design.id, name))


class Versions:
    def __init__(self) -> None:
        self.made: list[str] = []

    def make_file_again(self, name: str) -> None:
        self.made.append(name)


def print_files(queue: Any, maker: Maker, versions: Versions | None = None) -> PrintFiles:
    return PrintFiles(queue, Designs(queue), maker, lambda: versions or Versions(), Clock(), after_days=90)


def test_file_of_a_version_is_made_of_its_scene() -> None:
    maker, versions = Maker(), Versions()
    print_files(Queue(file=BACK_OF_A_VERSION), maker, versions).make_again(Clock().monotonic() + 60)
    assert (maker.made, versions.made) == ([], [BACK_OF_A_VERSION])


@pytest.mark.parametrize(("has_design", "made"), [(True, [(DESIGN, FILE)]), (False, [])])
def test_file_is_made_anew_unless_its_design_is_gone(has_design: bool, made: list[tuple[str, str]]) -> None:
    queue, maker = Queue(has_design=has_design), Maker()
    figures = print_files(queue, maker).make_again(Clock().monotonic() + 60)
    assert figures == {"print_files": 1, "failed_print_files": 0}
    assert (maker.made, queue.ends) == (made, [("finish_object_tasks", {"tasks": [7]})])


def test_file_that_cannot_be_made_is_tried_again_later_and_logged() -> None:
    queue = Queue()
    with captured_lines() as lines:
        figures = print_files(queue, Maker(fails=True)).make_again(Clock().monotonic() + 60)
    assert figures == {"print_files": 0, "failed_print_files": 1}
    failed = {"tasks": [7], "problem": "artist_unavailable: no answer"}
    assert queue.ends == [("fail_object_tasks", failed)]
    assert [(line["message"], line["print_file"]) for line in lines] == [("print file was not made", FILE)]


def test_no_file_is_begun_once_the_sweeps_time_is_over() -> None:
    queue, maker = Queue(), Maker()
    assert print_files(queue, maker).make_again(Clock().monotonic()) == {
        "print_files": 0,
        "failed_print_files": 0,
    }
    assert (maker.made, queue.ends) == ([], [])


def test_old_files_are_removed_by_the_owners_days() -> None:
    queue = Queue()
    assert print_files(queue, Maker()).retire() == {"retired_print_files": 3}
    assert queue.ends == [("retire_print_files", {"after_days": 90, "most": 200})]
