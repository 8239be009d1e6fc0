"""The bytes of a design in the database, before its picture lies in Storage and after: `python -m bench.design_bytes`.

Designs of the local artist, saved as base64 into the running stack's database, weighed, moved by `python -m deploy
move-pictures`, weighed again, and deleted. The table is rewritten each time, and what was there is taken off.
"""

from __future__ import annotations

import argparse
import base64
import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg
from localbase.core.project import Project, open_project
from localbase.postgres.binaries import find_binaries

from deploy.commands.move_pictures import Mover
from deploy.services import supabase
from emulators.artist import draw
from emulators.assets import Assets
from emulators.gallery import TEXT_STYLES, Sample, text_prompt
from emulators.replicate.seed.__main__ import encode_thumbnail

ROOT = Path(__file__).resolve().parent.parent
_SIDE = 1536
_WISH = Sample("Three foxes on a boat", "bold", "Navy", "Ahoy")
_PEOPLE = "select id::text from auth.users order by id limit 1"


@dataclass(frozen=True)
class Weight:
    """Bytes: of the table with TOAST and indexes, of its indexes alone, and of a compressed dump of it."""

    table: int
    indexes: int
    backup: int


def drawn() -> list[tuple[str, str]]:
    """One picture and thumbnail of each style, as base64."""
    pairs = []
    with tempfile.TemporaryDirectory() as cache:
        assets = Assets(ROOT / "node_modules", Path(cache))
        for seed, style in enumerate(TEXT_STYLES):
            picture = draw(text_prompt(_WISH, style), seed, (_SIDE, _SIDE), assets)
            png = io.BytesIO()
            picture.save(png, "PNG")
            thumbnail = encode_thumbnail(picture, "#1F2A44")
            pairs.append((base64.b64encode(png.getvalue()).decode(), base64.b64encode(thumbnail).decode()))
    return pairs


def weigh(connection: psycopg.Connection, dump: Callable[[], int]) -> Weight:
    connection.execute("vacuum full public.designs")
    row = connection.execute(
        "select pg_total_relation_size('public.designs'), pg_indexes_size('public.designs')"
    ).fetchone()
    assert row
    return Weight(row[0], row[1], dump())


def measure(project: Project, count: int) -> None:
    environ = {
        "SUPABASE_URL": project.settings.api_url,
        "SUPABASE_SECRET_KEY": project.settings.keys.secret,
    }
    pairs = drawn()
    size = sum(len(picture) * 3 / 4 for picture, _ in pairs) / len(pairs)

    def dump() -> int:
        program = find_binaries(project.environ).path("pg_dump")
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "designs.dump"
            options = ["--format=custom", "--data-only", "--table=public.designs", f"--file={target}"]
            subprocess.run([program, *options, project.settings.db_url], check=True)
            return target.stat().st_size

    with psycopg.connect(project.settings.db_url, autocommit=True) as connection:
        empty = weigh(connection, dump)
        (person,) = connection.execute(_PEOPLE).fetchone() or ("",)
        for number in range(count):
            picture, thumbnail = pairs[number % len(pairs)]
            connection.execute(
                "insert into public.designs (user_id, name, image_data, thumbnail_data) values (%s, 'Weighed', %s, %s)",
                [person, picture, thumbnail],
            )
        try:
            before = weigh(connection, dump)
            started = time.monotonic()
            Mover(supabase(environ), lambda _line: None).move()
            seconds = time.monotonic() - started
            after = weigh(connection, dump)
        finally:
            connection.execute("delete from public.designs where name = 'Weighed'")
        # the shop's own designs are moved as well
        rest = weigh(connection, dump)
    out = sys.stdout.write
    out(f"{count} designs, a picture of {size / 1e3:,.0f} kB on average; moved in {seconds:.0f} s\n\n")
    out("| | rows hold them | in Storage |\n| --- | ---: | ---: |\n")
    for name, part in (
        ("table, TOAST, indexes", "table"),
        ("of it indexes", "indexes"),
        ("backup", "backup"),
    ):
        weighings = ((before, empty), (after, rest))
        values = [(getattr(full, part) - getattr(without, part)) / count for full, without in weighings]
        out(f"| {name}, bytes a design | {values[0]:,.0f} | {values[1]:,.0f} |\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=1000)
    measure(open_project(ROOT), parser.parse_args().designs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
