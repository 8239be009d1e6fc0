"""Designs, publishing and likes, as owner, stranger, admin, anonymous visitor and service."""

from typing import Any
from uuid import UUID, uuid4

import pytest

Db = Any
DENIED, RLS, CHECK, UNIQUE = "42501", "42501", "23514", "23505"
NAME = "select name from public.designs where id = %s"


@pytest.mark.parametrize(
    ("persona", "sees"), [("owner", 1), ("admin", 1), ("service", 1), ("stranger", 0), ("anon", 0)]
)
def test_private_design_is_visible_to_owner_and_admins(db: Db, persona: str, sees: int) -> None:
    assert len(db.as_(persona, NAME, db.design())) == sees


@pytest.mark.parametrize("persona", ["owner", "stranger", "admin", "service", "anon"])
def test_public_design_is_visible_to_everyone(db: Db, persona: str) -> None:
    assert db.as_(persona, NAME, db.design(public=True)) == [{"name": "Surfing cat"}]


@pytest.mark.parametrize("persona", ["owner", "stranger", "admin", "service", "anon"])
def test_share_link_shows_a_private_design_without_its_owners_or_the_printers_id(
    db: Db, persona: str
) -> None:
    design = db.design()
    (saved,) = db.run("select created_at from public.designs where id = %s", design)
    assert db.as_(persona, "select * from public.get_shared_design(%s)", design) == [
        {
            "id": UUID(design),
            "name": "Surfing cat",
            "image_data": "aGk=",
            "thumbnail_data": None,
            "image_url": None,
            "selected_colors": [],
            "created_at": saved["created_at"],
            "is_public": False,
            "published_at": None,
            "creator_name": None,
            "is_owner": persona == "owner",
        }
    ]


def test_share_link_shows_when_and_by_which_name_a_design_was_published(db: Db) -> None:
    design = db.design(public=True)
    (published,) = db.run("select created_at from public.public_designs where design_id = %s", design)
    assert db.as_(
        "anon",
        "select is_public, published_at, creator_name, is_owner from public.get_shared_design(%s)",
        design,
    ) == [
        {
            "is_public": True,
            "published_at": published["created_at"],
            "creator_name": "Inky",
            "is_owner": False,
        }
    ]


def test_share_link_works_after_a_design_became_private(db: Db) -> None:
    design = db.design(public=True)
    db.as_("owner", "delete from public.public_designs where design_id = %s", design)
    assert db.as_("anon", "select name, is_public from public.get_shared_design(%s)", design) == [
        {"name": "Surfing cat", "is_public": False}
    ]


def test_share_link_of_an_unknown_design_shows_nothing(db: Db) -> None:
    assert db.as_("anon", "select * from public.get_shared_design(%s)", str(uuid4())) == []


def test_user_cannot_save_a_design_for_another_user(db: Db) -> None:
    insert = "insert into public.designs (user_id, name) values (%s, 'x')"
    assert db.rejected("stranger", insert, db.ids["owner"]) == RLS
    assert db.rejected("anon", insert, db.ids["owner"]) == DENIED


def test_design_saved_without_a_user_belongs_to_the_caller(db: Db) -> None:
    (row,) = db.as_("owner", "insert into public.designs (name) values ('x') returning user_id::text")
    assert row["user_id"] == db.ids["owner"]


@pytest.mark.parametrize("column", ["printify_product_id", "image_url", "id"])
def test_users_cannot_set_columns_of_the_functions(db: Db, column: str) -> None:
    value = db.ids["owner"]
    assert (
        db.rejected("owner", f"insert into public.designs (name, {column}) values ('x', %s)", value) == DENIED
    )
    assert db.rejected("owner", f"update public.designs set {column} = %s", value) == DENIED


def test_saved_picture_does_not_change(db: Db) -> None:
    assert (
        db.rejected("owner", "update public.designs set image_data = 'x' where id = %s", db.design())
        == DENIED
    )


