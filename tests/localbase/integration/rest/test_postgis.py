"""PostGIS types on a system Postgres that has them: as GeoJSON in rows, in results and in bodies of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.localbase.integration.rest.conftest import Api, error
from tests.support.project_files import ProjectFiles
from tests.support.stacks import running_written

_CONTROL = next(iter(sorted(Path("/usr/share/postgresql").glob("*/extension/postgis.control"))), None)
_BIN = Path("/usr/lib/postgresql") / (_CONTROL.parent.parent.name if _CONTROL else "none") / "bin"
pytestmark = pytest.mark.skipif(not (_BIN / "postgres").exists(), reason="no system Postgres with PostGIS")

_CONFIG = """
[api]
schemas = ["geo"]
extra_search_path = ["extensions"]
[edge_runtime]
enabled = false
"""
_SCHEMA = """
create extension postgis with schema extensions;
create schema geo;
grant usage on schema geo to anon, service_role;
create table geo.places (
  id int primary key, name text, spot extensions.geometry(Point, 4326), area extensions.geography);
insert into geo.places values
  (1, 'Nil', 'SRID=4326;POINT(0 0)', null),
  (2, 'Far', 'SRID=4326;POINT(10 20)', 'SRID=4326;POLYGON((0 0,0 1,1 1,0 0))');
create table geo.visits (id int primary key, place int references geo.places);
insert into geo.visits values (7, 2);
create function geo.near(x float, y float, within float) returns setof geo.places language sql stable as $$
  select * from geo.places
  where extensions.st_distance(spot, extensions.st_setsrid(extensions.st_point(x, y), 4326)) <= within
$$;
create function geo.centre() returns extensions.geometry language sql stable as $$
  select extensions.st_centroid(extensions.st_collect(spot)) from geo.places
$$;
grant select, insert, delete on all tables in schema geo to anon, service_role;
"""
FAR = {"type": "Point", "coordinates": [10, 20]}


@pytest.fixture(scope="module")
def places() -> Iterator[Api]:
    files = ProjectFiles(_CONFIG, {"20260101000000_places.sql": _SCHEMA})
    with running_written("places", files, {"PG_BIN": str(_BIN)}) as running:
        client = Api(running)
        yield client
        client.close()


def bare(value: dict[str, Any]) -> dict[str, Any]:
    """A geometry without its reference system, which PostGIS names from some version on."""
    return {key: item for key, item in value.items() if key != "crs"}


def test_geometry_in_a_row_is_geojson(places: Api) -> None:
    row = places.rows("/places?id=eq.2", role="anon")[0]
    assert bare(row["spot"]) == FAR
    # PostGIS casts geometries to JSON; a geography is text, as Postgres writes it.
    assert row["area"].startswith("01")
    visited = places.rows("/visits?select=id,places(spot)", role="anon")[0]
    assert bare(visited["places"]["spot"]) == FAR


def test_geometry_can_be_selected_and_ordered_by_its_json(places: Api) -> None:
    path = "/places?select=id,x:spot->coordinates->>0&spot->coordinates->0=gt.0&order=spot->coordinates->1"
    assert places.rows(path) == [{"id": 2, "x": "10"}]


@pytest.mark.parametrize(
    "path", ["/places?id=eq.2&select=id,name,spot", "/rpc/near?x=10&y=20&within=1&select=id,name,spot"]
)
def test_body_can_be_a_feature_collection(places: Api, path: str) -> None:
    response = places.get(path, accept="application/geo+json", role="anon")
    assert response.headers["content-type"] == "application/geo+json; charset=utf-8"
    body = response.json()
    assert body["type"] == "FeatureCollection"
    [feature] = body["features"]
    assert (feature["type"], bare(feature["geometry"])) == ("Feature", FAR)
    assert feature["properties"] == {"id": 2, "name": "Far"}


def test_rows_without_a_geometry_make_no_features(places: Api) -> None:
    status, body = error(places.get("/visits", accept="application/geo+json"))
    assert (status, body["message"]) == (400, "geometry column is missing")


def test_empty_result_is_an_empty_feature_collection(places: Api) -> None:
    response = places.get("/places?id=eq.99", accept="application/geo+json")
    assert response.json() == {"type": "FeatureCollection", "features": []}


def test_function_can_return_a_geometry(places: Api) -> None:
    assert bare(places.rows("/rpc/centre")) == {"type": "Point", "coordinates": [5, 10]}


@pytest.mark.parametrize("spot", ["SRID=4326;POINT(3 4)", {"type": "Point", "coordinates": [3, 4]}])
def test_geometry_is_written_as_text_and_as_geojson(places: Api, spot: Any) -> None:
    made = places.request(
        "POST", "/places?select=spot", json={"id": 30, "spot": spot}, prefer="return=representation"
    )
    assert (made.status_code, bare(made.json()[0]["spot"])["coordinates"]) == (201, [3, 4])
    assert places.request("DELETE", "/places?id=eq.30").status_code == 204
    status, body = error(places.request("POST", "/places", json={"id": 31, "spot": "POINT(1)"}))
    # PostGIS raises no code of its own, so upstream takes it for the server's fault.
    assert (status, body["code"]) == (500, "XX000")
