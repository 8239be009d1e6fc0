"""Links that their owner has ended: the bare id opens nothing, the key does, and publishing restores the bare link."""

from __future__ import annotations

from typing import Any

import pytest

Db = Any
DENIED, CHECK, NO_DATA = "42501", "23514", "P0002"
SHARED = "select name from public.get_shared_design(%s, %s)"
KEY = "select public.link_key(d) as key from public.designs d where id = %s"
PUBLISH = "insert into public.public_designs (design_id, user_id) values (%s, %s)"
SHOWN = [{"name": "Surfing cat"}]
LETTERS_OF_A_KEY = 32


def end_link(db: Db, design: str) -> str:
    (row,) = db.as_("owner", "select public.end_design_link(%s) as key", design)
    return str(row["key"])


def test_ended_link_opens_with_its_key_alone(db: Db) -> None:
    design, other = db.design(), db.design()
    key, key_of_another = end_link(db, design), end_link(db, other)
    assert len(key) == LETTERS_OF_A_KEY
    for persona in ("anon", "stranger", "service"):
        assert db.as_(persona, SHARED, design, None) == []
        assert db.as_(persona, SHARED, design, "") == []
        assert db.as_(persona, SHARED, design, key_of_another) == []
        assert db.as_(persona, SHARED, design, key) == SHOWN
    for persona in ("owner", "admin"):
        assert db.as_(persona, SHARED, design, None) == SHOWN


def test_new_key_ends_the_one_before(db: Db) -> None:
    design = db.design()
    first, second = end_link(db, design), end_link(db, design)
    assert first != second
    assert db.as_("anon", SHARED, design, first) == []
    assert db.as_("anon", SHARED, design, second) == SHOWN


def test_publishing_restores_the_bare_link_for_good(db: Db) -> None:
    design = db.design()
    end_link(db, design)
    db.as_("owner", "update public.profiles set public_name = 'Inky' where id = %s", db.ids["owner"])
    db.as_("owner", PUBLISH, design, db.ids["owner"])
    assert db.as_("anon", SHARED, design, None) == SHOWN
    db.as_("owner", "delete from public.public_designs where design_id = %s", design)
    assert db.as_("anon", SHARED, design, None) == SHOWN
    assert db.as_("anon", SHARED, design, "an old key") == SHOWN


def test_only_owners_end_the_links_of_private_designs(db: Db) -> None:
    design, public = db.design(), db.design(public=True)
    for persona, code in (("stranger", NO_DATA), ("admin", NO_DATA), ("anon", DENIED)):
        assert db.rejected(persona, "select public.end_design_link(%s)", design) == code
    assert db.rejected("owner", "select public.end_design_link(%s)", public) == CHECK
    assert db.as_("anon", SHARED, design, None) == SHOWN


def test_key_is_the_owners_to_read_even_for_a_made_up_row(db: Db) -> None:
    design = db.design()
    key = end_link(db, design)
    assert db.as_("owner", KEY, design) == [{"key": key}]
    assert db.as_("admin", KEY, design) == [{"key": None}]
    # a call of the function by itself can carry any row
    made_up = (
        "select public.link_key(jsonb_populate_record(null::public.designs, "
        "jsonb_build_object('id', %s::text, 'user_id', auth.uid()))) as key"
    )
    assert db.as_("stranger", made_up, design) == [{"key": None}]
    assert db.as_("anon", made_up, design) == [{"key": None}]
    assert db.rejected("stranger", "select 1 from private.design_links") == DENIED


@pytest.mark.parametrize("keyed", [False, True])
def test_picture_in_the_row_follows_the_link(db: Db, keyed: bool) -> None:
    design = db.design()
    key = end_link(db, design)
    if keyed:
        (row,) = db.as_("anon", "select public.design_picture(%s, %s) as picture", design, key)
        assert bytes(row["picture"]) == b"hi"
    else:
        assert db.rejected("anon", "select public.design_picture(%s)", design) == "PT404"


def test_import_needs_the_key_of_an_ended_link_except_for_the_owner(db: Db) -> None:
    design = db.design()
    key = end_link(db, design)
    found = "select name from public.get_design_to_copy(%s, %s, %s)"
    assert db.as_("service", found, design, db.ids["stranger"], None) == []
    assert db.as_("service", found, design, db.ids["admin"], None) == []
    assert db.as_("service", found, design, db.ids["stranger"], key) == SHOWN
    assert db.as_("service", found, design, db.ids["owner"], None) == SHOWN
    assert db.rejected("stranger", found, design, db.ids["stranger"], key) == DENIED
