"""Sign-ins by password beside bcrypt alone, and what other requests wait for meanwhile.

On a scratch stack. bcrypt alone is a password's check on every core at once, in this process; it and the sign-ins take
turns. Beside the sign-ins come twenty other requests a second, at random: a user's own record and a row.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import bcrypt
import httpx
from localbase.cli.terminal import Progress
from localbase.core.project import Project

from bench.figures import Figure
from bench.load import HttpRequest, Load, measure, measure_arrivals
from bench.scratch import scratch_stack
from bench.services.auth_times import CONFIG, PASSWORD, users_with

_CONNECTIONS, _SECONDS, _ROUNDS = 16, 4, 3
_OTHERS_PER_SECOND = 20
_USERS = 200
_TABLE = (
    "create table things (id int primary key); insert into things values (1); grant select on things to anon;"
)


def sign_in_figures() -> Iterator[Figure]:
    """Sign-ins a second by those that bcrypt alone would allow, and the late ones of the other requests."""
    cores = os.cpu_count() or 1
    digest = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(10))
    rounds = []
    with scratch_stack("sign-ins", users_with(digest) + _TABLE, CONFIG) as project:
        others = _others(project)
        for number in range(1, _ROUNDS + 1):
            with Progress().step(f"sign-ins, {number} of {_ROUNDS}"):
                rounds.append((_checks(digest, cores), *_sign_ins(project, others)))
    alone, sign_ins, late = (median(values) for values in zip(*rounds, strict=True))
    ratio = median(signed_in / checked for checked, signed_in, _ in rounds)
    name = f"sign-ins ({sign_ins:.1f}/s) ÷ bcrypt alone on {cores} cores ({alone:.1f}/s)"
    yield Figure(name, ratio, 0.85, "", at_least=True)
    yield Figure(f"{_OTHERS_PER_SECOND} other requests/s beside sign-ins, p99", late, 50, "ms")


def _checks(digest: bytes, cores: int) -> float:
    """Passwords that are checked in a second."""
    end = time.perf_counter() + _SECONDS

    def check(_: int) -> int:
        count = 0
        while time.perf_counter() < end:
            bcrypt.checkpw(PASSWORD.encode(), digest)
            count += 1
        return count

    with ThreadPoolExecutor(cores) as pool:
        return sum(pool.map(check, range(cores))) / _SECONDS


def _sign_ins(project: Project, others: list[HttpRequest]) -> tuple[float, float]:
    """Sign-ins a second, and the p99 of the other requests in milliseconds."""
    headers = {"apikey": project.settings.keys.publishable, "content-type": "application/json"}
    accounts = [{"email": f"known-{number}@example.com", "password": PASSWORD} for number in range(_USERS)]
    path = "/auth/v1/token?grant_type=password"
    requests = [HttpRequest(path, "POST", json.dumps(account), headers) for account in accounts]
    port = project.settings.api.port
    with ThreadPoolExecutor(1) as pool:
        signing_in = pool.submit(measure, port, requests, connections=_CONNECTIONS, seconds=_SECONDS)
        beside = measure_arrivals(
            port, others, per_second=_OTHERS_PER_SECOND, connections=8, seconds=_SECONDS - 0.5
        )
        load = signing_in.result()
    _require_success(load, beside)
    return load.rps, beside.p99


def _others(project: Project) -> list[HttpRequest]:
    key = project.settings.keys.publishable
    response = httpx.post(
        f"{project.settings.api_url}/auth/v1/token?grant_type=password",
        json={"email": "known-0@example.com", "password": PASSWORD},
        headers={"apikey": key},
    )
    token = response.raise_for_status().json()["access_token"]
    headers = {"apikey": key, "Authorization": f"Bearer {token}"}
    return [
        HttpRequest("/auth/v1/user", headers=headers),
        HttpRequest("/rest/v1/things", headers={"apikey": key}),
    ]


def _require_success(*loads: Load) -> None:
    if failures := sum(load.failures for load in loads):
        raise SystemExit(f"{failures} requests failed")
