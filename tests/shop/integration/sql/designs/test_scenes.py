"""Scenes in the database: drafts that no second tab overwrites, versions, their review and what they cost."""

from __future__ import annotations

import json
from typing import Any

import pytest

Db = Any
EMPTY = {"version": 1, "front": [], "back": []}
LETTERING = {"kind": "lettering", "text": "Hi"}
SAVE = "select public.save_scene(%s, %s, %s) as revision"
_REVISIONS = "select revision, scene from public.design_drafts where design_id = %s"


def value(rows: list[dict[str, Any]]) -> Any:
    return next(iter(rows[0].values()))


def version(db: Db, design: str, **changes: object) -> dict[str, Any]:
    """A version of the owner's, as finish-scene saves it; the answer."""
    number = value(db.as_("service", "select public.next_version_number(%s)", design))
    name = f"{db.ids['owner']}/{design}/v{number}"
    row = {
        "id": value(db.run("select gen_random_uuid()::text")), "number": number, "scene": EMPTY, "flat_scene": EMPTY,
        "has_back": False, "review": "not_needed", "printify_product_id": f"product {number}",
        "image_url": f"{name}.png", "thumbnail_url": f"{name}.jpg", "print_files": [], "first_scene": EMPTY, **changes,
    }  # fmt: skip
    saved = value(db.as_("service", "select public.save_design_version(%s, %s)", design, json.dumps(row)))
    return {**row, "saved": saved}


def test_draft_is_saved_only_over_the_revision_that_was_read(db: Db) -> None:
    design = db.design()
    assert db.rejected("owner", SAVE, design, json.dumps(EMPTY), 1) == "PT409"
    assert value(db.as_("owner", SAVE, design, json.dumps(EMPTY), 0)) == 1
    assert db.rejected("owner", SAVE, design, json.dumps(EMPTY), 0) == "PT409"
    scene = EMPTY | {"back": [LETTERING]}
    assert value(db.as_("owner", SAVE, design, json.dumps(scene), 1)) == 2
    assert db.as_("owner", _REVISIONS, design) == [{"revision": 2, "scene": scene}]
    assert db.rejected("stranger", SAVE, design, json.dumps(EMPTY), 2) == "P0002"
    assert db.rejected("anon", SAVE, design, json.dumps(EMPTY), 2) == "42501"


@pytest.mark.parametrize(
    "scene",
    [None, [], {}, EMPTY | {"version": 2}, EMPTY | {"sleeve": []}, EMPTY | {"front": {}}, {"version": 1, "front": []},
     EMPTY | {"front": ["x"]}, EMPTY | {"back": [{"kind": "script"}]}, EMPTY | {"back": [{}]},
     EMPTY | {"front": [LETTERING] * 21}, EMPTY | {"front": [LETTERING | {"text": "a" * 80_000}]}],
)  # fmt: skip
def test_draft_that_is_no_scene_is_refused(db: Db, scene: object) -> None:
    assert db.rejected("owner", SAVE, db.design(), json.dumps(scene), 0) == "23514"


def test_version_becomes_the_design_and_earlier_ones_can_be_returned_to(db: Db) -> None:
    design = db.design()
    db.run("update public.designs set printify_product_id = 'product' where id = %s", design)
    second = version(db, design)
    assert (second["number"], second["saved"]) == (2, {"withdrawn": False, "number": 2})
    shown = (
        "select printify_product_id, image_url, image_data, current_version::text, has_back "
        "from public.designs where id = %s"
    )
    current = {
        "printify_product_id": "product 2", "image_url": second["image_url"], "image_data": None,
        "current_version": second["id"], "has_back": False,
    }  # fmt: skip
    assert db.run(shown, design) == [current]
    third = version(db, design, has_back=True, scene=EMPTY | {"back": [LETTERING]})
    # the job that made it goes on with it after a crash
    db.as_("service", "select public.save_design_version(%s, %s)", design, json.dumps(third))
    versions = (
        "select number, printify_product_id from public.design_versions where design_id = %s order by number"
    )
    assert [(row["number"], row["printify_product_id"]) for row in db.as_("owner", versions, design)] == [
        (1, "product"), (2, "product 2"), (3, "product 3")
    ]  # fmt: skip
    back = "select public.return_to_version(%s)"
    assert db.rejected("stranger", back, second["id"]) == "P0002"
    assert value(db.as_("owner", back, second["id"])) == 1
    assert db.run(shown, design) == [current]
    assert value(db.as_("owner", back, third["id"])) == 2
    assert db.run(_REVISIONS, design)[0]["scene"] == EMPTY | {"back": [LETTERING]}
    db.run(
        "insert into private.design_takedowns (design_id, design_name, decision, reason) "
        "values (%s, 'x', 'take_down', 'hate')",
        design,
    )
    assert db.rejected("owner", back, second["id"]) == "23514"
    assert value(db.as_("service", "select public.next_version_number(%s)", design)) is None
    assert value(db.as_("service", "select public.save_design_version(%s, '{}')", design)) is None


