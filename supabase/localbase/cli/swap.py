"""New data in the place of the old, by renaming: a reset leaves the old data or the new, never half of each.

The new database was made beside the old one, complete. `apply` moves the old database aside, then everything else that
the stack has stored (files, mails, the emulators' state), and at last the new database to its place: that rename is
what decides. `recover` finishes or undoes what a killed process left.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# What outlives a reset: the running supervisor's own files, and the logs.
_STAYS = {"logs", "supervisor.lock", "supervisor.json", "supervisor.json.partial", "restart.json"}
_OLD = "old"


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
        """Where a database may be made to take the place of the present one. `number` separates two makers."""
        return self.data.with_name(f"{self.data.name}.new-{number}")

    def abandoned(self) -> list[Path]:
        """Databases that were begun and never finished."""
        return sorted(self.data.parent.glob(f"{self.data.name}.new-*"))

    def apply(self, fresh: Path) -> None:
        """Puts the database at `fresh` in place. Nothing may run on the old one. Raises `OSError`, with all undone."""
        self.recover()
        try:
            if self.data.exists():
                self.rename(self.data, self._old_data)
            self._old_state.mkdir(parents=True, exist_ok=True)
            for path in self._entries():
                self.rename(path, self._old_state / path.name)
            self.rename(fresh, self.data)
        except OSError:
            self.recover()
            raise

    def recover(self) -> None:
        """Undoes a swap that did not come to its end, and takes away what one that did has left."""
        if self._old_data.exists() and not self.data.exists():
            if self._old_state.exists():
                for path in self._old_state.iterdir():
                    self.rename(path, self.state / path.name)
            self.rename(self._old_data, self.data)
        self.discard_old()

    def discard_old(self) -> None:
        """Takes the old data away for good."""
        shutil.rmtree(self._old_data, ignore_errors=True)
        shutil.rmtree(self._old_state, ignore_errors=True)

    def _entries(self) -> list[Path]:
        databases = {self.data.name, self._old_data.name}
        return [
            path
            for path in self.state.iterdir()
            if path.name not in _STAYS | databases | {_OLD}
            and not path.name.startswith(f"{self.data.name}.new-")
        ]
