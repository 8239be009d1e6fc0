"""New data in the place of the old, by renaming: a reset leaves the old data or the new, never half of each.

The new database was made beside the old one, complete. `apply` moves the old database aside, then everything else that
the stack has stored (files, mails, the emulators' state), and at last the new database to its place: that rename is
what decides. `recover` finishes or undoes what a killed process left.

Files that come with a database (a snapshot's) lie in a staged folder of the state folder, which the database names:
the rename that decides decides on them too. They move to their places after it, and `recover` finishes that.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from localbase.postgres.account_files import open_folder, write_file

# What outlives a reset: the running supervisor's own files, and the logs.
_STAYS = {
    "logs",
    "supervisor.lock",
    "supervisor.json",
    "supervisor.json.partial",
    "restart.json",
    "restart.json.taken",
}
_OLD = "old"
# What lies in the database's place is none of ours: the check of the data reports it.
_FOREIGN = (NotADirectoryError, PermissionError)
_STAGED = "staged-"
# In a database's folder: the name of the staged folder that belongs to it.
_STAGED_NAME = "localbase-staged"


@dataclass(frozen=True, slots=True)
class DataSwap:
    """A project's state folder and its database's data folder, which may lie in it."""

    state: Path
    data: Path
    rename: Callable[[Path, Path], object] = Path.rename

    @property
    def _old_data(self) -> Path:
        return self.data.with_name(f"{self.data.name}.{_OLD}")

    @property
    def _old_state(self) -> Path:
        return self.state / _OLD

    def new_folder(self, number: int) -> Path:
        """Return where a database may be made to take the place of the present one. `number` separates two makers."""
        return self.data.with_name(f"{self.data.name}.new-{number}")

    def stage(self, fresh: Path, number: int) -> Path:
        """An empty folder for files that shall come into place with the database at `fresh`."""
        folder = self.state / f"{_STAGED}{number}"
        folder.mkdir(parents=True)
        # The account of Postgres owns the folder of the database, and may have put a link there.
        with open_folder(fresh) as database:
            write_file(database, _STAGED_NAME, folder.name.encode())
        return folder

    def abandoned(self) -> list[Path]:
        """Databases and staged files that were begun and never finished."""
        begun = self.data.parent.glob(f"{self.data.name}.new-*")
        # What a database in place names is to be moved yet.
        staged = (path for path in self.state.glob(f"{_STAGED}*") if path != self._staged())
        return sorted([*begun, *staged])

    def entries(self) -> list[Path]:
        """Return what the stack has stored beside its database.

        Files, mails, and what the project's own processes have.
        """
        databases = {self.data.name, self._old_data.name}
        return sorted(
            path
            for path in (self.state.iterdir() if self.state.is_dir() else ())
            if path.name not in _STAYS | databases | {_OLD}
            and not path.name.startswith((f"{self.data.name}.new-", _STAGED))
        )

    def apply(self, fresh: Path) -> None:
        """Puts the database at `fresh` in place. Nothing may run on the old one. Raises `OSError`, with all undone."""
        self.recover()
        try:
            if self.data.exists():
                self.rename(self.data, self._old_data)
            self._old_state.mkdir(parents=True, exist_ok=True)
            for path in self.entries():
                self.rename(path, self._old_state / path.name)
            self.rename(fresh, self.data)
        except OSError:
            self.recover()
            raise
        self._place_staged()

    def apply_database(self, fresh: Path) -> None:
        """Puts the database at `fresh` in place; what else is stored stays. Nothing may run on the old one."""
        self.recover()
        self.rename(self.data, self._old_data)
        self.rename(fresh, self.data)

    def recover(self) -> None:
        """Undoes a swap that did not come to its end, and takes away what one that did has left."""
        if self._old_data.exists() and not self.data.exists():
            if self._old_state.exists():
                for path in self._old_state.iterdir():
                    self.rename(path, self.state / path.name)
            self.rename(self._old_data, self.data)
        self._place_staged()
        self.discard_old()

    def discard_old(self) -> None:
        """Takes the old data away for good."""
        shutil.rmtree(self._old_data, ignore_errors=True)
        shutil.rmtree(self._old_state, ignore_errors=True)

    def _place_staged(self) -> None:
        """Moves the files that came with the database in place, or what a killed process has left to move."""
        folder = self._staged()
        if folder is not None and folder.is_dir():
            for path in folder.iterdir():
                self.rename(path, self.state / path.name)
            folder.rmdir()
        with suppress(*_FOREIGN):
            (self.data / _STAGED_NAME).unlink(missing_ok=True)

    def _staged(self) -> Path | None:
        """The staged folder that belongs to the database in place."""
        try:
            name = (self.data / _STAGED_NAME).read_text(encoding="utf-8")
        except (FileNotFoundError, *_FOREIGN):
            return None
        # A name only: a database may come from anywhere.
        return self.state / name if name.startswith(_STAGED) and name == Path(name).name else None
