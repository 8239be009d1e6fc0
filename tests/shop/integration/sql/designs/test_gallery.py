"""The gallery as a shop: the most liked designs, designs like another one, and the copy that a person has already."""

from __future__ import annotations

from typing import Any

import pytest

Db = Any
MOST_LIKED = (
    "select p.design_id::text as id, public.like_count(p) as likes "
    "from public.most_liked_designs(%s, %s, %s, %s) p"
)
RELATED = "select design_id::text as id from public.related_designs(%s, %s)"
PLACE = "select p.created_at, p.id from public.public_designs p where p.design_id = %s"
LIKE = "insert into public.design_likes (design_id, user_id) values (%s, %s)"
COPY = "select public.find_design_copy(%s, %s)::text as id"
EVERYBODY = ("anon", "owner", "stranger", "admin", "service")


def like(db: Db, design: str, *personas: str) -> None:
    for persona in personas:
        db.as_(persona, LIKE, design, db.ids[persona])


def most_liked(
    db: Db, persona: str = "anon", after: tuple[object, object, object] = (None, None, None)
) -> list[str]:
    return [row["id"] for row in db.as_(persona, MOST_LIKED, *after, 1000)]


def only(db: Db, ids: list[str], shown: list[str]) -> list[str]:
    """The designs of this test, as they are shown."""
    return [each for each in shown if each in ids]


def test_most_liked_designs_come_first_and_the_newest_of_equals(db: Db) -> None:
    older, liked, newer = (db.design(public=True) for _ in range(3))
    private = db.design()
    db.run(
        "update public.public_designs set created_at = now() - interval '1 day' where design_id = %s", older
    )
    db.run("select private.recount()")
    like(db, liked, "stranger", "admin")
    mine = [older, liked, newer, private]
    for persona in EVERYBODY:
        assert only(db, mine, most_liked(db, persona)) == [liked, newer, older]
    like(db, older, "owner", "stranger", "admin")
    db.as_(
        "stranger",
        "delete from public.design_likes where design_id = %s and user_id = %s",
        liked,
        db.ids["stranger"],
    )
    assert only(db, mine, most_liked(db)) == [older, liked, newer]


def test_page_of_the_most_liked_begins_after_the_last_row(db: Db) -> None:
    liked, other = db.design(public=True), db.design(public=True)
    like(db, liked, "stranger", "admin", "owner")
    (place,) = db.run(PLACE, liked)
    rest = most_liked(db, after=(3, place["created_at"], place["id"]))
    assert liked not in rest
    assert other in rest
    assert db.as_("anon", MOST_LIKED, None, None, None, -1) == []


def test_design_taken_back_leaves_the_most_liked_and_returns_with_its_likes(db: Db) -> None:
    design = db.design(public=True)
    like(db, design, "stranger")
    db.as_("owner", "delete from public.public_designs where design_id = %s", design)
    assert design not in most_liked(db)
    # unliking is possible while it is private
    db.as_("stranger", "delete from public.design_likes where user_id = %s", db.ids["stranger"])
    db.as_(
        "owner",
        "insert into public.public_designs (design_id, user_id) values (%s, %s)",
        design,
        db.ids["owner"],
    )
    assert {"id": design, "likes": 0} in db.as_("anon", MOST_LIKED, None, None, None, 1000)
    ranked = "select t.design_id from private.design_like_totals t where t.publication_id is not null"
    public = "select p.design_id from public.public_designs p"
    assert db.run(f"({ranked} except {public}) union all ({public} except {ranked})") == []


def test_more_like_this_has_words_or_the_style_in_common(db: Db) -> None:
    origin = db.design(public=True, name="A zebrafish juggling quasars")
    both = db.design(public=True, name="Zebrafishes juggle: quasar!")
    one = db.design("stranger", public=True, name="One QUASAR with the moon")
    other = db.design(public=True, name="A kettle with a hat")
    private = db.design(name="A zebrafish and quasars")
    for persona in EVERYBODY:
        found = [row["id"] for row in db.as_(persona, RELATED, origin, 24)]
        assert found == [one, both] or found == [both, one]
        assert not {origin, other, private} & set(found)
    assert db.as_("owner", RELATED, private, 24) == []
    assert db.as_("anon", RELATED, origin, 0) == []


def test_style_is_published_with_the_design_and_counts_as_common(db: Db) -> None:
    insert = (
        "insert into public.designs (user_id, name, image_data, style) "
        "values (%s, %s, 'aGk=', 'Test style') returning id::text"
    )
    publish = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
    db.as_("owner", "update public.profiles set public_name = 'Inky' where id = %s", db.ids["owner"])
    designs = [db.as_("owner", insert, db.ids["owner"], name)[0]["id"] for name in ("Zzyzx", "Qwpqwp")]
    for design in designs:
        db.as_("owner", publish, design, db.ids["owner"])
    assert db.as_("anon", RELATED, designs[0], 24) == [{"id": designs[1]}]
    assert (
        db.rejected("owner", "update public.designs set style = 'Other' where id = %s", designs[0]) == "42501"
    )


@pytest.mark.parametrize("name", ["", "🦊🦊🦊", "a b c", "%%% ___ '\"", "the and with", "x" * 2000])
def test_words_of_any_name_are_found_without_an_error(db: Db, name: str) -> None:
    assert isinstance(db.run("select private.name_words(%s) as words", name)[0]["words"], list)


def test_copy_that_one_has_is_found_by_its_owner_alone(db: Db) -> None:
    design = db.design(public=True)
    save = (
        "select public.save_design_copy(%s, jsonb_build_object('user_id', %s::text, 'name', 'Copy', "
        "'selected_colors', '{}'::uuid[]))::text as id"
    )
    assert db.as_("service", COPY, design, db.ids["stranger"]) == [{"id": None}]
    assert db.as_("service", COPY, design, db.ids["owner"]) == [{"id": design}]
    (first,) = db.as_("service", save, design, db.ids["stranger"])
    (printed,) = db.as_("service", save, design, db.ids["stranger"])
    db.run("update public.designs set printify_product_id = 'p' where id = %s", printed["id"])
    db.as_("service", save, design, db.ids["stranger"])
    assert db.as_("service", COPY, design, db.ids["stranger"]) == [printed]
    assert db.as_("service", COPY, design, db.ids["admin"]) == [{"id": None}]
    db.run("delete from public.designs where id = %s", printed["id"])
    db.run(
        "delete from public.designs where id <> %s and user_id = %s and id <> %s",
        design,
        db.ids["stranger"],
        first["id"],
    )
    assert db.as_("service", COPY, design, db.ids["stranger"]) == [first]
    for persona in ("anon", "stranger", "owner", "admin"):
        assert db.rejected(persona, COPY, design, db.ids["stranger"]) == "42501"
