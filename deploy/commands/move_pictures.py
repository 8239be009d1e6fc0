"""`python -m deploy move-pictures`: moves the pictures that designs hold as base64 into Storage.

Object first, read back and compared, then the row, in one statement: at every moment a row holds its picture or names
an object with the same bytes. So the command may be killed and run again, or twice at once; rows that
still hold pictures are what is left to do.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from deploy import services
from deploy.errors import CommandError
from deploy.http import Api

_AT_ONCE = 4
_PAGE = 100
_PUBLIC = "design-thumbnails"
_HELD = "image_data=not.is.null&image_url=is.null"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--most", type=int, metavar="N", help="stop after N designs; run it again for more")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    mover = Mover(services.supabase(environ), _say)
    mover.move(arguments.most)
    for design, reason in sorted(mover.left.items()):
        _say(f"{design} is left as it is: {reason}")
    _say(f"{mover.moved} designs moved, {mover.size / 1e6:.1f} MB")
    return 1 if mover.left else 0


class DamagedPictureError(Exception):
    """A row's picture is no base64."""


@dataclass
class Mover:
    """`moved` counts designs, `size` the bytes of their objects; `left` has a reason for each that cannot be moved."""

    project: Api
    say: Callable[[str], None]
    moved: int = 0
    size: int = 0
    left: dict[str, str] = field(default_factory=dict)

    def move(self, most: int | None = None) -> None:
        total = self._count()
        if most is not None:
            total = min(total, most)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for page in self._pages(total):
                for design, outcome in zip(page, pool.map(self._move, page), strict=True):
                    if isinstance(outcome, DamagedPictureError):
                        self.left[design] = str(outcome)
                    elif outcome is not None:
                        self.moved += 1
                        self.size += outcome
                self.say(f"{self.moved + len(self.left)} of {total}, {self.size / 1e6:.1f} MB")

    def _count(self) -> int:
        response = self.project.send(
            "HEAD", f"/rest/v1/designs?select=id&{_HELD}", headers={"Prefer": "count=exact"}
        )
        if response.status_code >= 300:
            raise CommandError(f"Supabase refused to count the designs: {response.status_code}")
        return int(response.headers["content-range"].rpartition("/")[2])

    def _pages(self, most: int) -> Iterator[list[str]]:
        """Ids of designs that hold pictures, in their order."""
        last = "00000000-0000-0000-0000-000000000000"
        while most > 0:
            limit = min(_PAGE, most)
            rows = self.project.call(
                "GET", f"/rest/v1/designs?select=id&{_HELD}&id=gt.{last}&order=id&limit={limit}"
            )
            if not rows:
                return
            page = [row["id"] for row in rows]
            yield page
            last = page[-1]
            most -= len(page)

    def _move(self, design: str) -> int | DamagedPictureError | None:
        """The bytes of its objects; None where the design is gone, or was moved by another run."""
        rows = self.project.call(
            "GET",
            f"/rest/v1/designs?select=user_id,image_data,thumbnail_data,public_designs(id)&id=eq.{design}&{_HELD}",
        )
        if not rows:
            return None
        (row,) = rows
        try:
            picture, thumbnail = decoded(row["image_data"]), decoded(row["thumbnail_data"] or "")
        except DamagedPictureError as error:
            return error
        if not picture:
            return DamagedPictureError("its picture is empty")
        folder = f"{row['user_id']}/{design}"
        change: dict[str, str | None] = {"image_data": None, "thumbnail_data": None}
        self._store("designs", f"{folder}/picture.png", picture, "image/png")
        change["image_url"] = f"{folder}/picture.png"
        if thumbnail:
            self._store("designs", f"{folder}/thumbnail.jpg", thumbnail, "image/jpeg")
            change["thumbnail_url"] = f"{folder}/thumbnail.jpg"
            if row["public_designs"]:
                self._store(_PUBLIC, f"{row['public_designs']['id']}.jpg", thumbnail, "image/jpeg")
        if not self._change(design, change):
            self._clean_up(design, folder)
            return None
        return len(picture) + len(thumbnail)

    def _store(self, bucket: str, name: str, content: bytes, kind: str) -> None:
        headers = {"content-type": kind, "x-upsert": "true", "cache-control": "max-age=3600"}
        path = f"{bucket}/{quote(name)}"
        self.project.call("POST", f"/storage/v1/object/{path}", content=content, headers=headers)
        stored = self.project.send("GET", f"/storage/v1/object/authenticated/{path}")
        if stored.status_code != 200:
            raise CommandError(f"Supabase refused to read {path}: {stored.status_code} {stored.text[:300]}")
        if hashlib.sha256(stored.content).digest() != hashlib.sha256(content).digest():
            raise CommandError(f"{path} holds other bytes than were written; its design is as it was.")

    def _change(self, design: str, change: Mapping[str, str | None]) -> bool:
        """False where there is no such design any more that holds a picture."""
        changed = self.project.call(
            "PATCH",
            f"/rest/v1/designs?select=id&id=eq.{design}&{_HELD}",
            json=change,
            headers={"Prefer": "return=representation"},
        )
        return bool(changed)

    def _clean_up(self, design: str, folder: str) -> None:
        """Of a design that was deleted meanwhile. Another run's objects stay."""
        if self.project.call("GET", f"/rest/v1/designs?select=id&id=eq.{design}"):
            return
        names = [f"{folder}/picture.png", f"{folder}/thumbnail.jpg"]
        self.project.call("DELETE", "/storage/v1/object/designs", json={"prefixes": names})


def decoded(text: Any) -> bytes:
    """Base64, with or without a `data:` prefix. Raises `DamagedPictureError`."""
    encoded = text.partition(",")[2] if text.startswith("data:") else text
    try:
        # line ends are allowed in base64, and Postgres reads over them as well
        return base64.b64decode("".join(encoded.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise DamagedPictureError("its picture is no base64") from error


def _say(line: str) -> None:
    sys.stdout.write(f"move-pictures: {line}\n")
    sys.stdout.flush()
