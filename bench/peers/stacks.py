"""localbase and its peers, each as `bench.peers` runs it: how it is installed, started, stopped and cleared.

Each runs `examples/todo` in a folder of its own. What one cannot do here raises `Unmeasured` with the reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

import localbase
import yaml  # type: ignore[import-untyped, unused-ignore]

from bench.peers.tools import (
    Unmeasured,
    file_size,
    has,
    home,
    installed,
    key_of,
    npm_platforms,
    python_files,
    reason,
    seconds_until_served,
    tree_size,
    wait_for,
)
from bench.process_memory import descending, inheriting

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "examples" / "todo"
# Marks a peer's processes, which inherit it.
MARK = "BENCH_PEER"
_CLI, _LITE, _FIREBASE = (
    "supabase@3.1.0",
    ("@supabase/lite@0.10.0", "postgres@3.4.9"),
    "firebase-tools@15.34.2",
)
_CLI_MANIFEST = home("official-cli") / "node_modules/supabase/package.json"
_CLI_PROGRAM = home("official-cli") / "node_modules/.bin/supabase"
_TIMEOUT = 600


class Peer(ABC):
    """One of the programs. `folder` has its project and all its data."""

    name: str
    functions: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environ = {
            **os.environ,
            MARK: self.name,
            "DO_NOT_TRACK": "1",
            "LITE_TELEMETRY": "0",
            "FIREBASE_CLI_DISABLE_UPDATE_CHECK": "1",
        }

    def install(self) -> None:
        """Brings what a start needs from the network, and writes the project. Raises `Unmeasured`."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(
            PROJECT / "supabase", self.folder / "supabase", ignore=shutil.ignore_patterns(".localbase")
        )

    @abstractmethod
    def start(self) -> float:
        """Starts; the seconds until the API answers. Raises `Unmeasured`."""

    @abstractmethod
    def stop(self) -> None:
        """Stops; the data stays."""

    @abstractmethod
    def clear(self) -> None:
        """Removes the data of the stopped peer."""

    def processes(self) -> list[int]:
        """Those that run for it."""
        # Postgres writes its titles over its environment.
        return descending(inheriting(MARK, self.name))

    @abstractmethod
    def disk(self) -> int:
        """Bytes of the installed program and of its data, without Python or Node."""

    @abstractmethod
    def platforms(self) -> str:
        """Return where it runs."""

    def run(self, *command: str | Path) -> str:
        """A command of the peer in its folder. Raises `Unmeasured` with what it said last."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            check=False,
        )
        if done.returncode:
            raise Unmeasured(reason(done.stdout + done.stderr))
        return done.stdout

    def timed(self, *command: str | Path) -> float:
        """The seconds that a command takes. Raises `Unmeasured`."""
        began = time.monotonic()
        self.run(*command)
        return time.monotonic() - began


class Localbase(Peer):
    """This project."""

    name = "localbase"
    functions = "Python; TypeScript and JavaScript by Deno"

    def start(self) -> float:
        return self.timed(*self._command, "start") + seconds_until_served(self._key())

    def stop(self) -> None:
        self.run(*self._command, "stop")

    def clear(self) -> None:
        shutil.rmtree(self.folder / "supabase" / ".localbase", ignore_errors=True)

    def disk(self) -> int:
        program = sum(file_size(file) for file in python_files("localbase"))
        package = Path(localbase.__file__).parent
        return program + tree_size(package) + tree_size(self.folder)

    def platforms(self) -> str:
        workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
        return ", ".join(workflow["jobs"]["run"]["strategy"]["matrix"]["os"]) + " (tested)"

    @property
    def _command(self) -> tuple[str, ...]:
        return sys.executable, "-m", "localbase"

    def _key(self) -> str:
        return key_of(self.run(*self._command, "status", "-o", "env"))


class OfficialDocker(Peer):
    """The official CLI and its containers."""

    name = "supabase CLI, Docker"
    functions = "TypeScript and JavaScript (edge-runtime)"
    program = _CLI_PROGRAM

    def install(self) -> None:
        super().install()
        engine = (
            subprocess.run(["docker", "info"], capture_output=True, check=False) if has("docker") else None
        )
        if engine is None or engine.returncode:
            raise Unmeasured("needs Docker")
        installed("official-cli", _CLI)
        # Its images come with the first start.
        self.start()
        self.stop()

    def start(self) -> float:
        spent = self.timed(self.program, "start")
        return spent + seconds_until_served(key_of(self.run(self.program, "status", "-o", "env")))

    def stop(self) -> None:
        self.run(self.program, "stop")

    def clear(self) -> None:
        self.run(self.program, "stop", "--no-backup", "--yes")

    def processes(self) -> list[int]:
        shown = self.run("docker", "inspect", "-f", "{{.State.Pid}}", *self._containers())
        return descending([int(pid) for pid in shown.split()])

    def disk(self) -> int:
        images = set(self.run("docker", "inspect", "-f", "{{.Image}}", *self._containers()).split())
        sizes = self.run("docker", "image", "inspect", "-f", "{{.Size}}", *sorted(images)).split()
        return sum(map(int, sizes)) + tree_size(self.program.parents[2])

    def platforms(self) -> str:
        return f"{npm_platforms(_CLI_MANIFEST)}, with Docker"

    def _containers(self) -> list[str]:
        return self.run("docker", "ps", "-q", "--filter", "label=com.supabase.cli.project=todo").split()


class OfficialNative(Peer):
    """The official CLI's experimental stack without containers."""

    name = "supabase CLI, native stack"
    functions = "TypeScript and JavaScript (edge-runtime)"
    program = _CLI_PROGRAM

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        # Its artifacts and data lie in the home folder.
        self.environ["HOME"] = str(home("official-cli") / "home")
        if not os.geteuid():
            # Postgres does not run as root.
            self.environ.setdefault("SUPABASE_NATIVE_POSTGRES_USER", "postgres")

    def install(self) -> None:
        super().install()
        installed("official-cli", _CLI)
        Path(self.environ["HOME"]).mkdir(exist_ok=True)
        config = self.folder / "supabase" / "config.toml"
        config.write_text(f"{config.read_text()}\n[experimental]\nstack = true\n")
        self.run(self.program, "stack", "install", "--runtime", "native")

    def start(self) -> float:
        spent = self.timed(self.program, "stack", "start", "--runtime", "native")
        return spent + seconds_until_served(key_of(self.run(self.program, "status", "-o", "env")))

    def stop(self) -> None:
        self.run(self.program, "stack", "stop")

    def clear(self) -> None:
        self.run(self.program, "stack", "destroy", "--yes")

    def disk(self) -> int:
        return tree_size(home("official-cli"))

    def platforms(self) -> str:
        return f"the CLI: {npm_platforms(_CLI_MANIFEST)}"


