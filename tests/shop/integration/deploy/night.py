"""The owner at night: runs what a page of docs/runbooks says, to the letter, on a shop of the tests."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from deploy.environment import read_environ
from tests.shop.integration.deploy.owner import deploy, owner_of
from tests.support.shops import RunningShop
from tests.support.stacks import ROOT, read_stack, run_spare_shop

PAGES = ROOT / "docs" / "runbooks"
_BLOCK = re.compile(r"(?ms)^```(sql|sh)\n(.*?)^```")
Json = dict[str, Any]
# The environment's, with `python -m deploy` prepared.
_PYTHON = """#!/bin/sh
if [ "$1 $2" = "-m deploy" ]; then shift 2; exec {deploy} "$@"; fi
exec {python} "$@"
"""
# what restarts services or deploys functions; here both are done by the test, for all that was changed before
_MAKE = '#!/bin/sh\necho "$@" >> made.txt\n'


@dataclass(frozen=True)
class Page:
    """The blocks of one page, in their order."""

    name: str

    @property
    def blocks(self) -> list[tuple[str, str]]:
        return _BLOCK.findall((PAGES / f"{self.name}.md").read_text(encoding="utf-8"))

    def find(self, language: str, part: str) -> str:
        """The one block of the language that has `part`."""
        (code_block,) = [text for kind, text in self.blocks if kind == language and part in text]
        return code_block


@dataclass
class Night:
    """`folder` stands for the repository: its `.env` is the owner's. `ran` are the blocks that were run."""

    shop: RunningShop
    folder: Path
    ran: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        python = self.folder / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(_PYTHON.format(deploy=shlex.join(deploy()), python=sys.executable))
        python.chmod(0o755)
        (self.folder / "bin").mkdir()
        stub = self.folder / "bin" / "make"
        stub.write_text(_MAKE)
        stub.chmod(0o755)

    def sql(self, page: str, part: str, **words: str) -> list[list[Json]]:
        """The rows of each query in the block that has `part`, with the words in angle brackets filled in."""
        text = Page(page).find("sql", part)
        self.ran.add(f"{page}: {text}")
        for word, value in words.items():
            text = text.replace(f"<{word.replace('_', ' ')}>", value)
        assert not re.search(r"<[a-z -]+>", text), text
        results = []
        with psycopg.connect(self.shop.stack.db_url, autocommit=True, row_factory=dict_row) as database:
            cursor = database.execute(text)
            while True:
                results.append(cursor.fetchall() if cursor.description else [])
                if not cursor.nextset():
                    return results

    def sh(self, page: str, part: str, *, code: int = 0, **environ: str) -> str:
        """The output of the block that has `part`, run by sh in the folder with the settings of `.env`.

        `code` is the expected exit code; the error's text is the output where it is not 0.
        """
        text = Page(page).find("sh", part)
        self.ran.add(f"{page}: {text}")
        settings = {
            **owner_of(self.shop.stack).environ,
            "SUPABASE_AUTH_JWT_SECRET": self.shop.stack.jwt_secret,
        }
        variables = {**settings, **self.dotenv(), **environ}
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-e"],
            input=text,
            cwd=self.folder,
            env={**variables, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stdout + done.stderr
        if code:
            return done.stderr
        assert done.stderr == ""
        return done.stdout

    def dotenv(self) -> dict[str, str]:
        return dict(read_environ({}, self.folder / ".env"))

    def made(self) -> list[str]:
        """Return what `make` was called with since the last time, which `restart` does."""
        file = self.folder / "made.txt"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def restart(self, extra: Mapping[str, str] | None = None) -> RunningShop:
        """The services with the settings that `.env` has now."""
        run_spare_shop("stop")
        seed = {"SUPABASE_DB_SEED_ENABLED": "false"}
        environ = run_spare_shop("start", {**seed, **self.dotenv(), **(extra or {})})
        self.shop = RunningShop(read_stack(ROOT, environ))
        return self.shop

    def left(self, page: str) -> list[str]:
        """The blocks of the page that no test has run."""
        return [text for _, text in Page(page).blocks if f"{page}: {text}" not in self.ran]
