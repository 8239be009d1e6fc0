"""Loads Python functions as `functions-framework` does, several in one process, and again when their files change.

Every function's folder holds a `main.py`, with the folder's name in snake_case as target, and may hold modules of its
own. Modules of different functions can share a name, so each function's are dropped from `sys.modules` once it is
loaded. Folders that begin with an underscore (`_shared`) are for all functions.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import functions_framework
from flask import Flask

_log = logging.getLogger("localbase.functions")
# A folder's name and nothing else: no path leads out of the functions.
_SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class _Loaded:
    app: Flask
    stamp: tuple[int, ...]


class Host:
    """The functions below `root`, as one WSGI application: the path's first part chooses."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._loaded: dict[str, _Loaded] = {}
        self._shared_stamp: tuple[int, ...] = ()
        self._lock = threading.Lock()
        sys.path.insert(0, str(root))

    def warm(self) -> None:
        """Loads every function, so that none pays at its first request. One that fails is logged."""
        for path in sorted(self._root.glob("[!_]*/main.py")):
            self._find(path.parent.name)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request."""
        path = environ.get("PATH_INFO", "/")
        if path == "/_health":
            start_response("200 OK", [("content-type", "text/plain")])
            return [b"ok"]
        slug, _, rest = path.removeprefix("/").partition("/")
        app = self._find(slug) if _SLUG.fullmatch(slug) else None
        if app is None:
            start_response("503 Service Unavailable", [("content-type", "application/json")])
            return [b'{"code":"BOOT_ERROR","message":"Function failed to start (please check logs)"}']
        environ["SCRIPT_NAME"] = f"/{slug}"
        environ["PATH_INFO"] = f"/{rest}"
        return app(environ, start_response)

    def _find(self, slug: str) -> WSGIApplication | None:
        folder = self._root / slug
        with self._lock:
            self._drop_changed_shared()
            loaded = self._loaded.get(slug)
            stamp = _stamp(folder)
            if loaded is None or loaded.stamp != stamp:
                app = _load(folder)
                if app is None:
                    self._loaded.pop(slug, None)
                    return None
                loaded = self._loaded[slug] = _Loaded(app, stamp)
            return loaded.app

    def _drop_changed_shared(self) -> None:
        stamp = tuple(part for folder in sorted(self._root.glob("_[!_]*")) for part in _stamp(folder))
        if stamp == self._shared_stamp:
            return
        if self._shared_stamp:
            _log.info("shared code has changed: all functions are loaded anew")
        self._shared_stamp = stamp
        self._loaded.clear()
        for name in [name for name in sys.modules if name.split(".")[0].startswith("_")]:
            source = getattr(sys.modules[name], "__file__", None)
            if source and Path(source).is_relative_to(self._root):
                del sys.modules[name]


def _load(folder: Path) -> Flask | None:
    slug = folder.name
    before = set(sys.modules)
    path = list(sys.path)
    sys.path.insert(0, str(folder))
    try:
        app: Flask = functions_framework.create_app(  # type: ignore[no-untyped-call]
            target=slug.replace("-", "_"), source=str(folder / "main.py"), signature_type="http"
        )
    except BaseException:  # noqa: BLE001 - no exception of a function's own code may end the worker
        _log.error("cannot load %s:\n%s", slug, traceback.format_exc())
        return None
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - before:
            source = getattr(sys.modules[name], "__file__", None)
            if source and Path(source).is_relative_to(folder):
                del sys.modules[name]
    _log.info("loaded %s", slug)
    return app


def _stamp(folder: Path) -> tuple[int, ...]:
    return tuple(path.stat().st_mtime_ns for path in sorted(folder.rglob("*.py")))
