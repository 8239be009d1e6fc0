"""`python -m localbase.functions.worker --workdir DIR`: the functions' host as a process of the stack.

The supervisor hands it a listening socket (`LOCALBASE_FUNCTIONS_FD`) that outlives it, so that requests wait while it
restarts.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import importlib
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from localbase.core.logs import log_to_stdout
from localbase.core.project import open_project
from localbase.functions.deno.program import find_deno, warning_about_missing
from localbase.functions.environment import platform_variables, reserved_names, warning_about
from localbase.functions.host import Host
from localbase.functions.limits import process_limits
from localbase.functions.sources import FunctionSources
from localbase.functions.watcher import stamp_of

_log = logging.getLogger("functions")


def main() -> None:
    """Serves the functions of the project named by `--workdir`, on the socket inherited."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    project = open_project(parser.parse_args().workdir)
    log_to_stdout("functions")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    settings = project.settings.edge_runtime
    for name in reserved_names(settings.secrets):
        sys.stdout.write(f"warning: {warning_about(name)}\n")
    sources = FunctionSources(project)
    needing = [source.slug for source in sources.all() if source.runtime == "deno"]
    if needing and find_deno(project.root, project.environ) is None:
        sys.stdout.write(f"warning: {warning_about_missing(needing)}\n")
    sys.stdout.flush()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has a lower limit than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    listener = socket.socket(fileno=int(os.environ["LOCALBASE_FUNCTIONS_FD"]))
    host = Host(
        listener,
        sources,
        {**os.environ, **platform_variables(project)},
        project.state,
        process_limits(settings),
        (reading, writing),
    )
    for word in (signal.SIGTERM, signal.SIGINT):
        signal.signal(word, lambda *_: host.stop())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)

    def prepare() -> None:
        _preload(sources.root)
        # Objects of here are never collected, so a forked process does not write to their pages.
        gc.collect()
        gc.freeze()

    host.serve(prepare)


def libraries_of(root: Path) -> list[str]:
    """The modules of installed libraries that Python files below `root` import as they are loaded, in order.

    What is imported inside a function is for some requests only, and left to the process that answers one.
    The code is only read here, never run: what a function's own modules do at import is its process's affair.
    """
    files = [Path(path) for path, _, _ in stamp_of(root)]
    own = {path.stem for path in files} | {part for path in files for part in path.relative_to(root).parts}
    names = {name for path in files for name in _imported(path)}
    return sorted(name for name in names if name.split(".")[0] not in own and _is_library(name.split(".")[0]))


def _preload(root: Path) -> None:
    """Imports the functions' libraries, once for all processes that are forked from this one.

    One that fails is left to the function that wants it, which then reports it.
    """
    for name in libraries_of(root):
        try:
            importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 - a library's import may raise anything, SystemExit too
            _log.info("%s is not loaded beforehand: %s: %s", name, type(error).__name__, error)


def _imported(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return  # the function's own process reports it
    for node in _at_load(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif node.module and not node.level:
            yield node.module


def _at_load(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run with a module, which those of functions and of type checkers do not.

    Nothing recurses: a source's conditions may be nested as deeply as Python reads them.
    """
    waiting: list[ast.AST] = [tree]
    while waiting:
        match node := waiting.pop():
            case ast.Import() | ast.ImportFrom():
                yield node
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.expr():
                pass
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"), orelse=others):
                waiting.extend(others)
            case _:
                waiting.extend(ast.iter_child_nodes(node))


def _is_library(name: str) -> bool:
    if name in sys.stdlib_module_names:
        return False
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and "site-packages" in (spec.origin or "")


if __name__ == "__main__":
    main()
