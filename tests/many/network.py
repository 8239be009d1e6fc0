"""Machines of one's own: network namespaces on a bridge, each with an address, its processes and a folder.

Needs root. The bridge lies in this process's own namespace (`python -m tests.many` makes one), so that nothing of the
machine's network changes; a namespace ends with the process that holds it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

NETWORK = "10.77.0"
# The outside world: shoppers, vendors.
WORLD = f"{NETWORK}.1"
_PROGRAM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# An address that moved is where its new owner says: RFC 5227, an ARP announcement.
_ANNOUNCE = """
import socket, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind(('eth0', 0x0806))
mac, address = wire.getsockname()[4], socket.inet_aton(sys.argv[1])
for kind in (b'\\0\\1', b'\\0\\2'):
    arp = b'\\0\\1\\x08\\0\\6\\4' + kind + mac + address + bytes(6) + address
    wire.send(b'\\xff' * 6 + mac + b'\\x08\\6' + arp)
"""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def namespace_of(pid: str) -> Path:
    return Path(f"/proc/{pid}/ns/net").readlink()


def processor_seconds() -> float:
    """Of all that has run in this process's own PID namespace, what has ended and was not waited for included."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            ticks += sum(map(int, path.read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


class Network:
    """The bridge. `close` ends every machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.machines: dict[str, Machine] = {}
        ip("link", "set", "lo", "up")
        ip("link", "add", "many", "type", "bridge")
        ip("addr", "add", f"{WORLD}/24", "dev", "many")
        ip("link", "set", "many", "up")

    def machine(self, name: str, number: int) -> Machine:
        """A new one, at 10.77.0.`number`."""
        made = self.machines[name] = Machine(name, f"{NETWORK}.{number}", self._folder / name)
        return made

    def close(self) -> None:
        for machine in self.machines.values():
            machine.end()
        ip("link", "del", "many")


class Machine:
    """One of them. What runs in its namespace is found by the kernel, whoever started it."""

    def __init__(self, name: str, address: str, folder: Path) -> None:
        self.name = name
        self.address = address
        self.folder = folder
        folder.mkdir(parents=True)
        folder.chmod(0o755)
        self._wire = f"m-{name}"
        self._holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self._pid = str(self._holder.pid)
        own = namespace_of("self")
        while (namespace := namespace_of(self._pid)) == own:
            time.sleep(0.005)
        self._namespace = namespace
        ip("link", "add", self._wire, "type", "veth", "peer", "name", "eth0", "netns", self._pid)
        ip("link", "set", self._wire, "master", "many", "up")
        for words in (
            ("link", "set", "lo", "up"),
            ("link", "set", "eth0", "up"),
            ("addr", "add", f"{address}/24", "dev", "eth0"),
        ):
            self.run(["ip", *words])

    def within(self, command: Sequence[str], user: int | None = None) -> list[str]:
        """The command, in this namespace and as this user."""
        rights = ["-S", str(user), "-G", str(user)] if user else []
        return ["nsenter", "-t", self._pid, "-n", *rights, "--", *command]

    def run(
        self, command: Sequence[str], environ: Mapping[str, str] | None = None, user: int | None = None
    ) -> str:
        """Its output, once it has ended well."""
        done = subprocess.run(
            self.within(command, user),
            env=dict(environ) if environ is not None else None,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"{self.name}: {' '.join(command)[:200]}\n{done.stdout}{done.stderr}")
        return done.stdout

    def spawn(
        self,
        command: Sequence[str],
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        user: int | None = None,
    ) -> subprocess.Popen[bytes]:
        """A process that stays; its lines are in the machine's log."""
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                self.within(command, user),
                env={"PATH": _PROGRAM_PATH, **(environ or {})},
                cwd=cwd or self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def processes(self) -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if namespace_of(path.name) == self._namespace and path.name != self._pid:
                    state = (path / "stat").read_text().rpartition(")")[2].split()[0]
                    if state != "Z":
                        found.append(int(path.name))
        return found

    def signal(self, number: signal.Signals) -> None:
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        """As a power cut: nothing of it runs afterwards."""
        while self.processes():
            self.signal(signal.SIGKILL)
            time.sleep(0.02)

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    def cut(self) -> None:
        """Nothing reaches it, nor does it reach anybody."""
        ip("link", "set", self._wire, "down")

    def mend(self) -> None:
        ip("link", "set", self._wire, "up")

    def take_address(self, address: str) -> None:
        """A further address of its own, which everybody then finds here."""
        self.run(["ip", "addr", "add", f"{address}/24", "dev", "eth0"])
        self.run(["python3", "-c", _ANNOUNCE, address])

    def leave_address(self, address: str) -> None:
        with suppress(AssertionError):
            self.run(["ip", "addr", "del", f"{address}/24", "dev", "eth0"])

    def end(self) -> None:
        self.kill()
        self._holder.kill()
        self._holder.wait()
