"""Which functions a project has, and where the code of each lies.

A function is a folder with a `main.py` below the project's functions, or a `[functions.<slug>]` with an `entrypoint`
that is a Python file. An entrypoint of another language is the official CLI's: here `main.py` counts all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from localbase.core.project import Project
from localbase.core.settings import FunctionSettings

SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}")


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """One function's code. `entrypoint` holds the target, which is the slug in snake_case."""

    slug: str
    entrypoint: Path

    @property
    def target(self) -> str:
        """The Python function's name."""
        return self.slug.replace("-", "_")


class Catalog:
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
        own = self._project.settings.functions.get(slug)
        if own is not None and own.entrypoint.endswith(".py"):
            path = self._project.supabase / own.entrypoint
            return FunctionSource(slug, path) if path.is_file() else None
        # A file system may not care about small and capital letters, so the name is compared here.
        if slug not in self._folders():
            return None
        path = self.root / slug / "main.py"
        return FunctionSource(slug, path) if path.is_file() else None

    def all(self) -> list[FunctionSource]:
        """Every function, by name."""
        slugs = sorted(self._folders() | set(self._project.settings.functions))
        return [source for slug in slugs if (source := self.find(slug)) is not None]

    def _folders(self) -> frozenset[str]:
        try:
            changed = self.root.stat().st_mtime_ns
            if changed != self._listed[0]:
                self._listed = changed, frozenset(path.name for path in self.root.iterdir() if path.is_dir())
        except OSError:
            return frozenset()
        return self._listed[1]