class Foreground(Peer):
    """A peer that runs as long as its command."""

    log: Path
    server: subprocess.Popen[bytes] | None = None

    def launch(self, *command: str | Path) -> None:
        """Begins the command."""
        self.log = self.folder / "log"
        with self.log.open("wb") as log:
            self.server = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def check(self) -> None:
        """Raises `Unmeasured` when the command has ended."""
        if self.server and self.server.poll() is not None:
            raise Unmeasured(reason(self.log.read_text(encoding="utf-8", errors="replace")))

    def processes(self) -> list[int]:
        # Node writes a process's title over its environment.
        return descending([self.server.pid]) if self.server else []

    def stop(self) -> None:
        if self.server is None or self.server.poll() is not None:
            return
        os.killpg(self.server.pid, signal.SIGINT)
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            # It would wait for keep-alive connections.
            os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait()


class Lite(Foreground):
    """`@supabase/lite` on PGlite, its Postgres; without the example's publication, as it has no Realtime."""

    name = "@supabase/lite"
    functions = "none"
    program = home("lite") / "node_modules/.bin/lite"

    def install(self) -> None:
        super().install()
        installed("lite", *_LITE)
        config = self.folder / "supabase" / "config.toml"
        config.write_text(config.read_text().replace("[db]", '[db]\ndriver = "pglite"'))
        for migration in (self.folder / "supabase" / "migrations").glob("*.sql"):
            migration.write_text(re.sub(r"(?m)^alter publication .*\n", "", migration.read_text()))

    def start(self) -> float:
        spent = self.timed(self.program, "migration", "up")
        self.launch(self.program, "start")
        return spent + seconds_until_served("", self.check)

    def clear(self) -> None:
        shutil.rmtree(self.folder / "supabase" / ".temp", ignore_errors=True)

    def disk(self) -> int:
        return tree_size(home("lite")) + tree_size(self.folder)

    def platforms(self) -> str:
        return npm_platforms(home("lite") / "node_modules/@supabase/lite/package.json")


class Firebase(Foreground):
    """Firebase's emulators: Auth always; Firestore and Storage where Java and their jars are there.

    They begin empty each time, as without `--import`.
    """

    name = "Firebase emulators"
    functions = "JavaScript, TypeScript, Python; Dart as an experiment"
    program = home("firebase") / "node_modules/.bin/firebase"
    _ports: ClassVar = {"auth": 19099, "firestore": 18080, "storage": 19199, "hub": 14400, "logging": 14500}
    _jars: ClassVar = {
        "firestore": "cloud-firestore-emulator-*.jar",
        "storage": "cloud-storage-rules-runtime-*.jar",
    }

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.environ["HOME"] = str(home("firebase") / "home")

    def install(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        installed("firebase", _FIREBASE)
        Path(self.environ["HOME"]).mkdir(exist_ok=True)
        rules = "service firebase.storage { match /b/{bucket}/o { match /{all=**} { allow read; } } }"
        (self.folder / "storage.rules").write_text(f"rules_version = '2';\n{rules}\n")
        ports = {name: {"host": "127.0.0.1", "port": port} for name, port in self._ports.items()}
        settings = {"emulators": {**ports, "ui": {"enabled": False}}, "storage": {"rules": "storage.rules"}}
        (self.folder / "firebase.json").write_text(json.dumps({**settings, "firestore": {}}))
        try:
            if not has("java"):
                raise Unmeasured("needs Java")
            for emulator in self._jars:
                self.run(self.program, f"setup:emulators:{emulator}")
        except Unmeasured as missing:
            self.name = f"{self.name}, Auth alone (the others: {missing})"

    def emulators(self) -> list[str]:
        """Those that can run here."""
        cache = Path(self.environ["HOME"]) / ".cache" / "firebase" / "emulators"
        there = has("java") and all(any(cache.glob(pattern)) for pattern in self._jars.values())
        return ["auth", *self._jars] if there else ["auth"]

    def start(self) -> float:
        began = time.monotonic()
        names = ",".join(self.emulators())
        self.launch(self.program, "emulators:start", "--project", "demo-todo", "--only", names)
        for emulator in self.emulators():
            wait_for(f"http://127.0.0.1:{self._ports[emulator]}/", {}, self.check)
        return time.monotonic() - began

    def clear(self) -> None:
        """Nothing: what is in memory has gone."""

    def disk(self) -> int:
        return tree_size(home("firebase")) + tree_size(self.folder)

    def platforms(self) -> str:
        return npm_platforms(home("firebase") / "node_modules/firebase-tools/package.json")
