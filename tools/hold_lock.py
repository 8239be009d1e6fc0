"""`python tools/hold_lock.py FILE COMMAND…`: runs a command while no other holds the lock; the exit code is its own.

Make's installing steps run under it, before there is an environment: any Python 3.5 or later of the system will do,
also macOS's, which has no `flock` command. The lock is the kernel's, so a process that was killed leaves none behind.
"""

import fcntl
import pathlib
import signal
import subprocess
import sys


def main(path: str, command: "list[str]") -> int:
    """The command's exit code."""
    file = pathlib.Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    # not inherited: what a step leaves running for a moment must not hold the lock
    with file.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.stdout.write("  another make is installing, waiting …\n")
            sys.stdout.flush()
            fcntl.flock(lock, fcntl.LOCK_EX)
        # the terminal interrupts the command itself, and the lock is held until that has ended
        signal.signal(signal.SIGINT, lambda _number, _frame: None)
        child = subprocess.Popen(command)
        signal.signal(signal.SIGTERM, lambda _number, _frame: child.terminate())
        code = child.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
