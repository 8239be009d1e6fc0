"""Prints the figures of the stack that runs: start, memory, pictures, pages. `python -m bench`, after `make start`.

A figure stands beside its limit; the ratio is what to compare between machines and days.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
from localbase.cli.stack import report
from localbase.core.project import Project, open_project

ROOT = Path(__file__).resolve().parent.parent
_PRINTER = {"authorization": "Bearer printify_emulator_token", "user-agent": "Teesmith bench"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value in `unit` with the limit that it should stay below."""

    name: str
    value: float
    limit: float
    unit: str

    def __str__(self) -> str:
        ratio = self.value / self.limit
        return f"  {self.name:<58} {self.value:>9.1f} {self.unit:<3} of {self.limit:>7.0f}  {ratio:>5.2f}"


def main() -> int:
    """Measures and prints; 1 when the stack does not run."""
    project = open_project(ROOT)
    emulators = f"http://127.0.0.1:{project.environ.get('EMULATORS_PORT', '54330')}"
    out = sys.stdout.write
    out(f"{'':<60} {'measured':>9}        limit  ratio\n")
    for measure in (_restart, _memory, lambda p: _pictures(p, emulators), _pages):
        for figure in measure(project):
            out(f"{figure}\n")
    return 0


def _restart(project: Project) -> list[Figure]:
    command = [sys.executable, "-m", "localbase", "--workdir", str(ROOT)]
    environ = dict(project.environ)
    seconds = []
    for _ in range(3):
        subprocess.run([*command, "stop"], env=environ, capture_output=True, check=True)
        began = time.monotonic()
        subprocess.run([*command, "start"], env=environ, capture_output=True, check=True)
        seconds.append(time.monotonic() - began)
    return [Figure("supabase start on an initialised tree", statistics.median(seconds), 3, "s")]


def _memory(project: Project) -> list[Figure]:
    processes = report(project)["processes"] | {"supervisor": report(project)["pid"]}
    sizes = {name: _resident(pid) for name, pid in processes.items() if name != "postgres"}
    stack = sum(sizes.values())
    each = ", ".join(f"{name} {size:.0f}" for name, size in sizes.items())
    return [Figure(f"memory at rest ({each})", stack, 350, "MB")]


def _pictures(project: Project, emulators: str) -> list[Figure]:
    prompt = 'Idea: three foxes on a boat\nStyle: Vintage\nTone: bold\nShirt colour: Navy (#1F2A44)\nLettering: "Ahoy"'
    address = f"{emulators}/replicate/v1/models/openai/gpt-image-1.5/predictions"
    headers = {"authorization": "Bearer r8_emulator", "prefer": "wait"}
    key = project.settings.keys.service_role
    rows = httpx.get(
        f"{project.settings.api_url}/rest/v1/designs",
        params={"select": "printify_product_id", "printify_product_id": "not.is.null", "limit": "5"},
        headers={"apikey": key},
    ).json()
    seeds = iter(range(1, 100))

    def draw() -> None:
        answer = httpx.post(
            address, json={"input": {"prompt": prompt, "seed": next(seeds)}}, headers=headers, timeout=60
        )
        assert answer.json()["status"] == "succeeded", answer.text

    kept = ""
    addresses = iter(f"/mockup/{row['printify_product_id']}/12125/102048/mockup.jpg?s=800" for row in rows)
    for picture in (project.state / "emulators" / "printify" / "mockups").glob("*.jpg"):
        picture.unlink()

    figures = [Figure("a design from words, 1024 px and more", _median(draw, 5), 2000, "ms")]
    with httpx.Client(base_url=f"{emulators}/printify", headers=_PRINTER, timeout=60) as client:

        def mock_up() -> None:
            nonlocal kept
            kept = next(addresses)
            client.get(kept).raise_for_status()

        if rows:
            figures.append(Figure("a mockup, cold", _median(mock_up, len(rows)), 300, "ms"))
            figures.append(
                Figure("a mockup, kept", _median(lambda: client.get(kept).raise_for_status(), 20), 10, "ms")
            )
    return figures


def _pages(project: Project) -> list[Figure]:
    headers = {"apikey": project.settings.keys.publishable}
    columns = "created_at,designs!inner(id,name,printify_product_id)"
    gallery = f"/rest/v1/public_designs?select={columns}&order=created_at.desc&limit=24"
    variants = "/rest/v1/product_variants?select=id,name,color_hex,printify_variant_id&order=name.asc"
    with httpx.Client(base_url=project.settings.api_url, headers=headers) as client:
        return [
            Figure(
                "gallery page of 24, through the gateway", _median(lambda: client.get(gallery), 50), 15, "ms"
            ),
            Figure(
                "all product variants, through the gateway",
                _median(lambda: client.get(variants), 50),
                15,
                "ms",
            ),
        ]


def _median(work: Callable[[], object], times: int) -> float:
    """Milliseconds."""
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return statistics.median(spent)


def _resident(pid: int) -> float:
    """Megabytes."""
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(shown.stdout) / 1024


if __name__ == "__main__":
    sys.exit(main())
