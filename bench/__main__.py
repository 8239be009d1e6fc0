"""Prints the figures of the stack that runs: start, memory, pictures, pages. `python -m bench`, after `make start`.

Each figure has its limit beside it; compare the ratio between machines and days.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

import httpx
from localbase.cli.stack.stack import is_running, report
from localbase.cli.terminal import Progress
from localbase.core.project import Project, open_project

from bench.data_api.shapes import shape_figures
from bench.doors import door_figures
from bench.figures import Figure
from bench.gallery import gallery_figures
from bench.lighthouse import lighthouse_figures
from bench.machine import OtherLoad
from bench.maker import maker_figures
from bench.outage import outage_figures, snapshot_figures
from bench.picture_memory import memory_figures
from bench.pictures import picture_figures
from bench.realtime.broadcasts import socket_figures
from bench.realtime.changes import realtime_figures
from bench.scene import scene_figures
from bench.services.auth_times import auth_figures
from bench.services.function_calls import call_figures
from bench.services.function_troubles import trouble_figures
from bench.services.sign_ins import sign_in_figures
from bench.services.storage import storage_figures
from bench.services.thumbnails import thumbnail_figures
from bench.starts import start_figures

ROOT = Path(__file__).resolve().parent.parent
_PRINTER = {"authorization": "Bearer printify_emulator_token", "user-agent": "Teesmith bench"}


def main() -> int:
    """Measures the parts that are named, or all of them, and prints; 2 for a name that there is not."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("parts", nargs="*", metavar="PART", help="what to measure; without any, all of it")
    names = parser.parse_args().parts
    project = open_project(ROOT)
    parts = _parts(project, whole=not names)
    unknown = [name for name in names if name not in parts]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(parts)}")
    out = sys.stdout.write
    out(f"{'':<60} {'measured':>9}        limit  ratio\n")
    progress = Progress()
    for name in names or parts:
        others = OtherLoad([report(project)["pid"]] if is_running(project) else [])
        with progress.step(name):
            figures = list(parts[name]())
        out("".join(f"{figure}\n" for figure in figures) + others.stop())
        sys.stdout.flush()
    return 0


def _parts(project: Project, *, whole: bool) -> dict[str, Callable[[], Iterable[Figure]]]:
    """Return what can be measured, by the names that the command line takes, in order."""
    drawings: dict[str, Callable[[], Iterable[Figure]]] = {
        "pictures": picture_figures,
        "picture_memory": memory_figures,
        "scene": scene_figures,
    }
    # Nothing of a stack draws them: the stacks whose memory is measured rest meanwhile.
    meanwhile = drawings.values() if whole else ()
    emulators = f"http://127.0.0.1:{project.environ.get('EMULATORS_PORT', '54330')}"
    return {
        "start": lambda: start_figures(project, (figure for part in meanwhile for figure in part())),
        **({} if whole else drawings),
        "maker": lambda: maker_figures(project),
        "mockups": lambda: _mockups(project, emulators),
        "pages": lambda: _pages(project),
        "gallery": lambda: gallery_figures(project),
        "outage": outage_figures,
        "shapes": shape_figures,
        "functions": lambda: chain(call_figures(), trouble_figures()),
        "auth": lambda: chain(sign_in_figures(), auth_figures()),
        "storage": storage_figures,
        "thumbnails": thumbnail_figures,
        "changes": realtime_figures,
        "sockets": socket_figures,
        "doors": door_figures,
        "lighthouse": lambda: lighthouse_figures(project, runs=1),
        # Last: it starts every process anew.
        "snapshots": lambda: snapshot_figures(project),
    }


def _mockups(project: Project, emulators: str) -> list[Figure]:
    rows = httpx.get(
        f"{project.settings.api_url}/rest/v1/designs",
        params={"select": "printify_product_id", "printify_product_id": "not.is.null", "limit": "5"},
        headers={"apikey": project.settings.keys.service_role},
    ).json()
    if not rows:
        return []
    for picture in (project.state / "emulators" / "printify" / "mockups").glob("*.jpg"):
        picture.unlink()
    address = ""
    seen: set[bytes] = set()
    addresses = iter(f"/mockup/{row['printify_product_id']}/12125/102048/mockup.jpg?s=800" for row in rows)
    with httpx.Client(base_url=f"{emulators}/printify", headers=_PRINTER, timeout=60) as client:

        def mock_up() -> None:
            nonlocal address
            address = next(addresses)
            drawn = client.get(address).raise_for_status().content
            if drawn in seen:
                raise SystemExit(f"{address} is a picture that was there before: nothing was measured")
            seen.add(drawn)

        return [
            Figure("a mockup, cold, over HTTP", _median(mock_up, len(rows)), 300, "ms"),
            Figure("a mockup, cached", _median(lambda: client.get(address).raise_for_status(), 20), 10, "ms"),
        ]


def _pages(project: Project) -> list[Figure]:
    headers = {"apikey": project.settings.keys.publishable}
    columns = "created_at,designs!inner(id,name,printify_product_id)"
    gallery = f"/rest/v1/public_designs?select={columns}&order=created_at.desc&limit=24"
    variants = (
        "/rest/v1/product_variants?select=id,name,color_hex,printify_variant_id,is_available&order=name.asc"
    )
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


if __name__ == "__main__":
    sys.exit(main())
