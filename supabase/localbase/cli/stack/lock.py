"""One command at a time on a project: `start`, `stop`, `db reset` and `migration up` wait for each other.

The lock is flock's, on a file that no command removes: it lies beside the project's state folder, which `db reset`
empties. The kernel gives it up when its holder dies, however that happens. The file's text names the holder for
waiting commands, and for the supervisor, which prepares for it. It decides nothing else.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from localbase.cli.terminal import Progress, say
from localbase.core.errors import UserError
from localbase.core.project import Project

# The text and the rights are not for what a link leads to; at a FIFO in its place nobody waits.
_NO_OTHER_FILE = os.O_NOFOLLOW | os.O_NONBLOCK


@contextmanager
def command_lock(project: Project, verb: str) -> Iterator[int]:
    """Holds the project's lock for `verb`, waiting for the command that has it. Yields the lock's descriptor.

    A process that inherits the descriptor goes on holding the lock until it closes it too.
    """
    path = _path(project)
    descriptor = _acquired(path, project.settings.project_id)
    try:
        _write_holder(descriptor, verb)
        yield descriptor
    finally:
        os.close(descriptor)


def is_locked(project: Project) -> bool:
    """Tell whether a command works on the project."""
    try:
        return is_held(_path(project))
    except OSError:
        return False


def is_held(path: Path) -> bool:
    """Tell whether a process holds the lock in this file. Raises `OSError` for one that cannot be opened."""
    descriptor = os.open(path, os.O_RDONLY | _NO_OTHER_FILE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def holder_id(project: Project) -> int | None:
    """The process that has written its name into the lock last: of a command that runs, or of the last one that ran."""
    try:
        word = _path(project).read_text(encoding="utf-8").split(" ", 1)[0]
    except (OSError, ValueError):
        return None
    return int(word) if word.isascii() and word.isdecimal() else None


def _path(project: Project) -> Path:
    return project.state.with_name(f"{project.state.name}.lock")


def _acquired(path: Path, project_id: str) -> int:
    while True:
        descriptor = _opened(path)
        try:
            _lock(descriptor, project_id)
            # The folder may have been removed meanwhile, by hand: then this lock guards nothing any more.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _hide_from_git(path.parent)
        return open_shared(path)
    except OSError as error:
        raise UserError(
            f"Cannot make {path}: {error.strerror}.",
            f"localbase keeps a project's local data in {path.parent}: it must be allowed to write there, or "
            "LOCALBASE_STATE names another folder.",
        ) from error


def open_shared(path: Path) -> int:
    """A lock's file, made where it is not there, for all users. Raises `OSError`."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_OTHER_FILE, 0o666)
    except PermissionError:
        # Another user's file: flock needs no right to write, naming the holder does.
        return os.open(path, os.O_RDONLY | _NO_OTHER_FILE)
    if os.fstat(descriptor).st_uid == os.geteuid():
        os.fchmod(descriptor, 0o666)
    return descriptor


def _lock(descriptor: int, project_id: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = _holder(descriptor)
        say(f"Another `supabase` command ({holder}) works on {project_id}; waiting until it has ended.")
        with Progress().step(f"waiting for {holder}"):
            fcntl.flock(descriptor, fcntl.LOCK_EX)


def _holder(descriptor: int) -> str:
    words = os.pread(descriptor, 200, 0).decode(errors="replace").strip().split(" ", 1)
    return f"process {words[0]}, {words[1]}" if len(words) == 2 else "process unknown"


def _write_holder(descriptor: int, verb: str) -> None:
    text = f"{os.getpid()} {verb}\n".encode()
    # Only for reading by those who wait: another user's file, or a full disk, is no reason not to work.
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, text, 0)


def _hide_from_git(folder: Path) -> None:
    """A project that another tool has made has no line for this folder in its `.gitignore`."""
    note = folder / ".gitignore"
    if not note.exists():
        # Another user's folder is that user's to hide.
        with suppress(PermissionError):
            note.write_text("# Databases, files and logs of the local stack.\n*\n", encoding="utf-8")