def test_owner_renames_a_design_and_the_time_is_recorded(db: Db) -> None:
    design = db.design()
    db.as_(
        "owner", "update public.designs set name = 'Wave', updated_at = '2001-01-01' where id = %s", design
    )
    (row,) = db.run("select name, updated_at = now() as now from public.designs where id = %s", design)
    assert row == {"name": "Wave", "now": True}


@pytest.mark.parametrize("persona", ["stranger", "admin"])
def test_stranger_cannot_rename_or_delete_a_design(db: Db, persona: str) -> None:
    design = db.design(public=True)
    assert db.touched(persona, "update public.designs set name = 'mine' where id = %s", design) == 0
    assert db.touched(persona, "delete from public.designs where id = %s", design) == 0
    assert db.rejected("anon", "delete from public.designs where id = %s", design) == DENIED


def test_deleted_design_loses_its_publication_and_likes(db: Db) -> None:
    design = db.design(public=True)
    db.as_("stranger", "insert into public.design_likes (design_id) values (%s)", design)
    assert db.touched("owner", "delete from public.designs where id = %s", design) == 1
    assert db.run("select 1 from public.public_designs where design_id = %s", design) == []
    assert db.run("select 1 from public.design_likes where design_id = %s", design) == []


@pytest.mark.parametrize("name", ["", "   ", "x" * 2001])
def test_design_name_has_a_maximal_length(db: Db, name: str) -> None:
    assert db.rejected("owner", "insert into public.designs (name) values (%s)", name) == CHECK


def test_publishing_needs_ownership_and_a_public_name(db: Db) -> None:
    design = db.design()
    publish = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
    assert db.rejected("owner", publish, design, db.ids["owner"]) == RLS
    db.as_("stranger", "update public.profiles set public_name = 'S' where id = %s", db.ids["stranger"])
    assert db.rejected("stranger", publish, design, db.ids["stranger"]) == RLS
    assert db.rejected("stranger", publish, design, db.ids["owner"]) == RLS
    db.as_("owner", "update public.profiles set public_name = 'O' where id = %s", db.ids["owner"])
    db.as_("owner", publish, design, db.ids["owner"])
    assert db.rejected("owner", publish, design, db.ids["owner"]) == UNIQUE


def test_only_the_owner_unpublishes_a_design(db: Db) -> None:
    design = db.design(public=True)
    take_back = "delete from public.public_designs where design_id = %s"
    assert db.touched("stranger", take_back, design) == 0
    assert db.touched("owner", take_back, design) == 1
    assert db.as_("anon", NAME, design) == []


def test_publish_time_is_set_by_the_server(db: Db) -> None:
    sql = "insert into public.public_designs (design_id, created_at) values (%s, now())"
    assert db.rejected("owner", sql, db.design()) == DENIED


def test_user_likes_a_public_design_once(db: Db) -> None:
    public, private = db.design(public=True), db.design()
    like = "insert into public.design_likes (design_id, user_id) values (%s, %s)"
    db.as_("stranger", like, public, db.ids["stranger"])
    assert db.rejected("stranger", like, public, db.ids["stranger"]) == UNIQUE
    assert db.rejected("stranger", like, public, db.ids["owner"]) == RLS
    assert db.rejected("stranger", like, private, db.ids["stranger"]) == RLS
    assert db.rejected("anon", like, public, db.ids["stranger"]) == DENIED
    assert db.as_("anon", "select count(*) from public.design_likes where design_id = %s", public) == [
        {"count": 1}
    ]


def test_likes_are_invisible_to_visitors(db: Db) -> None:
    assert db.rejected("anon", "select user_id from public.design_likes") == DENIED


def test_user_removes_only_their_own_like(db: Db) -> None:
    design = db.design(public=True)
    db.as_("stranger", "insert into public.design_likes (design_id) values (%s)", design)
    unlike = "delete from public.design_likes where design_id = %s"
    assert db.touched("owner", unlike, design) == 0
    assert db.touched("stranger", unlike, design) == 1
