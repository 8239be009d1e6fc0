"""A project on disk: its `supabase/` folder, its settings, and the folder of the local stack's state."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.core.configuration import read_settings
from localbase.core.errors import UserError
from localbase.core.moved_ports import moved_file, read_moved
from localbase.core.settings import Settings
from localbase.core.text_files import read_text

if TYPE_CHECKING:
    from localbase.core.tokens.signing import SigningKeys


STATE = "LOCALBASE_STATE"


@dataclass(frozen=True, slots=True)
class Project:
    """`root` holds `supabase/`; `state` holds everything that a start makes and `db reset` may throw away."""

    root: Path
    settings: Settings
    environ: Mapping[str, str]

    @property
    def supabase(self) -> Path:
        return self.root / "supabase"

    @property
    def state(self) -> Path:
        """In the project, or in the folder that LOCALBASE_STATE names: for a checkout that cannot be written."""
        name, folder = self.settings.project_id, self.environ.get(STATE, "").strip()
        if not folder:
            return self.supabase / ".localbase" / name
        # Worktrees of one project have one id.
        mark = hashlib.sha256(str(self.root).encode()).hexdigest()[:8]
        return Path(folder).expanduser().absolute() / f"{name}-{mark}"

    @property
    def identity(self) -> str:
        """The name that tells this project's stack from all others of the machine."""
        return hashlib.sha256(str(self.state).encode()).hexdigest()[:16]

    @property
    def signing(self) -> SigningKeys:
        """Return what users' tokens are signed with. Reads the file of keys, where there is one."""
        # Cryptography takes a quarter of a command's start, and most commands need none.
        from localbase.core.tokens.signing import signing_keys

        auth = self.settings.auth
        return signing_keys(auth.jwt_secret, auth.signing_keys_path, self.supabase, self.environ)

    @property
    def functions(self) -> Path:
        """The folder of functions: `supabase/functions` as upstream, `functions` beside it where only that is there."""
        inside, beside = self.supabase / "functions", self.root / "functions"
        return beside if beside.is_dir() and not inside.is_dir() else inside

    @property
    def unread_functions(self) -> Path | None:
        """`functions` beside `supabase/` where both hold some: what is there is not served."""
        inside, beside = self.supabase / "functions", self.root / "functions"
        holds_some = inside.is_dir() and any(beside.glob("*/main.py"))
        return beside if holds_some and beside.resolve() != inside.resolve() else None


def open_project(workdir: Path, environ: Mapping[str, str] = os.environ) -> Project:
    """The project at `workdir`, with the `.env` files of its root and `supabase/` read beneath the environment."""
    root = workdir.resolve()
    merged = merged_environ(root, environ)
    config = root / "supabase" / "config.toml"
    project = Project(root, read_settings(config, merged), merged)
    moved = read_moved(moved_file(project.state)).besides(merged)
    if not moved.ports:
        return project
    settings = moved.in_settings(read_settings(config, moved.in_environ(merged)))
    # As it was read first: its port is another server's.
    db = replace(settings.db, external_url=project.settings.db.external_url)
    return Project(root, replace(settings, db=db), moved.in_environ(merged))


def merged_environ(root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment over the `.env` files. Raises `UserError` where there is no project."""
    if not (root / "supabase").is_dir():
        raise UserError(
            f"There is no supabase/ folder in {root}.",
            "Run this in a project's root, or name the project with --workdir DIR.",
        )
    merged: dict[str, str] = {}
    for folder in (root / "supabase", root):
        for name in (".env", ".env.local"):
            merged.update(read_dotenv(folder / name))
    merged.update(environ)
    return merged


def read_dotenv(path: Path) -> dict[str, str]:
    """The assignments of a `.env` file. No file, no values. Raises `UserError` for a line that is none."""
    if not path.is_file():
        return {}
    # Here: without such a file a command does without this import.
    from dotenv.parser import parse_stream

    assignments: dict[str, str] = {}
    for binding in parse_stream(StringIO(read_text(path), newline=None)):
        if binding.error or (binding.key is not None and binding.value is None):
            line = binding.original.line
            raise UserError(f"{path}, line {line} is not NAME=value.", "Mend the line and try again.")
        if binding.key is not None:
            assignments[binding.key] = binding.value or ""
    return assignments