def test_version_whose_picture_was_deleted_meanwhile_is_not_saved(db: Db) -> None:
    design, gone = db.design(), "11111111-1111-4111-8111-111111111111"
    for side in ("front", "back"):
        scene = EMPTY | {side: [LETTERING, {"kind": "picture", "source": gone}]}
        assert version(db, design, scene=scene)["saved"] == {"missing": "artwork"}
    assert db.run("select 1 from public.design_versions where design_id = %s", design) == []
    # the design's own picture is no artwork
    scene = EMPTY | {"front": [{"kind": "picture", "source": "design"}]}
    assert version(db, design, scene=scene)["saved"] == {"withdrawn": False, "number": 1}


def test_pictures_that_people_bring_along_are_looked_at_before_they_are_public(db: Db) -> None:
    owner = db.ids["owner"]
    design = db.design(public=True)
    artwork = value(
        db.as_(
            "service",
            "insert into public.design_artwork (user_id, name, media_type, width, height, bytes) "
            "values (%s, 'Logo', 'image/png', 1, 1, 1) returning id::text",
            owner,
        )
    )
    scene = EMPTY | {"front": [{"kind": "picture", "source": artwork}]}
    assert version(db, design, scene=scene, review="waiting")["saved"]["withdrawn"] is True
    publish = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
    assert db.rejected("owner", publish, design, owner) == "23514"
    ask = "select public.ask_for_review(%s)"
    # of others' designs
    waiting = value(db.as_("admin", "select public.list_design_cases()"))["total"]
    assert value(db.as_("stranger", ask, design)) is False
    assert value(db.as_("owner", ask, design)) is True
    assert value(db.as_("owner", ask, design)) is True
    assert value(db.as_("admin", "select public.list_design_cases()"))["total"] == waiting + 1
    assert value(db.as_("admin", "select public.decide_design(%s, 'keep')", design)) == 1
    assert db.run("select review from public.design_artwork where id = %s", artwork) == [{"review": "passed"}]
    assert db.touched("owner", publish, design, owner) == 1


def test_second_side_costs_what_the_price_list_says(db: Db) -> None:
    prices = value(db.run("select public.get_pricing()"))
    db.as_("service", "select public.set_pricing(%s)", json.dumps({**prices, "second_side_cents": 500}))
    design = db.design()
    product = version(db, design, has_back=True, printify_product_id="both")["printify_product_id"]
    (item,) = json.loads(db.cart(design))
    place = "select total_cents from public.place_order(%s, 'two sides', '{\"country\": \"US\"}', %s, 0, %s)"
    for cents, refused in ((1990, True), (2490, False)):
        line = json.dumps([item | {"printify_product_id": product, "unit_price_cents": cents}])
        values = (db.ids["owner"], 2 * cents, line)
        if refused:
            assert db.rejected("service", place, *values) == "23514"
        else:
            assert db.as_("service", place, *values) == [{"total_cents": 4980}]


def test_files_of_versions_go_with_the_design_unless_they_were_ordered(db: Db) -> None:
    design = db.design()
    made = version(db, design, print_files=["one-front.png"], printify_product_id="unordered")
    db.run("delete from public.designs where id = %s", design)
    tasks = "select distinct bucket, name from private.object_tasks where name like %s or name like 'one-%%' order by 2"
    names = {row["name"] for row in db.run(tasks, f"%{design}/v%")}
    assert names == {made["image_url"], made["thumbnail_url"], "one-front.png", "one-front-2.png"}


def test_unfinished_empty_designs_are_limited(db: Db) -> None:
    begin = "select public.begin_scene_design(%s, '{}') as id"
    owner = db.ids["owner"]
    begun = [value(db.as_("service", begin, owner)) for _ in range(20)]
    assert len(set(begun)) == 20
    assert value(db.as_("service", begin, owner)) is None
    assert value(db.as_("service", begin, db.ids["stranger"])) is not None
    assert db.rejected("owner", begin, owner) == "42501"
