"""The functions of a project, and the place of the code of each.

A function is a folder with a `main.py` (Python) or an `index.ts` (Deno) below the project's functions, or a
`[functions.<slug>]` with an `entrypoint` in one of the languages. In a folder with both, `main.py` counts unless the
entrypoint is the other; an entrypoint for Deno that is not there leaves `main.py` in its place.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from localbase.core.project import Project
from localbase.core.settings import FunctionSettings

SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}")
Runtime = Literal["python", "deno"]
# Two changes within one tick of the file system's clock leave the same time: a list of that moment may be incomplete.
_TICK_NS = 2_000_000_000
_OF_DENO = (".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs")


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """One function's code. `entrypoint` holds the target, which is the slug in snake_case."""

    slug: str
    entrypoint: Path
    # Of `[functions.<slug>]`; for Deno.
    import_map: Path | None = None

    @property
    def runtime(self) -> Runtime:
        """The runtime of its code."""
        return "deno" if self.entrypoint.suffix in _OF_DENO else "python"

    @property
    def target(self) -> str:
        """The Python function's name."""
        return self.slug.replace("-", "_")


class FunctionSources:
    """The functions of `project`. The folder is listed again only when it has changed."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._listed: tuple[int, frozenset[str]] = (0, frozenset())

    @property
    def root(self) -> Path:
        """The folder of all functions."""
        return self._project.functions

    def settings(self, slug: str) -> FunctionSettings:
        """`[functions.<slug>]`, or its defaults."""
        return self._project.settings.functions.get(slug, FunctionSettings())

    def find(self, slug: str) -> FunctionSource | None:
        """The function of just this name, whether it is enabled or not."""
        if not SLUG.fullmatch(slug):
            return None
        settings = self.settings(slug)
        supabase = self._project.supabase
        import_map = supabase / settings.import_map if settings.import_map else None
        named = supabase / settings.entrypoint if settings.entrypoint else None
        if named is not None and named.suffix in (".py", *_OF_DENO):
            if named.is_file():
                return FunctionSource(slug, named, import_map)
            if named.suffix == ".py":
                return None
        # A file system may not care about small and capital letters, so the name is compared here.
        if slug not in self._folders():
            return None
        names = ("main.py", *(f"index{suffix}" for suffix in _OF_DENO))
        paths = (self.root / slug / name for name in names)
        return next((FunctionSource(slug, path, import_map) for path in paths if path.is_file()), None)

    @property
    def secrets(self) -> frozenset[str]:
        """The names of `[edge_runtime.secrets]`."""
        return frozenset(self._project.settings.edge_runtime.secrets)

    @property
    def project_root(self) -> Path:
        """The folder that holds `supabase/`, where npm's packages lie."""
        return self._project.root

    def all(self) -> list[FunctionSource]:
        """Every function, by name."""
        slugs = sorted(self._folders() | set(self._project.settings.functions))
        return [source for slug in slugs if (source := self.find(slug)) is not None]

    def _folders(self) -> frozenset[str]:
        try:
            changed = self.root.stat().st_mtime_ns
            if changed == self._listed[0]:
                return self._listed[1]
            folders = frozenset(path.name for path in self.root.iterdir() if path.is_dir())
        except OSError:
            return frozenset()
        if abs(time.time_ns() - changed) > _TICK_NS:
            self._listed = changed, folders
        return folders
