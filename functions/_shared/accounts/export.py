"""A copy of everything that the shop has of a person: one ZIP, streamed, with account.json and the pictures.

The rows come in one answer (`export_account`), the pictures one after the other, so that a large account takes no more
memory than its largest picture. What does not fit into the limits is named by a signed address instead.
"""

from __future__ import annotations

import base64
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Protocol

from _shared.core.callers import Caller
from _shared.core.clock import Clock
from _shared.core.data import Data, Row
from _shared.core.logs import log_trouble

MOST_BYTES = 200 * 1024 * 1024
# The platform ends a call some time after its patience (deploy/function_limits.py).
MOST_SECONDS = 80.0
ADDRESS_SECONDS = 24 * 3600
_LONGEST_NAME = 60
_README = """A copy of everything that Teesmith has of you.

account.json   your account, profile, sign-ins, designs, likes, addresses and orders
pictures/      the pictures of your designs
artwork/       pictures that you brought along
drawings/      pictures that were drawn for you in the last day and are not saved

account.json says of each picture in which file it is. Where it has a "download" instead, the picture did not fit
into this file: its address works for a day.
"""


class Store(Protocol):
    """`clients.storage.Storage`."""

    def get(self, bucket: str, name: str) -> bytes | None: ...
    def address(self, bucket: str, name: str, seconds: int) -> str: ...


class AccountExport:
    """Works as the service, for the caller."""

    def __init__(self, data: Data, store: Store, clock: Clock) -> None:
        self._data = data
        self._store = store
        self._clock = clock

    def archive(self, caller: Caller, most_bytes: int = MOST_BYTES) -> Iterator[bytes]:
        """The parts of the ZIP. The rows are read before the first: until then a failure is an ordinary answer."""
        (rows,) = self._data.call("export_account", {"person": caller.id})
        (rows["scenes"],) = self._data.call("export_scenes", {"person": caller.id})
        return self._parts(rows, _Budget(self._clock, most_bytes))

    def _parts(self, rows: Row, budget: _Budget) -> Iterator[bytes]:
        sink = _Sink()
        at = self._clock.now().timetuple()[:6]

        def add(name: str, content: bytes, compression: int = zipfile.ZIP_STORED) -> bytes:
            entry = zipfile.ZipInfo(name, date_time=at)
            archive.writestr(entry, content, compression)
            return sink.take()

        try:
            with zipfile.ZipFile(sink, "w") as archive:
                yield add("README.txt", _README.encode())
                for folder, row, content in self._pictures(rows, budget):
                    ending = "svg" if row.get("media_type") == "image/svg+xml" else "png"
                    row["picture"] = f"{folder}/{_file_name(row)}.{ending}"
                    yield add(row["picture"], content)
                text = json.dumps(rows, indent=2, ensure_ascii=False)
                yield add("account.json", text.encode(), zipfile.ZIP_DEFLATED)
            yield sink.take()
        except Exception as error:
            # The response has begun: ending it early is all that tells the browser.
            log_trouble("export-account was cut off", error)
            raise

    def _pictures(self, rows: Row, budget: _Budget) -> Iterator[tuple[str, Row, bytes]]:
        """The pictures that fit, each with its folder and its row; the others get an address in their row."""
        for design in rows["designs"]:
            holds_picture = design.pop("row_holds_picture")
            if holds_picture and not budget.is_spent:
                held = self._data.row("designs", "image_data", {"id": design["id"]})
                if held is not None and held["image_data"]:
                    # with or without a data: prefix
                    content = base64.b64decode(str(held["image_data"]).rpartition(",")[2])
                    budget.spend(content)
                    yield "pictures", design, content
            elif design["image_url"]:
                yield from self._stored("designs", str(design["image_url"]), "pictures", design, budget)
        for artwork in rows["scenes"]["artwork"]:
            ending = "svg" if artwork["media_type"] == "image/svg+xml" else "png"
            name = f"{rows['account']['id']}/{artwork['id']}.{ending}"
            yield from self._stored("artwork", name, "artwork", artwork, budget)
        for job in rows["drawings_of_the_last_day"]:
            if job["result_path"]:
                yield from self._stored("design-jobs", str(job["result_path"]), "drawings", job, budget)

    def _stored(
        self, bucket: str, name: str, folder: str, row: Row, budget: _Budget
    ) -> Iterator[tuple[str, Row, bytes]]:
        if budget.is_spent:
            row["download"] = self._store.address(bucket, name, ADDRESS_SECONDS)
            return
        content = self._store.get(bucket, name)
        if content is not None:
            budget.spend(content)
            yield folder, row, content


class _Budget:
    """Bytes and seconds; the picture that crosses a limit still fits."""

    def __init__(self, clock: Clock, most_bytes: int) -> None:
        self._clock = clock
        self._left = most_bytes
        self._end = clock.monotonic() + MOST_SECONDS

    @property
    def is_spent(self) -> bool:
        return self._left <= 0 or self._clock.monotonic() > self._end

    def spend(self, content: bytes) -> None:
        self._left -= len(content)


class _Sink:
    """What the ZIP's writer has written since it was last taken; it cannot go back."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Return at once: `take` hands the parts on."""

    def close(self) -> None:
        """Return at once: there is nothing to close."""

    def take(self) -> bytes:
        content = b"".join(self._parts)
        self._parts.clear()
        return content


def _file_name(row: Row) -> str:
    """A name for every system: letters, digits and hyphens, and the id, so that two are never the same."""
    words = re.sub(r"\W+", "-", str(row.get("name") or row.get("kind")))[:_LONGEST_NAME].strip("-")
    return f"{words}-{str(row['id'])[:8]}" if words else str(row["id"])
