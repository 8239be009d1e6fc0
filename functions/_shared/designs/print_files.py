"""Print files that nobody needs, and those that are needed again (sql/migrations/…_print_files.sql).

The sweep has old files removed of designs that nobody ordered; the first order that goes to print has its file made
anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from _shared.core.clock import Clock
from _shared.core.data import Data
from _shared.core.errors import ShopError
from _shared.core.logs import log_context, log_trouble
from _shared.designs.designs import Design, Designs

# of the bucket's objects, looked at with one run
_AT_ONCE = 200
# longer than the platform lets a sweep work
_LEASE_SECONDS = 450
_ID_LENGTH = 36


class Maker(Protocol):
    """`print_products.PrintProducts`."""

    def make_file_again(self, design: Design, name: str) -> None: ...


class Versions(Protocol):
    """`versions.scene_versions.SceneVersions`."""

    def make_file_again(self, name: str) -> None: ...


class PrintFiles:
    """Works as the service; `after_days` is the age at which a file that nobody needs is removed."""

    def __init__(
        self,
        data: Data,
        designs: Designs,
        maker: Maker,
        versions: Callable[[], Versions],
        clock: Clock,
        *,
        after_days: int,
    ) -> None:
        self._data = data
        self._designs = designs
        self._maker = maker
        self._versions = versions
        self._clock = clock
        self._after_days = after_days

    def retire(self) -> dict[str, int]:
        """Has old files removed that nobody ordered: the sweep's tasks on objects do it. Figures."""
        retired = self._data.value("retire_print_files", {"after_days": self._after_days, "most": _AT_ONCE})
        return {"retired_print_files": int(str(retired))}

    def make_again(self, end: float) -> dict[str, int]:
        """Makes one file anew, if the clock's `end` has not come: it takes a model's time and memory. Figures."""
        figures = {"print_files": 0, "failed_print_files": 0}
        if self._clock.monotonic() >= end:
            return figures
        for task in self._data.call("claim_print_file", {"lease_seconds": _LEASE_SECONDS}):
            name = str(task["name"])
            with log_context(print_file=name):
                made = self._make(int(task["id"]), name)
            figures["print_files" if made else "failed_print_files"] += 1
        return figures

    def _make(self, task: int, name: str) -> bool:
        try:
            if name[_ID_LENGTH:].startswith(("-front", "-back")):
                self._versions().make_file_again(name)
            elif design := self._designs.find(name[:_ID_LENGTH]):  # else deleted meanwhile
                self._maker.make_file_again(design, name)
            self._data.value("finish_object_tasks", {"tasks": [task]})
        except ShopError as problem:
            log_trouble("print file was not made", problem.cause or problem, code=problem.code)
            why = f"{problem.code}: {problem.cause or problem}"
            self._data.value("fail_object_tasks", {"tasks": [task], "problem": why})
            return False
        return True
