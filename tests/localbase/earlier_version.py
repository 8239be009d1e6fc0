"""`python -m tests.localbase.earlier_version COMMIT`: data that localbase of that commit has made, with this version.

Builds the earlier one in an environment of its own, as it was released, which takes the network. Its project has a
person, a row under that person's policy and a stored file; all must be there after this version's start, and again
after its snapshot from before was loaded. `make test` tries the database alone (test_upgrade.py).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

import httpx

from tests.support.ports import first_port
from tests.support.stacks import ROOT, clean_environ

PORT = first_port("small") + 21
API = f"http://127.0.0.1:{PORT}"
CONFIG = f"""
project_id = "earlier"
[api]
port = {PORT}
[db]
port = {PORT + 1}
[studio]
port = {PORT + 2}
[inbucket]
port = {PORT + 3}
[storage.buckets.pictures]
public = true
"""
MIGRATION = """
create table public.things (id bigint generated always as identity primary key,
  owner uuid not null references auth.users (id) on delete cascade, name text not null);
alter table public.things enable row level security;
create policy "own" on public.things using (owner = auth.uid());
create policy "all see pictures" on storage.objects for select using (bucket_id = 'pictures');
create policy "people add pictures" on storage.objects for insert to authenticated with check (bucket_id = 'pictures');
"""
PERSON = {"email": "ada@example.com", "password": "a long password"}
KEY = {"apikey": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"}


def main() -> int:
    """Makes the data with one version and reads it with the other; raises where anything is not as it was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    commit = parser.parse_args().commit
    with tempfile.TemporaryDirectory(prefix="localbase-earlier-") as temporary:
        folder = Path(temporary)
        folder.chmod(0o755)
        project = folder / "project"
        (project / "supabase" / "migrations").mkdir(parents=True)
        (project / "supabase" / "config.toml").write_text(CONFIG)
        (project / "supabase" / "migrations" / "20260101000000_things.sql").write_text(MIGRATION)
        earlier = _installed(commit, folder / "earlier")
        ours = [sys.executable, "-m", "localbase"]
        try:
            _run([*earlier, "start"], project)
            _make()
            _run([*earlier, "stop"], project)
            _run([*ours, "start"], project)
            _check()
            listed = json.loads(_run([*ours, "snapshot", "list", "--output", "json"], project))
            (snapshot,) = (each["name"] for each in listed)
            _run([*ours, "snapshot", "load", snapshot], project)
            _check()
        finally:
            _run([*ours, "stop", "--no-backup"], project)
    sys.stdout.write(f"The data of {commit} is whole with this version.\n")
    return 0


def _installed(commit: str, folder: Path) -> list[str]:
    folder.mkdir()
    archive = subprocess.run(
        ["git", "archive", commit, "supabase", "LICENSE"], cwd=ROOT, capture_output=True, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    venv.create(folder / ".venv", with_pip=True)
    python = str(folder / ".venv" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(folder / "supabase")], check=True)
    return [python, "-m", "localbase"]


def _run(command: Sequence[str], project: Path) -> str:
    environ = clean_environ({})
    # The earlier one has its own environment's.
    environ["PATH"] = f"{Path(command[0]).parent}{os.pathsep}{environ['PATH']}"
    command = [*command, "--workdir", str(project)]
    return subprocess.run(command, env=environ, stdout=subprocess.PIPE, text=True, check=True).stdout


def _make() -> None:
    session = httpx.post(f"{API}/auth/v1/signup", json=PERSON, headers=KEY).raise_for_status().json()
    headers = {**KEY, "authorization": f"Bearer {session['access_token']}"}
    row = {"owner": session["user"]["id"], "name": "first"}
    httpx.post(f"{API}/rest/v1/things", json=row, headers=headers).raise_for_status()
    httpx.post(
        f"{API}/storage/v1/object/pictures/a.txt", content=b"hello", headers=headers
    ).raise_for_status()


def _check() -> None:
    url = f"{API}/auth/v1/token?grant_type=password"
    session = httpx.post(url, json=PERSON, headers=KEY, timeout=20).raise_for_status().json()
    headers = {**KEY, "authorization": f"Bearer {session['access_token']}"}
    rows = httpx.get(f"{API}/rest/v1/things?select=name", headers=headers).json()
    others = httpx.get(f"{API}/rest/v1/things?select=name", headers=KEY).json()
    file = httpx.get(f"{API}/storage/v1/object/public/pictures/a.txt").text
    if (rows, others, file) != ([{"name": "first"}], [], "hello"):
        raise SystemExit(f"Not as it was: {rows}, {others}, {file!r}")


if __name__ == "__main__":
    sys.exit(main())
