"""The worker of each file, and the order of all: files that share a stack go to the worker that has started it.

pytest-xdist's own order hands the next file to the next idle worker, so each of them starts every stack, which then
idles until the end of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# Where the tests lie that use the stack of a session's fixture. A file that is missing here only costs time.
_LOCALBASE = "tests/localbase/integration"
FOLDERS: Mapping[str, tuple[str, ...]] = {
    "shop": (
        "tests/e2e",
        "tests/shop/integration/functions",
        "tests/shop/integration/sql",
        "tests/shop/integration/deploy",
        *(f"{_LOCALBASE}/cli/test_{name}.py" for name in ("gen_verbs", "official_cli")),
        *(
            f"{_LOCALBASE}/{name}.py"
            for name in ("auth/test_sign_in_at_google", "rest/test_listening_connection")
        ),
        *(f"tests/compat/test_{name}.py" for name in ("by_address", "javascript_client")),
    ),
    "library": (f"{_LOCALBASE}/rest", "tests/compat/test_query_builders.py"),
    "services": (
        *(f"{_LOCALBASE}/{folder}/" for folder in ("functions", "gateway")),
        *(f"{_LOCALBASE}/auth/test_{name}.py" for name in ("at_once", "auth")),
        *(f"{_LOCALBASE}/realtime/test_{name}.py" for name in ("changes", "replication")),
        *(f"{_LOCALBASE}/realtime/test_changes_{name}.py" for name in ("access", "filters", "property")),
        *(f"{_LOCALBASE}/{name}.py" for name in ("cli/test_functions_command", "postgres/test_extensions")),
        f"{_LOCALBASE}/storage/objects/test_objects.py",
        "tests/compat/test_functions_clients.py",
    ),
    "auth": (f"{_LOCALBASE}/auth",),
    "storage": (f"{_LOCALBASE}/storage", "tests/compat/test_storage_clients.py"),
    "realtime": (f"{_LOCALBASE}/realtime",),
    "growth": (f"{_LOCALBASE}/growth",),
    "own database": (f"{_LOCALBASE}/external",),
    "wheel": tuple(f"{_LOCALBASE}/cli/test_{name}.py" for name in ("replacement", "wheel")),
}
# How many workers may start a stack while others are left: the shop's tests take as long as those of two.
_WORKERS = {"shop": 2}
_SLOWEST_FIRST = (
    "tests/chaos",
    "tests/simulation",
    "tests/many",
    "tests/e2e",
    "tests/shop/integration",
    "tests/localbase/integration",
    "tests/compat",
)


def order_of(nodeid: str) -> tuple[int, str]:
    """The place of a test's file among all: those that take long come first. Tests of one file have one place."""
    path = nodeid.split("::", 1)[0]
    ranks = (rank for rank, folder in enumerate(_SLOWEST_FIRST) if path.startswith(folder))
    return next(ranks, len(_SLOWEST_FIRST)), path


def stack_of(path: str) -> str | None:
    """The stack that most tests of the file use; None where they start none or their own."""
    return next((name for name, folders in FOLDERS.items() if path.startswith(folders)), None)


def next_file(waiting: Iterable[str], mine: Iterable[str], others: Iterable[Iterable[str]]) -> str:
    """The file that a worker should take of those that wait (not empty), in their order.

    `mine` are the files that it had, `others` those of each other worker. One of a stack that it started comes first;
    then one of a stack that too few have started; then any without a stack; then the first.
    """
    started = _stacks(mine)
    starts = [name for files in others for name in _stacks(files)]
    order = list(waiting)
    stacks = [stack_of(path) for path in order]
    wishes: tuple[Callable[[str | None], bool], ...] = (
        lambda name: name in started,
        lambda name: name is not None and starts.count(name) < _WORKERS.get(name, 1),
        lambda name: name is None,
    )
    for suits in wishes:
        for path, name in zip(order, stacks, strict=True):
            if suits(name):
                return path
    return order[0]


def _stacks(files: Iterable[str]) -> set[str]:
    return {name for path in files if (name := stack_of(path))}


class StackScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """One file at a time to each worker, chosen by `next_file`."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.split("::", 1)[0]

    def _assign_work_unit(self, node: WorkerController) -> None:
        mine = self.assigned_work[node]
        others = [files for worker, files in self.assigned_work.items() if worker is not node]
        self.workqueue.move_to_end(next_file(self.workqueue, mine, others), last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> StackScheduling | None:
    """Takes the place of pytest-xdist's own for `--dist loadfile`; another one that is named stays."""
    return StackScheduling(config, log) if config.getoption("dist") == "loadfile" else None
