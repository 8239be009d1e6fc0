"""The ZIP codes of the `zipcodes` package as a small database on disk.

The package holds all 42,789 of them in memory (56 MB, half a second); a child process writes them to
SQLite once, and this process then only looks one up.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

STATES = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
    "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
    "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas",
    "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts",
    "MI": "Michigan", "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana",
    "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico",
    "NY": "New York", "NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma",
    "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota",
    "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington",
    "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming", "PR": "Puerto Rico", "VI": "Virgin Islands",
    "GU": "Guam", "AS": "American Samoa", "MP": "Northern Mariana Islands", "PW": "Palau",
    "FM": "Federated States of Micronesia", "MH": "Marshall Islands", "AA": "Armed Forces Americas",
    "AE": "Armed Forces Europe", "AP": "Armed Forces Pacific",
}  # fmt: skip


def write_places(path: Path) -> None:
    """Writes every active ZIP code to `path`; runs in the child process."""
    import zipcodes  # here, so that its memory goes with the child

    rows = [
        (entry["zip_code"], json.dumps([entry["city"], entry["state"], entry["lat"], entry["long"]]))
        for entry in zipcodes.list_all()  # type: ignore[no-untyped-call]
        if entry["active"] and entry["city"]
    ]
    scratch = path.with_suffix(f".{os.getpid()}")
    # A killed process of this number has left it.
    scratch.unlink(missing_ok=True)
    with sqlite3.connect(scratch) as connection:
        connection.execute("create table places (zip text primary key, place text not null) without rowid")
        connection.executemany("insert or ignore into places values (?, ?)", rows)
    connection.close()
    scratch.replace(path)


def _is_sound(path: Path) -> bool:
    """Tell whether the database is there and whole.

    It only repeats the package's data, so a damaged one is written anew.
    """
    if not path.exists():
        return False
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return bool(connection.execute("pragma quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


class Places:
    """Opens the database in `folder`, having it written when it is missing or of another data version."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"places-{version('zipcodes')}.sqlite"
        if not _is_sound(path):
            code = (
                "import pathlib, sys; from emulators.zippopotam.places import write_places; "
                "write_places(pathlib.Path(sys.argv[1]))"
            )
            environ = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
            subprocess.run([sys.executable, "-c", code, str(path)], check=True, env=environ)
        self._connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)

    def find(self, code: str) -> dict[str, Any] | None:
        """The vendor's answer for a five-digit code."""
        row = self._connection.execute("select place from places where zip = ?", (code,)).fetchone()
        if row is None:
            return None
        city, state, latitude, longitude = json.loads(row[0])
        return {
            "post code": code,
            "country": "United States",
            "country abbreviation": "US",
            "places": [
                {
                    "place name": city,
                    "longitude": longitude,
                    "state": STATES.get(state, state),
                    "state abbreviation": state,
                    "latitude": latitude,
                }
            ],
        }
