"""The gallery's search against a slow one that looks at every row: the same rows in the same order, page by page."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import uuid4

import pytest

from tests.support.random_cases import cases

Db = Any
_MANY = 2_600  # more than the newest 2,000, which the search reads in order
_WORDS = (
    "Dragon",
    "drag",
    "on",
    "Straße",
    "c++",
    "50%",
    "a_b",
    "日本",
    "İzmir",
    "♥",
    "x",
    "moon  moon",
    "O'Hara",
    "\\o/",
)
_SLOW = """
    select p.design_id::text as id from public.public_designs p join public.designs d on d.id = p.design_id
    where d.name ilike '%%' || regexp_replace(%s, '([\\\\%%_])', '\\\\\\1', 'g') || '%%'
    order by p.created_at desc, p.id"""


def publish_many(db: Db, names: list[str]) -> None:
    """Public designs of the owner, the first one the newest; several have the same moment."""
    db.run("update public.profiles set public_name = 'Inky' where id = %s", db.ids["owner"])
    designs = [str(uuid4()) for _ in names]
    db.run(
        """
        insert into public.designs (id, user_id, name)
        select id, %s, name from unnest(%s::uuid[], %s::text[]) d (id, name)
        """,
        db.ids["owner"],
        designs,
        names,
    )
    db.run(
        """
        insert into public.public_designs (design_id, user_id, created_at)
        select id, %s, now() + interval '1 hour' - (place / 3) * interval '1 minute'
        from unnest(%s::uuid[]) with ordinality d (id, place)
        """,
        db.ids["owner"],
        designs,
    )
    # Else the plans are those for what autovacuum last saw of rows that were rolled back: twenty times as long.
    db.run("analyze public.designs, public.public_designs")


def searched(db: Db, persona: str, words: str, page_size: int) -> list[str]:
    """All pages, one after the other by the last row's key."""
    designs: list[str] = []
    moment, last = None, None
    while True:
        page = db.as_(
            persona,
            "select id, design_id::text as design, created_at from public.search_public_designs(%s, %s, %s, %s)",
            words,
            moment,
            last,
            page_size,
        )
        designs += [row["design"] for row in page]
        if len(page) < page_size:
            return designs
        moment, last = page[-1]["created_at"], page[-1]["id"]


def slowly(db: Db, words: str) -> list[str]:
    return [row["id"] for row in db.run(_SLOW, words)]


@pytest.mark.parametrize("seed", range(cases(1)))
def test_search_finds_what_a_look_at_every_row_finds(db: Db, seed: int) -> None:
    random = Random(seed)
    publish_many(db, [" ".join(random.choices(_WORDS, k=random.randint(1, 4))).strip() for _ in range(90)])
    needles = [*_WORDS, "d", "ra", "RAG", "%", "_", "\\", " ", "on d", "zz", "ß", "İ", "+"]
    for words in needles:
        expected = slowly(db, words)
        for page_size in (7, 1000):
            assert searched(db, "anon", words, page_size) == expected, words
        (counted,) = db.as_("anon", "select * from public.count_public_designs(%s)", words)
        assert counted == {"total": len(expected), "is_exact": True}, words


def test_rare_words_are_found_beyond_the_newest_and_counted_exactly(db: Db) -> None:
    names = ["Common moon"] * _MANY
    for place in (3, 1999, 2000, 2001, 2300, _MANY - 1):
        names[place] = f"Common moon q{'k' if place != 2300 else 'K'}zy"
    publish_many(db, names)
    for words in ("qk", "qkzy", "zy", "Q"):
        expected = slowly(db, words)
        assert searched(db, "anon", words, 2) == expected
        assert searched(db, "stranger", words, 25) == expected
        assert len(expected) >= 6
        assert db.as_("anon", "select * from public.count_public_designs(%s)", words) == [
            {"total": len(expected), "is_exact": True}
        ]


def test_word_that_only_old_designs_have_is_found(db: Db) -> None:
    publish_many(db, ["New moon"] * 2_200 + ["Old moon y2kk"] * 400)
    assert searched(db, "anon", "y2kk", 25) == slowly(db, "y2kk")
    assert db.as_("anon", "select * from public.count_public_designs('y2kk')") == [
        {"total": 400, "is_exact": True}
    ]


def test_word_of_more_than_a_thousand_names_is_counted_about(db: Db) -> None:
    publish_many(db, [f"{'Zorp' if place % 2 == 0 else 'Plain'} moon" for place in range(_MANY)])
    (shown,) = db.as_("anon", "select * from public.count_public_designs('zorp')")
    (all_designs,) = db.as_("anon", "select * from public.count_public_designs()")
    assert all_designs["is_exact"]
    assert not shown["is_exact"]
    assert shown["total"] == pytest.approx(_MANY / 2, rel=0.1)


def test_word_that_only_the_newest_designs_have_is_not_overestimated(db: Db) -> None:
    publish_many(db, ["Gleeb moon"] * 900 + ["Old moon"] * 1_500)
    assert db.as_("anon", "select * from public.count_public_designs('gleeb')") == [
        {"total": 900, "is_exact": True}
    ]


def test_search_gives_the_newest_thousand_where_more_are_found(db: Db) -> None:
    publish_many(db, ["Gonk"] * 1_200)
    expected = slowly(db, "gonk")
    assert len(expected) == 1_200
    assert searched(db, "anon", "gonk", 5_000) == expected[:1_000]
    assert searched(db, "anon", "gonk", 1_000) == expected


def test_search_follows_renaming_and_unpublishing(db: Db) -> None:
    design = db.design(public=True, name="Wibblewobble")
    assert searched(db, "anon", "wibblew", 25) == [design]
    db.as_("owner", "update public.designs set name = 'Flurble' where id = %s", design)
    assert (searched(db, "anon", "wibblew", 25), searched(db, "anon", "FLURB", 25)) == ([], [design])
    db.as_("owner", "delete from public.public_designs where design_id = %s", design)
    assert searched(db, "anon", "flurb", 25) == []
    db.as_("owner", "update public.designs set name = 'Quonk' where id = %s", design)
    db.as_(
        "owner",
        "insert into public.public_designs (design_id, user_id) values (%s, %s)",
        design,
        db.ids["owner"],
    )
    assert searched(db, "anon", "quonk", 25) == [design]


def test_publishing_copies_the_name_of_the_design(db: Db) -> None:
    design = db.design(name="Honest")
    statement = "insert into public.public_designs (design_id, user_id, name) values (%s, %s, 'Forged')"
    assert db.rejected("owner", statement, design, db.ids["owner"]) == "42501"
    db.as_("service", statement, design, db.ids["owner"])
    assert db.run("select name from public.public_designs where design_id = %s", design) == [
        {"name": "Honest"}
    ]
