"""A project that needs PostGIS, started by the two lines that its error names."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject

_MIGRATION = """
create extension postgis with schema extensions;
create table shop.places (id int primary key, spot extensions.geometry(Point, 4326));
insert into shop.places values (1, 'SRID=4326;POINT(10 20)');
grant select on shop.places to anon;
"""
_KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"


def test_project_starts_by_the_two_lines_of_its_error(tmp_path: Path) -> None:
    project = SmallProject(tmp_path)
    project.migration("20260101000001_places.sql", _MIGRATION)
    failed = project.run("start")
    assert failed.returncode == 1
    lines = re.search(
        r"^ +apt-get install (\S+)\n +PG_BIN=(\S+) localbase start$", failed.stderr, re.MULTILINE
    )
    assert lines is not None, failed.stderr
    package, programs = lines.groups()
    status = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    if subprocess.run(status, capture_output=True, text=True, check=False).stdout != "installed":
        pytest.skip(f"{package} is not installed")
    try:
        project.start(PG_BIN=programs)
        response = httpx.get(f"http://127.0.0.1:{PORT}/rest/v1/places", headers={"apikey": _KEY})
        assert response.status_code == 200, response.text
        (row,) = response.json()
        assert row["spot"]["coordinates"] == [10, 20]
    finally:
        project.run("stop", PG_BIN=programs)
