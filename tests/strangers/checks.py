"""Checks of one project that is started unedited, each with its words where it does not hold."""

from __future__ import annotations

import json
import os
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.support.stacks import SUPABASE

_SECONDS = 900
_PASSWORD = "Correct-horse-7-battery!"


@dataclass
class Outcome:
    """A project's results. `failures` are the names of checks, with the end of what was said."""

    seconds: float | None = None
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def starts(self) -> bool:
        """Tell whether all of its stack served."""
        return self.seconds is not None


class Stranger:
    """A project's work tree at `root`, and the commands on it in `environ`."""

    def __init__(self, tree: Path, root: Path, environ: Mapping[str, str]) -> None:
        self._tree = tree
        self._root = root
        self._environ = {**os.environ, **environ}
        self._before = ""

    def check(self) -> Outcome:
        """Starts it, looks at everything, and takes it away again."""
        outcome = Outcome()
        self._before = self._git_status()
        began = time.monotonic()
        try:
            said = self._run("start")
            if said:
                outcome.failures["start"] = said
                return outcome
            outcome.seconds = time.monotonic() - began
            for name, check in self._checks().items():
                try:
                    said = check()
                except (httpx.HTTPError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
                    said = f"{type(error).__name__}: {error}"
                if said:
                    outcome.failures[name] = said
            return outcome
        finally:
            self._run("stop", "--no-backup")

    def _checks(self) -> dict[str, Callable[[], str]]:
        return {
            "sign-up": self._signs_up,
            "REST": self._serves_its_tables,
            "db diff": self._has_no_difference,
            "gen types": lambda: self._run("gen", "types", "typescript", "--local"),
            "migration list": lambda: self._run("migration", "list", "--local"),
            "own tests": self._passes_its_tests,
            "db reset": lambda: self._run("db", "reset"),
            "git status": self._leaves_no_trace,
        }

    def _call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(SUPABASE), *arguments, "--workdir", str(self._root)],
            env=self._environ,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def _run(self, *arguments: str) -> str:
        """Return what a command says where it fails; "" where it succeeds."""
        done = self._call(*arguments)
        said = (done.stderr.strip() or done.stdout.strip())[-1500:]
        return f"exit {done.returncode}: {said}" if done.returncode else ""

    def _values(self) -> dict[str, str]:
        values: dict[str, str] = json.loads(self._call("status", "-o", "json").stdout)
        return values

    def _signs_up(self) -> str:
        values = self._values()
        body = {"email": f"stranger-{uuid.uuid4().hex[:8]}@example.com", "password": _PASSWORD}
        url, key = f"{values['API_URL']}/auth/v1", values["ANON_KEY"]
        settings = httpx.get(f"{url}/settings", headers={"apikey": key}, timeout=60).json()
        if settings["disable_signup"] or not settings["external"]["email"]:
            return ""
        response = httpx.post(f"{url}/signup", headers={"apikey": key}, json=body, timeout=60)
        return "" if response.status_code == 200 else f"{response.status_code}: {response.text[:500]}"

    def _serves_its_tables(self) -> str:
        values = self._values()
        api, service = f"{values['API_URL']}/rest/v1", values["SERVICE_ROLE_KEY"]
        user = self._user_token(values)
        faults = []
        with httpx.Client(timeout=120) as client:
            root = client.get(f"{api}/", headers=_as(service, service))
            if root.status_code != 200:
                return f"/: {root.status_code}: {root.text[:500]}"
            tables = [path for path in root.json()["paths"] if path != "/" and not path.startswith("/rpc/")]
            for path in tables:
                for name, token in (("anon", values["ANON_KEY"]), ("service", service), ("user", user)):
                    response = client.get(f"{api}{path}?limit=2", headers=_as(values["ANON_KEY"], token))
                    if response.status_code >= 500:
                        faults.append(f"{path} as {name}: {response.status_code}: {response.text[:200]}")
        return "\n".join(faults[:5])

    def _user_token(self, values: dict[str, str]) -> str:
        headers = _as(values["SERVICE_ROLE_KEY"], values["SERVICE_ROLE_KEY"])
        body = {
            "email": f"user-{uuid.uuid4().hex[:8]}@example.com",
            "password": _PASSWORD,
            "email_confirm": True,
        }
        auth = f"{values['API_URL']}/auth/v1"
        made = httpx.post(f"{auth}/admin/users", headers=headers, json=body, timeout=60)
        if made.status_code != 200:
            # A trigger of the project's own may want more of a user than an address.
            return values["ANON_KEY"]
        signed_in = httpx.post(
            f"{auth}/token?grant_type=password",
            headers={"apikey": values["ANON_KEY"]},
            json={"email": body["email"], "password": _PASSWORD},
            timeout=60,
        )
        return str(signed_in.json().get("access_token", values["ANON_KEY"]))

    def _has_no_difference(self) -> str:
        done = self._call("db", "diff")
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr.strip()[-1000:]}"
        return done.stdout.strip()[:1000]

    def _passes_its_tests(self) -> str:
        if not any((self._root / "supabase" / "tests").rglob("*.sql")):
            return ""
        done = self._call("test", "db")
        return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()[-1500:]

    def _leaves_no_trace(self) -> str:
        now = self._git_status()
        return now if now != self._before else ""

    def _git_status(self) -> str:
        command = ["git", "-C", str(self._tree), "status", "--porcelain"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _as(key: str, token: str) -> dict[str, Any]:
    return {"apikey": key, "authorization": f"Bearer {token}"}
