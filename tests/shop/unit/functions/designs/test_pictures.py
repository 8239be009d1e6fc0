"""Pictures in Storage: copies of designs, and what the sweep does with objects."""

from __future__ import annotations

from typing import Any

import pytest
from _shared.core.callers import Caller
from _shared.core.errors import ShopError
from _shared.designs.stored_pictures import StoredPictures

from tests.shop.unit.functions.fakes import FakeDatabase, FakeStore

PNG, JPEG = "a/d1/picture.png", "a/d1/thumbnail.jpg"
ROW: dict[str, Any] = {
    "id": "d1", "user_id": "a", "name": "Cat", "image_data": None, "thumbnail_data": None, "image_url": PNG,
    "thumbnail_url": JPEG, "printify_product_id": "p", "selected_colors": ["v"], "style": "Sketch",
    "has_back": False, "current_version": None,
}  # fmt: skip
AWAY = ShopError(502, "storage_unavailable", "Our storage did not answer.")


def test_copy_of_a_design_has_objects_of_its_own() -> None:
    data = FakeDatabase(designs=[ROW], design_uploads=[])
    store = FakeStore(designs={PNG: b"png", JPEG: b"jpeg"})
    copy = StoredPictures(data, store).copy_design(Caller(id="b"), "d1")
    assert data.tables["design_uploads"] == [{"id": copy, "user_id": "b"}]
    own = {"image_url": f"b/{copy}/picture.png", "thumbnail_url": f"b/{copy}/thumbnail.jpg"}
    assert data.tables["designs"][1] | {"current_version": None} == ROW | {"id": copy, "user_id": "b"} | own
    assert store.get("designs", own["image_url"]) == b"png"
    assert store.get("designs", own["thumbnail_url"]) == b"jpeg"


def test_copy_whose_original_is_deleted_meanwhile_saves_nothing() -> None:
    data = FakeDatabase(designs=[ROW], design_uploads=[])
    with pytest.raises(ShopError) as problem:
        StoredPictures(data, FakeStore()).copy_design(Caller(id="b"), "d1")
    assert (problem.value.status, problem.value.code) == (404, "design_not_found")
    assert data.tables["designs"] == [ROW]


def _tasks() -> list[dict[str, Any]]:
    return [
        {"id": 1, "kind": "remove", "bucket": "designs", "name": "x/1/picture.png", "source": None},
        {"id": 2, "kind": "publish", "bucket": "design-thumbnails", "name": "p.jpg", "source": JPEG},
        {"id": 3, "kind": "remove", "bucket": "designs", "name": "x/1/thumbnail.jpg", "source": None},
        {"id": 4, "kind": "remove", "bucket": "design-thumbnails", "name": "q.jpg", "source": None},
        {"id": 5, "kind": "publish", "bucket": "design-thumbnails", "name": "r.jpg", "source": "gone"},
    ]


def test_sweep_removes_and_publishes_objects() -> None:
    data = FakeDatabase()
    data.object_tasks = _tasks()
    store = FakeStore(
        designs={JPEG: b"jpeg", "x/1/picture.png": b"", "x/1/thumbnail.jpg": b""},
        design_thumbnails={"q.jpg": b""},
    )
    assert StoredPictures(data, store).tidy() == {"objects": 5, "failed_objects": 0}
    assert store.objects == {("designs", JPEG): b"jpeg", ("design-thumbnails", "p.jpg"): b"jpeg"}
    assert data.job_ends == [("objects", [4]), ("objects", [1, 3]), ("objects", [2]), ("objects", [5])]


def test_object_that_storage_does_not_take_is_tried_again_later() -> None:
    data = FakeDatabase()
    data.object_tasks = _tasks()
    store = FakeStore(designs={JPEG: b"jpeg"})
    store.failures = [AWAY]
    assert StoredPictures(data, store).tidy() == {"objects": 4, "failed_objects": 1}
    assert data.job_ends[0] == ("storage_unavailable: Our storage did not answer.", [4])


def test_sweep_of_objects_ends_when_its_time_is_over() -> None:
    data = FakeDatabase()
    data.object_tasks = _tasks()
    ticks = iter((0.0, 16.0))
    assert StoredPictures(data, FakeStore(), clock=lambda: next(ticks)).tidy() == {
        "objects": 0,
        "failed_objects": 0,
    }
    assert len(data.object_tasks) == 5
